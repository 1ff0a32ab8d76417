import fc from "fast-check";
import { type Deed, deed, rawEvent } from "@/lib/testing/oracle/actions";
import { clockChanges, DAY, dateAt, MINUTE, midnight, wall } from "@/lib/testing/oracle/clock";
import { millisecond, type RawEvent } from "@/lib/testing/oracle/facts";
import type { SavedGoal } from "@/lib/testing/oracle/filters";

/** Random worlds: a site's zone, the moment it is asked at, and everything that happened there. */

export interface World {
  zone: string;
  now: number;
  events: RawEvent[];
  /** Whether finished days are sealed before it is asked. */
  sealed: boolean;
  /** The events before this one are written first, the rest in a second batch. */
  cut: number;
  goals: readonly SavedGoal[];
  /** Whether the site knows people again within a month. */
  monthly?: boolean;
  /** The date from which on every second question asks. */
  since?: string;
}

/** Every kind of zone: with and without daylight saving, half and quarter hours, half-hour and two-hour clock changes. */
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Africa/Casablanca",
  "Africa/Cairo",
  "Antarctica/Troll",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
];

const YEAR = [Date.parse("2025-02-10T00:00:00Z"), Date.parse("2025-12-01T00:00:00Z")] as const;

/** Moments to ask at: any, or within a day and a half after a clock change. */
const moment = fc.constantFrom(...ZONES).chain((zone) => {
  const changes = clockChanges(zone, ...YEAR);
  const anyTime = fc.integer({ min: 0, max: 290 * 24 * 60 }).map((minutes) => YEAR[0] + minutes * MINUTE);
  const soonAfter = fc
    .tuple(fc.nat({ max: Math.max(0, changes.length - 1) }), fc.integer({ min: 0, max: 2160 }))
    .map(([index, minutes]) => (changes[index] ?? YEAR[0]) + minutes * MINUTE);
  const afterMidnight = fc
    .tuple(anyTime, fc.integer({ min: 0, max: 40 * MINUTE }))
    .map(([at, late]) => midnight(dateAt(at, zone), zone) + late);
  return fc.record({
    zone: fc.constant(zone),
    now: fc.oneof(
      { weight: 3, arbitrary: anyTime },
      { weight: 3, arbitrary: soonAfter },
      { weight: 1, arbitrary: afterMidnight },
    ),
  });
});

/** How long before now somebody comes: mostly lately, now and then weeks or a year ago, or right around a midnight. */
const minutesAgo = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 45 }) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 * 1440 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 * 1440 }) },
  { weight: 1, arbitrary: fc.integer({ min: 365 * 1440, max: 369 * 1440 }) },
);
const coming = fc.record({
  minutesAgo,
  /** Moves it to so many minutes from the local midnight nearest before it. */
  fromMidnight: fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: -40, max: 20 })),
});

/** Silences between two deeds, in milliseconds; those that end a visit and those that just do not are likely. */
const silence = fc.constantFrom(0, 1000, 20_000, 5 * MINUTE, 29 * MINUTE, 30 * MINUTE, 30 * MINUTE + 1, 31 * MINUTE);

/** Somebody who comes and does something. */
interface Sitting {
  coming: { minutesAgo: number; fromMidnight: number | null };
  deeds: { after: number; deed: Deed }[];
}
const anySitting = fc.record({
  coming,
  deeds: fc.array(fc.record({ after: silence, deed }), { minLength: 1, maxLength: 6 }),
});
/** The same is done before midnight and after it, in one visit. */
const overMidnight = fc.tuple(minutesAgo, deed).map(
  ([minutesAgo, deed]): Sitting => ({
    coming: { minutesAgo, fromMidnight: -10 },
    deeds: [0, 20 * MINUTE].map((after) => ({ after, deed })),
  }),
);
export const sitting = fc.oneof({ weight: 5, arbitrary: anySitting }, { weight: 1, arbitrary: overMidnight });

/** What most sites of the oracle have saved. */
export const GOALS: readonly SavedGoal[] = [
  { name: "Reads the blog", kind: "page", pattern: "/blog/**" },
  { name: "Has a look", kind: "page", pattern: "/*" },
  { name: "Joined", kind: "event", pattern: "Signup" },
];

