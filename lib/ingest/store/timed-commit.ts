import type pg from "pg";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import type { DecidedEvent, Outcome } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { slotsOf, writeEvents } from "@/lib/ingest/store/commit";
import { internEvents } from "@/lib/ingest/store/dictionary";
import { insertFacts, type StoredEvent } from "@/lib/ingest/store/facts";
import { ensureMonths } from "@/lib/ingest/store/partitions";
import { type HeldSalts, insertReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { changedFacts } from "@/lib/ingest/store/sequence";
import {
  deleteVisits,
  eventsOfVisitors,
  insertTimedVisitors,
  type Moved,
  moveEvents,
  type Neighbourhood,
  neighbourhoodOf,
  type PlacedEvent,
  visitsBefore,
} from "@/lib/ingest/store/timed-visitors";
import {
  classIn,
  type DimensionIds,
  RunningVisits,
  storedIn,
  VISIT_TIMEOUT_MS,
  type Visit,
} from "@/lib/ingest/store/visits";
import { Fault } from "@/lib/platform/errors";
import type { Sql } from "@/lib/platform/sql";

/**
 * Writes events whose sender gave their time. Visits are what they would be if all events had arrived in their order: where
 * a new event precedes stored ones, all events around it are assigned to visits again.
 */

/** Neighbourhoods grow while their locks are taken only if other events of them arrive meanwhile. */
const MAX_TRIES = 8;
/** Stored events around a new one. Where more are, as for a machine that is never silent, it joins the visit that it falls into. */
const MAX_PLACED = 5_000;

/** Writes events of one site in one transaction. @returns an outcome for each, in their order. @throws LostCommit */
export async function commitTimed(events: readonly DecidedEvent[]): Promise<Outcome[]> {
  await ensureMonths(events.map(({ timestamp }) => new Date(millisecondOf(timestamp))));
  const ids = await internEvents(events);
  let slots: ReadonlySet<number> = slotsOf(events);
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const written = await tryCommit(events, ids, slots);
    if ("outcomes" in written) return written.outcomes;
    slots = new Set([...slots, ...written.wanted]);
  }
  throw new Fault("The visitors around late events change faster than they can be locked");
}

/** Writes the events, unless visitors around them are not locked. @returns outcomes, or the locks that are wanted */
const tryCommit = (events: readonly DecidedEvent[], ids: readonly DimensionIds[], slots: ReadonlySet<number>) =>
  writeEvents<null, { outcomes: Outcome[] } | { wanted: Set<number> }>(events, {
    slots,
    find: async () => null,
    async decide({ client, reservations, held }) {
      const siteId = events[0]?.siteId as number;
      const fresh: NewEvent[] = [];
      for (const [index, event] of events.entries()) {
        if (reservations.isTaken(index)) continue;
        reservations.confirm(index);
        fresh.push({ index, event, ids: ids[index] as DimensionIds });
      }
      const placings = await placingsOf(client, siteId, fresh);
      const wanted = slotsOf(placings.map(({ near }) => ({ visitors: [...near.visitors] })));
      if ([...wanted].some((slot) => !slots.has(slot))) return { statements: null, result: { wanted } };
      const written: Written = { stored: [], visits: [], moved: [], replaced: [], span: null };
      for (const placing of placings) await place(client, siteId, placing, written);
      // In the order of time, like all facts of a batch.
      written.stored.sort((a, b) => a.event.timestamp - b.event.timestamp);
      return {
        statements: statementsOf(siteId, written, held),
        result: { outcomes: outcomesOfTimed(events, written) },
      };
    },
  });

function outcomesOfTimed(events: readonly DecidedEvent[], { stored }: Written): Outcome[] {
  const outcomes: Outcome[] = events.map(() => ({ status: "duplicate" }));
  for (const { index, visit, isNew, traffic } of stored) outcomes[index] = storedIn(visit, isNew, traffic);
  return outcomes;
}

function statementsOf(siteId: number, written: Written, held: HeldSalts): (pg.QueryConfig | Sql)[] {
  const { stored, visits, moved, replaced, span } = written;
  const [writeVisits, ...writeEvents] = insertFacts(stored, visits);
  return [
    ...(replaced.length > 0 ? [deleteVisits(siteId, replaced)] : []),
    ...(writeVisits ? [writeVisits] : []),
    ...(moved.length > 0 ? [moveEvents(siteId, moved)] : []),
    ...writeEvents,
    ...insertTimedVisitors(siteId, stored),
    ...insertReturningVisitors(stored, held),
    ...(span ? [changedFacts({ siteId, ...span })] : []),
  ];
}

interface NewEvent {
  /** Its place in the batch. */
  index: number;
  event: DecidedEvent;
  ids: DimensionIds;
}

/** What a transaction writes. */
interface Written {
  stored: (StoredEvent & { index: number; isNew: boolean })[];
  /** Visits of stored events that were assigned again, and the visits that they replace. */
  visits: Visit[];
  replaced: Visit[];
  moved: Moved[];
  /** The time in which stored facts have changed. */
  span: { start: Date; end: Date } | null;
}

/** New events that depend on each other, and what is stored around them. */
interface Placing {
  group: readonly NewEvent[];
  near: Neighbourhood;
  /** No stored event follows them. */
  isAfter: boolean;
}

