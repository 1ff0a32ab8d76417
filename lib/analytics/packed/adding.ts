import { COUNTED_EVENTS, NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import type { Chunk } from "@/lib/analytics/packed/chunks";
import { FLAGS, TYPE_BITS, typeTable } from "@/lib/analytics/packed/layout";
import type { LoneVisits } from "@/lib/analytics/packed/lone-visits";
import { type EventTest, type Narrowed, passed } from "@/lib/analytics/packed/narrowing";
import { NO_VISITOR, type Tally } from "@/lib/analytics/packed/tally";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";

/** Adds the visits and events of a chunk up: what `partials` says in SQL once more, over columns. */

/** What is known of a chunk before it is counted by anything. */
export interface Known extends Narrowed {
  chunk: Chunk;
  /** Numbers of visitors that no other chunk has. */
  visitorOf: Int32Array;
  /** And of its visits, from this one on. */
  firstVisit: number;
  lone: LoneVisits;
}

/**
 * By what visits are, they count where they began, and events as what their visits are. By what events are, visitors and
 * visits are those of the matching events.
 */
export function add(one: Tally, known: Known): void {
  const { parts, groups } = one;
  const { chunk, visits, events, visitOf } = known;
  if (one.of) {
    addPassed(one, known, one.of);
    return;
  }
  if (parts.includes("visits") && !groups.ofEvents) {
    const counted = one.holding ? holding(known, one.holding) : one.onlyCounts ? addLone(one, known) : visits;
    const places = groups.ofVisits(chunk, counted);
    one.grow();
    addVisits(one, known, counted, places);
  }
  if (!groups.ofEvents && parts.every((part) => part === "visits")) return;
  const named = groups.by.includes("event");
  const places = groups.of(chunk, events, visitOf);
  one.grow();
  if (parts.includes("visits") && groups.ofEvents) addSeen(one, known, places, named ? NAMED : VIEWED);
  if (parts.includes("events")) addEvents(one, known, places, named ? NAMED : EVERY);
  if (parts.includes("scrolls")) addScrolls(one, known, places);
}

const EVERY = typeTable();
const VIEWED = typeTable(VIEWS);
const NAMED = typeTable(NAMED_EVENTS);
const COUNTED = typeTable(COUNTED_EVENTS);

/** The visits that hold an event which passes any of these tests. */
function holding({ chunk: { columns }, visits }: Known, tests: readonly EventTest[]): Int32Array {
  const { hits } = columns;
  const marks = passed(columns, tests);
  const those = new Uint8Array(hits.length);
  for (let visit = 0, end = 0, event = 0; visit < hits.length; visit++) {
    end += hits[visit] as number;
    for (; event < end; event++) if (marks[event]) those[visit] = 1;
  }
  const found = new Int32Array(visits.length);
  let count = 0;
  for (const visit of visits) if (those[visit]) found[count++] = visit;
  return found.subarray(0, count);
}

/** Adds the visits that are the only ones of their visitors. @returns the visits that are left. */
function addLone(one: Tally, { chunk, visits: all, lone }: Known): Int32Array {
  const places = one.groups.placesIn(chunk);
  if (!places) return all;
  one.grow();
  const { visitors, visits } = one.sums;
  const counts = lone.countsOf(places.column);
  for (let place = 0; place < counts.length; place++) {
    const [count, group] = [counts[place] as number, places.numbers[place] as number];
    if (count === 0) continue;
    visits[group] = (visits[group] as number) + count;
    visitors[group] = (visitors[group] as number) + count;
  }
  return lone.others;
}

function addVisits(
  one: Tally,
  { chunk, visitorOf }: Pick<Known, "chunk" | "visitorOf">,
  counted: Int32Array,
  places: Int32Array,
): void {
  const { flags, duration } = chunk.columns;
  const { visitors, visits, bounces, durationMs } = one.sums;
  const { lastVisitor, onlyCounts } = one;
  for (let at = 0; at < places.length; at++) {
    const [place, visit] = [places[at] as number, counted[at] as number];
    if (place < 0) continue;
    const visitor = visitorOf[visit] as number;
    if (lastVisitor[place] !== visitor) {
      lastVisitor[place] = visitor;
      visitors[place] = (visitors[place] as number) + 1;
    }
    visits[place] = (visits[place] as number) + 1;
    if (onlyCounts) continue;
    if ((flags[visit] as number) & FLAGS.bounced) bounces[place] = (bounces[place] as number) + 1;
    durationMs[place] = (durationMs[place] as number) + (duration[visit] as number);
  }
}

/** The visits in which events of these types were seen, and their visitors. */
function addSeen(
  one: Tally,
  { chunk, events, visitOf, visitorOf, firstVisit }: Known,
  places: Int32Array,
  types: Uint8Array,
): void {
  const { kind } = chunk.columns;
  const { visitors, visits } = one.sums;
  const { lastVisitor, lastVisit } = one;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    if (place < 0 || !types[(kind[events[at] as number] as number) & TYPE_BITS]) continue;
    const visit = visitOf[at] as number;
    const visitor = visitorOf[visit] as number;
    if (visitor === NO_VISITOR || lastVisit[place] === firstVisit + visit) continue;
    lastVisit[place] = firstVisit + visit;
    visits[place] = (visits[place] as number) + 1;
    if (lastVisitor[place] === visitor) continue;
    lastVisitor[place] = visitor;
    visitors[place] = (visitors[place] as number) + 1;
  }
}