export const world: fc.Arbitrary<World> = fc
  .record({
    at: moment,
    sittings: fc.array(fc.record({ sitting, sender: fc.nat({ max: 9 }), origin: fc.nat({ max: 9 }) }), {
      minLength: 1,
      maxLength: 16,
    }),
    sealed: fc.nat({ max: 3 }).map((n) => n === 3),
    cut: fc.nat({ max: 40 }),
    goals: fc.nat({ max: 4 }).map((n) => (n === 4 ? [] : GOALS)),
  })
  .map(({ at: { zone, now }, sittings, sealed, cut, goals }) => {
    const events = sittings.flatMap((one) => eventsOf(one, zone, now));
    // Sealing the days of a whole year takes its time.
    const since = sealed ? now - 21 * DAY : 0;
    const past = events.filter(({ at }) => since <= at && at <= now).sort((a, b) => a.at - b.at);
    return withTable({ zone, now, events: past, sealed, cut, goals });
  });

/** Who sits there, and what led them there. */
export interface Seat {
  sitting: Sitting;
  sender: number;
  origin: number;
}

/** @param now the moment that the sitting was so many minutes before. */
export function eventsOf({ sitting, sender, origin }: Seat, zone: string, now: number): RawEvent[] {
  let at = beginning(sitting, zone, now);
  return sitting.deeds.map(({ after, deed }) => {
    at += after;
    return rawEvent(at, deed, sender, origin);
  });
}

function beginning({ coming }: Sitting, zone: string, now: number): number {
  const at = now - coming.minutesAgo * MINUTE;
  return coming.fromMidnight === null ? at : midnight(dateAt(at, zone), zone) + coming.fromMidnight * MINUTE;
}

/** Gives events of the same millisecond their order, and shows fast-check's counterexample as a table of what happened. */
export function withTable(unordered: World): World {
  const world = { ...unordered, events: inOrder(unordered.events) };
  return Object.defineProperty(world, fc.toStringMethod, { value: () => tableOf(world), enumerable: false });
}

/** The events of one millisecond follow each other by a microsecond, in the order in which they were sent. */
function inOrder(events: readonly RawEvent[]): RawEvent[] {
  const sent = new Map<number, number>();
  return events.map((event) => {
    const ms = millisecond(event.at);
    const before = sent.get(ms) ?? 0;
    sent.set(ms, before + 1);
    return { ...event, at: ms + before / 1000 };
  });
}

function tableOf({ zone, now, events, sealed, cut, goals, monthly }: World): string {
  const lines = events.map((event) => {
    const { at, who, user, type, name, page, traffic, referrer, campaign, place, agent } = event;
    const more = Object.entries({
      engaged: event.engagementMs,
      scroll: event.scroll,
      revenue: event.revenue && `${event.revenue} ${event.currency}`,
      props: event.props && JSON.stringify(event.props),
    }).flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`]));
    const from = [referrer.source || "direct", campaign?.campaign ?? "-", place.country || "??", agent.device].join(
      "/",
    );
    const sender = `${user ? `${who}=${user}` : who}${traffic === "human" ? "" : `(${traffic})`}`;
    const where = page ? `${page.hostname}${page.path}` : "-";
    return `  ${wall(at, zone)}.${(at % 1000).toFixed(3).padStart(7, "0")} ${sender} ${type} ${name ?? ""} ${where} ${from} ${more.join(" ")}`;
  });
  const asked = `asked at ${wall(now, zone)} (${new Date(now).toISOString()})`;
  return [
    `\n${zone}, ${asked}, ${sealed ? "sealed" : "not sealed"}, cut at ${cut}, ${goals.length} goals${monthly ? ", known within a month" : ""}`,
    ...lines,
    "",
  ].join("\n");
}

/** The same world with some events turned into what is asked for. */
export const reshaped = (world: World, turn: (event: RawEvent, index: number) => RawEvent): World =>
  withTable({ ...world, events: world.events.map(turn).filter(({ at }) => at <= world.now) });