/** Returns the new events in parts that depend on no common visitor, neither by themselves nor by what is stored. */
async function placingsOf(client: pg.PoolClient, siteId: number, events: readonly NewEvent[]): Promise<Placing[]> {
  const byVisitor = partsWithoutCommonKey(events, ({ event }) => event.visitors);
  let placings: Placing[] = [];
  for (const group of byVisitor) placings.push(await lookUp(client, siteId, group));
  for (;;) {
    const parts = partsWithoutCommonKey(placings, ({ near }) => near.visitors);
    if (parts.length === placings.length) return placings;
    placings = [];
    for (const part of parts) {
      const [only] = part;
      const group = part.flatMap((one) => one.group);
      placings.push(part.length === 1 && only ? only : await lookUp(client, siteId, group));
    }
  }
}

/** Returns things in parts that have no key in common. */
function partsWithoutCommonKey<One>(all: readonly One[], keysOf: (one: One) => Iterable<string>): One[][] {
  const parts = new Set<One[]>();
  const partOf = new Map<string, { part: One[]; keys: string[] }>();
  for (const one of all) {
    const keys = [...keysOf(one)];
    const found = new Set(keys.flatMap((key) => partOf.get(key) ?? []));
    const entry = {
      part: [...[...found].flatMap(({ part }) => part), one],
      keys: [...[...found].flatMap((f) => f.keys), ...keys],
    };
    for (const { part } of found) parts.delete(part);
    parts.add(entry.part);
    for (const key of entry.keys) partOf.set(key, entry);
  }
  return [...parts];
}

async function lookUp(client: pg.PoolClient, siteId: number, events: readonly NewEvent[]): Promise<Placing> {
  const group = [...events].sort((a, b) => a.event.timestamp - b.event.timestamp);
  const times = group.map(({ event }) => millisecondOf(event.timestamp));
  const visitors = new Set(group.flatMap(({ event }) => event.visitors));
  const around = { visitors, from: Math.min(...times), until: Math.max(...times) };
  if (visitors.size === 0) return { group, near: { ...around, visits: new Map() }, isAfter: true };
  const before = await visitsBefore(client, siteId, around);
  if (before) return { group, near: before, isAfter: true };
  return { group, near: await neighbourhoodOf(client, siteId, around), isAfter: false };
}

/** Assigns new events, and what is stored around them where it follows one of them. */
async function place(
  client: pg.PoolClient,
  siteId: number,
  { group, near, isAfter }: Placing,
  result: Written,
): Promise<void> {
  const placed = isAfter ? null : await eventsOfVisitors(client, siteId, near, MAX_PLACED);
  if (placed) assignAgain(group, placed, near, result);
  else assignAfter(group, [...near.visits.values()], result);
}

const running = (visits: readonly Visit[]): RunningVisits =>
  new RunningVisits([
    ...[...visits].sort((a, b) => a.started - b.started).map((visit) => ({ visit, byUser: false })),
    ...[...visits]
      .filter(({ userHash }) => userHash !== null)
      .sort((a, b) => a.last - b.last)
      .map((visit) => ({ visit, byUser: true })),
  ]);

/** Assigns events that follow all stored ones of their visitors. */
function assignAfter(group: readonly NewEvent[], visits: readonly Visit[], result: Written): void {
  const open = running(visits);
  for (const one of group) {
    // Never null: no event of these APIs is an engagement or a report of vitals.
    const assigned = open.assign(one.event, one.ids) ?? open.assign({ ...one.event, type: "passive" }, one.ids);
    if (!assigned) continue;
    result.stored.push({
      ...one,
      visit: assigned.visit,
      isNew: assigned.isNew,
      traffic: classIn(assigned.visit, one.event),
    });
  }
}

/** Assigns new and stored events in the order of time, as if none had been assigned before. */
function assignAgain(
  group: readonly NewEvent[],
  placed: readonly PlacedEvent[],
  near: Neighbourhood,
  result: Written,
): void {
  const open = running([]);
  const added = new Set<Visit>();
  const taken = new Map<string, Visit>();
  const moves: Moved[] = [];
  const all = [...group, ...placed].sort((a, b) => a.event.timestamp - b.event.timestamp);
  for (const one of all) {
    const assigned = open.assign(one.event, one.ids) ?? open.assign({ ...one.event, type: "passive" }, one.ids);
    if (!assigned) continue;
    const { visit, isNew } = assigned;
    const traffic = classIn(visit, one.event);
    added.add(visit);
    if ("index" in one) result.stored.push({ ...one, visit, isNew, traffic });
    else moves.push({ placed: one, visit, traffic: TRAFFIC_CLASSES[traffic] });
  }
  // A visit keeps the id that its first stored event has, unless an earlier visit has it.
  const ids = new Map<Visit, string>();
  for (const {
    placed: { stored },
    visit,
  } of moves)
    if (!ids.has(visit) && !taken.has(stored.visitId)) {
      ids.set(visit, stored.visitId);
      taken.set(stored.visitId, visit);
    }
  for (const [visit, visitId] of ids) visit.visitId = visitId;
  result.visits.push(...added);
  result.replaced.push(...near.visits.values());
  result.moved.push(...moves.filter(isMoved));
  const [start, end] = [near.from - VISIT_TIMEOUT_MS, near.until + VISIT_TIMEOUT_MS];
  const { span } = result;
  result.span = {
    start: new Date(Math.min(start, span?.start.getTime() ?? start)),
    end: new Date(Math.max(end, span?.end.getTime() ?? end)),
  };
}

function isMoved({ placed: { stored }, visit, traffic }: Moved): boolean {
  const values = [visit.referrer, visit.campaign, visit.place, visit.agent].join(",");
  return (
    stored.visitId !== visit.visitId ||
    stored.visitorId !== visit.visitorId ||
    stored.traffic !== traffic ||
    stored.values !== values
  );
}