/** The events that pass any of these tests, the visits in which they happened, and their visitors. */
function addPassed(one: Tally, known: Known, tests: readonly EventTest[]): void {
  const some = passing(known, passed(known.chunk.columns, tests));
  const places = one.groups.of(known.chunk, some.events, some.visitOf);
  one.grow();
  const { events } = one.sums;
  for (const place of places) if (place >= 0) events[place] = (events[place] as number) + 1;
  addSeen(one, { ...known, ...some }, places, EVERY);
}

/** Those of the events that are marked. */
function passing({ events, visitOf }: Known, marks: Uint8Array): Pick<Known, "events" | "visitOf"> {
  const [some, theirs] = [new Int32Array(events.length), new Int32Array(events.length)];
  let count = 0;
  for (let at = 0; at < events.length; at++) {
    if (!marks[events[at] as number]) continue;
    some[count] = events[at] as number;
    theirs[count++] = visitOf[at] as number;
  }
  return { events: some.subarray(0, count), visitOf: theirs.subarray(0, count) };
}

function addEvents(one: Tally, { chunk, events: counted }: Known, places: Int32Array, types: Uint8Array): void {
  const { kind, engagement } = chunk.columns;
  const { pageviews, events, engagementMs, engaged } = one.sums;
  if (one.groups.by.length === 0) {
    addAll(one, chunk, counted);
    return;
  }
  for (let at = 0; at < places.length; at++) {
    const [place, event] = [places[at] as number, counted[at] as number];
    const type = (kind[event] as number) & TYPE_BITS;
    if (place < 0 || !types[type]) continue;
    if (VIEWED[type]) pageviews[place] = (pageviews[place] as number) + 1;
    else if (COUNTED[type]) events[place] = (events[place] as number) + 1;
    else if (type === EVENT_TYPES.engagement) engaged[place] = (engaged[place] as number) + 1;
    engagementMs[place] = (engagementMs[place] as number) + (engagement[event] as number);
  }
}

/** The same of what is counted by nothing. */
function addAll({ sums }: Tally, { columns: { kind, engagement } }: Chunk, counted: Int32Array): void {
  const types = new Int32Array(TYPE_BITS + 1);
  let milliseconds = 0;
  for (const event of counted) {
    const type = (kind[event] as number) & TYPE_BITS;
    types[type] = (types[type] as number) + 1;
    milliseconds += engagement[event] as number;
  }
  for (const [type, count] of types.entries()) {
    const list = VIEWED[type] ? sums.pageviews : COUNTED[type] ? sums.events : null;
    if (list) list[0] = (list[0] as number) + count;
  }
  sums.engaged[0] = (sums.engaged[0] as number) + (types[EVENT_TYPES.engagement] as number);
  sums.engagementMs[0] = (sums.engagementMs[0] as number) + milliseconds;
}

/** How far each page was scrolled in each visit: the furthest of what was told. */
function addScrolls(one: Tally, { chunk, events, visitOf }: Known, places: Int32Array): void {
  const { kind, page, scroll, pages } = chunk.columns;
  const { scroll: sum, scrolled } = one.sums;
  // By page, of the visit that is looked at: which one that is, and how far it came.
  const [visits, furthest] = [new Int32Array(pages.length).fill(-1), new Int32Array(pages.length)];
  for (let at = 0; at < places.length; at++) {
    const [place, event] = [places[at] as number, events[at] as number];
    const told = scroll[event] as number;
    if (place < 0 || told === 0 || ((kind[event] as number) & TYPE_BITS) !== EVENT_TYPES.engagement) continue;
    const [visit, seen] = [visitOf[at] as number, page[event] as number];
    if (visits[seen] !== visit) {
      visits[seen] = visit;
      furthest[seen] = 0;
      scrolled[place] = (scrolled[place] as number) + 1;
    }
    const more = told - 1 - (furthest[seen] as number);
    if (more <= 0) continue;
    furthest[seen] = told - 1;
    sum[place] = (sum[place] as number) + more;
  }
}
