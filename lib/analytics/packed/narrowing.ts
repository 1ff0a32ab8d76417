import type { Chunk } from "@/lib/analytics/packed/chunks";
import {
  type Column,
  DICTIONARY_OF,
  EVENT_TRAFFIC_SHIFT,
  FLAGS,
  type IdColumn,
  OWN,
  TYPE_BITS,
  typeTable,
  VISIT_TRAFFIC_SHIFT,
  widthOf,
} from "@/lib/analytics/packed/layout";
import { lensOf, TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";

/** Which visits and events of a packed day a question is about: `visitsIn` and `eventsIn` once more, for columns of ids. */

/** That a fact has one of these ids, or none of them, in a column. */
export interface IdTest {
  column: IdColumn | "traffic";
  ids: ReadonlySet<number>;
  negated: boolean;
  /** The types of events that it holds for; all when not given. */
  types?: readonly number[] | undefined;
}

/** Conditions of a question that are about ids alone. */
export interface IdFilters {
  visit: IdTest[];
  visitOnly: IdTest[];
  event: IdTest[];
  goals: { reached: boolean; event: IdTest }[];
}

/** The columns that these conditions look at, for visits or for events too. */
export function columnsFor({ visit, visitOnly, event, goals }: IdFilters, events: boolean): Column[] {
  const ofEvents = [...event, ...goals.map((goal) => goal.event)];
  const asked = testedBy([...visit, ...visitOnly, ...ofEvents]);
  return ["flags", ...asked, ...(events || ofEvents.length > 0 ? (["hits", "kind"] as const) : [])];
}

/** The visits and events of a chunk that a question is about, by their places in its columns. */
export interface Narrowed {
  visits: Int32Array;
  /** None where no events were asked for. */
  events: Int32Array;
  /** The visit of each of these events. */
  visitOf: Int32Array;
}

export function narrow(traffic: Traffic, filters: IdFilters, { columns }: Chunk, events: boolean): Narrowed {
  const { flags } = columns;
  const classes = classesOf(traffic, filters);
  const possible = new Uint8Array(flags.length).fill(1);
  for (const test of [...filters.visit, ...filters.visitOnly])
    if (test.column !== "traffic") meet(possible, columns, test);
  if (filters.visitOnly.length > 0) leaveVisitless(possible, columns);
  for (const { reached, event } of filters.goals) reach(possible, columns, event, reached);
  const met = filters.event.length > 0 ? meeting(columns, filters.event) : null;
  return {
    visits: began(met ? containing(possible, columns, met) : possible, classes, columns),
    ...(events ? happened(possible, met, classes, columns) : { events: NONE, visitOf: NONE }),
  };
}

const NONE = new Int32Array(0);

/** Those of some visits that began on the day, and are of these classes. */
function began(visits: Uint8Array, classes: Uint8Array, { flags }: Chunk["columns"]): Int32Array {
  const found = new Int32Array(flags.length);
  let count = 0;
  for (let visit = 0; visit < flags.length; visit++) {
    const flag = flags[visit] as number;
    if (visits[visit] && flag & FLAGS.began && classes[flag >> VISIT_TRAFFIC_SHIFT]) found[count++] = visit;
  }
  return found.subarray(0, count);
}

/** The events of some visits that happened on the day and are of these classes; only those met, where it is asked. */
function happened(
  visits: Uint8Array,
  met: Int32Array | null,
  classes: Uint8Array,
  { hits, kind }: Chunk["columns"],
): Pick<Narrowed, "events" | "visitOf"> {
  const most = met?.length ?? kind.length;
  const [events, visitOf] = [new Int32Array(most), new Int32Array(most)];
  let count = 0;
  for (let visit = 0, end = 0, at = 0; visit < hits.length && at < most; visit++) {
    const first = end;
    end += hits[visit] as number;
    if (met) {
      while ((met[at] as number) < first) at++;
      for (; (met[at] as number) < end; at++) {
        const event = met[at] as number;
        if (!visits[visit] || !isOwn(kind[event] as number, classes)) continue;
        events[count] = event;
        visitOf[count++] = visit;
      }
    } else if (visits[visit]) {
      for (let event = first; event < end; event++) {
        if (!isOwn(kind[event] as number, classes)) continue;
        events[count] = event;
        visitOf[count++] = visit;
      }
    }
  }
  return { events: events.subarray(0, count), visitOf: visitOf.subarray(0, count) };
}

const isOwn = (kind: number, classes: Uint8Array): boolean =>
  (kind & OWN) !== 0 && classes[kind >> EVENT_TRAFFIC_SHIFT] === 1;

/** For each class of traffic, 1 where the question is about it. */
function classesOf(traffic: Traffic, { visit }: IdFilters): Uint8Array {
  const lens = lensOf(traffic);
  const classes = new Uint8Array(Math.max(...Object.values(TRAFFIC_CLASSES)) + 1);
  for (const one of Object.values(TRAFFIC_CLASSES)) {
    const allowed = visit.every(({ column, ids, negated }) => column !== "traffic" || ids.has(one) !== negated);
    if (allowed && (lens === 0 || one === lens)) classes[one] = 1;
  }
  return classes;
}

/** For each place in a column's dictionary, 1 where its id passes. */
function passing(columns: Chunk["columns"], { column, ids, negated }: IdTest): Uint8Array {
  if (column === "traffic") throw new Error("traffic is in no dictionary");
  const dictionary = columns[DICTIONARY_OF[column]];
  const width = widthOf(DICTIONARY_OF[column]);
  const passes = new Uint8Array(dictionary.length / width);
  for (let place = 0; place < passes.length; place++)
    if (ids.has(dictionary[place * width] as number) !== negated) passes[place] = 1;
  return passes;
}

/** Leaves the visits that meet a condition. */
function meet(visits: Uint8Array, columns: Chunk["columns"], test: IdTest): void {
  const passes = passing(columns, test);
  const column = columns[test.column as IdColumn];
  for (let visit = 0; visit < visits.length; visit++) if (!passes[column[visit] as number]) visits[visit] = 0;
}

/** Leaves out what belongs to no visit. */
function leaveVisitless(visits: Uint8Array, { flags }: Chunk["columns"]): void {
  for (let visit = 0; visit < visits.length; visit++) if ((flags[visit] as number) & FLAGS.visitless) visits[visit] = 0;
}

/** Which events: those of some types, or those that pass a test of ids. */
export type EventTest = IdTest | { types: readonly number[] };

/** The columns that tests look at. */
export const testedBy = (tests: readonly EventTest[]): Column[] =>
  tests.flatMap((test): Column[] =>
    "column" in test && test.column !== "traffic" ? [test.column, DICTIONARY_OF[test.column]] : [],
  );

/** For each event, 1 where it passes any of these tests. */
export function passed(columns: Chunk["columns"], tests: readonly EventTest[]): Uint8Array {
  const { kind } = columns;
  const found = new Uint8Array(kind.length);
  for (const test of tests) {
    if ("column" in test) {
      for (const event of meeting(columns, [test])) found[event] = 1;
    } else {
      const types = typeTable(test.types);
      for (let at = 0; at < found.length; at++) if (types[(kind[at] as number) & TYPE_BITS]) found[at] = 1;
    }
  }
  return found;
}

/** The events that meet all of these conditions, in their order. */
export function meeting(columns: Chunk["columns"], tests: readonly IdTest[]): Int32Array {
  const { kind } = columns;
  let met: Int32Array | null = null;
  for (const test of tests) {
    const passes = passing(columns, test);
    const column = columns[test.column as IdColumn];
    const types = typeTable(test.types);
    const most: number = met?.length ?? kind.length;
    const found = new Int32Array(most);
    let count = 0;
    for (let at = 0; at < most; at++) {
      const event = met ? (met[at] as number) : at;
      if (passes[column[event] as number] && types[(kind[event] as number) & TYPE_BITS]) found[count++] = event;
    }
    met = found.subarray(0, count);
  }
  return met ?? Int32Array.from(kind, (_, event) => event);
}

/** For each visit, 1 where it is one of these and holds an event that is met. */
function containing(visits: Uint8Array, { hits }: Chunk["columns"], met: Int32Array): Uint8Array {
  const found = new Uint8Array(visits.length);
  for (let visit = 0, end = 0, at = 0; visit < hits.length; visit++) {
    end += hits[visit] as number;
    for (; (met[at] as number) < end; at++) found[visit] = visits[visit] as number;
  }
  return found;
}

/** Leaves the visits of visitors who reached a goal on the day, or of those who did not. */
function reach(visits: Uint8Array, columns: Chunk["columns"], goal: IdTest, reached: boolean): void {
  const { flags, hits, kind } = columns;
  const met = meeting(columns, [goal]);
  for (let visit = 0, end = 0, at = 0; visit < visits.length; ) {
    const first = visit;
    let any = false;
    do {
      end += hits[visit] as number;
      for (; (met[at] as number) < end; at++) if ((kind[met[at] as number] as number) & OWN) any = true;
      visit++;
    } while (visit < visits.length && !((flags[visit] as number) & FLAGS.newcomer));
    const isVisitless = ((flags[first] as number) & FLAGS.visitless) !== 0;
    if (isVisitless || any !== reached) visits.fill(0, first, visit);
  }
}
