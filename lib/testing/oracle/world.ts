import fc from "fast-check";
import { type Action, action, rawEvent } from "@/lib/testing/oracle/actions";
import { clockChanges, DAY, dateAt, MINUTE, midnight, wall } from "@/lib/testing/oracle/clock";
import { millisecond, type RawEvent } from "@/lib/testing/oracle/facts";
import type { SavedGoal } from "@/lib/testing/oracle/filters";

/** Random worlds: the time zone of a site, the time of the query, and all events. */

export interface World {
  zone: string;
  now: number;
  events: RawEvent[];
  /** Whether closed days are rolled up before the query. */
  rolledUp: boolean;
  /** The events before this one are written first, the rest in a second batch. */
  cut: number;
  goals: readonly SavedGoal[];
  /** Whether the site recognises visitors within a month. */
  monthly?: boolean;
  /** The start of the range of every second query. */
  since?: string;
}

/**
 * Every kind of zone: with and without daylight saving, half and quarter hours, half-hour and two-hour clock changes.
 */
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

/** Times of queries: any, or within a day and a half after a clock change, or shortly after midnight. */
const moment = fc.constantFrom(...ZONES).chain((zone) => {
  const changes = clockChanges(zone, ...YEAR);
  const anyTime = fc.integer({ min: 0, max: 290 * 24 * 60 }).map((minutes) => YEAR[0] + minutes * MINUTE);
  const soonAfter = fc
    .tuple(fc.nat({ max: Math.max(0, changes.length - 1) }), fc.integer({ min: 0, max: 2160 }))
    .map(([index, minutes]) => (changes[index] ?? YEAR[0]) + minutes * MINUTE);
  const afterMidnight = fc
    .tuple(anyTime, fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 * MINUTE })))
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

/** Minutes before now at which a visitor arrives: mostly recent, sometimes weeks or a year ago. */
const minutesAgo = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 45 }) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 * 1440 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 * 1440 }) },
  { weight: 1, arbitrary: fc.integer({ min: 365 * 1440, max: 369 * 1440 }) },
);
const arrival = fc.record({
  minutesAgo,
  /** Minutes from the preceding local midnight; null keeps the time. */
  fromMidnight: fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: -40, max: 20 })),
});

/** Pauses between two actions in milliseconds; values around the visit timeout are likely. */
const pause = fc.constantFrom(0, 1000, 20_000, 5 * MINUTE, 29 * MINUTE, 30 * MINUTE, 30 * MINUTE + 1, 31 * MINUTE);

/** A sequence of actions of one sender. */
interface Session {
  arrival: { minutesAgo: number; fromMidnight: number | null };
  actions: { after: number; action: Action }[];
}
const anySession = fc.record({
  arrival,
  actions: fc.array(fc.record({ after: pause, action }), { minLength: 1, maxLength: 6 }),
});
/** The same action before and after midnight in one visit. */
const overMidnight = fc.tuple(minutesAgo, action).map(
  ([minutesAgo, action]): Session => ({
    arrival: { minutesAgo, fromMidnight: -10 },
    actions: [0, 20 * MINUTE].map((after) => ({ after, action })),
  }),
);
export const session = fc.oneof({ weight: 5, arbitrary: anySession }, { weight: 1, arbitrary: overMidnight });

/** The saved goals of most sites of the oracle. */
export const GOALS: readonly SavedGoal[] = [
  { name: "Reads the blog", kind: "page", pattern: "/blog/**" },
  { name: "Has a look", kind: "page", pattern: "/*", value: { of: "amount", amount: "0.25" } },
  { name: "Joined", kind: "event", pattern: "Signup", value: { of: "property", property: "seats" } },
  {
    name: "Buys",
    kind: "event",
    pattern: "purchase",
    also: [{ kind: "event", pattern: "Subscribed" }],
    value: { of: "revenue" },
  },
  {
    name: "Uses a plan",
    kind: "event",
    pattern: "Play",
    also: [
      { kind: "event", pattern: "Signup" },
      { kind: "page", pattern: "/blog/**" },
      { kind: "page", pattern: "/blog/x" },
    ],
    properties: [{ property: "plan", operator: "is_not", values: ["basic"] }],
  },
];

export const world: fc.Arbitrary<World> = fc
  .record({
    at: moment,
    sessions: fc.array(fc.record({ session, sender: fc.nat({ max: 9 }), origin: fc.nat({ max: 9 }) }), {
      minLength: 4,
      maxLength: 16,
    }),
    rolledUp: fc.nat({ max: 3 }).map((n) => n === 3),
    cut: fc.nat({ max: 40 }),
    goals: fc.nat({ max: 4 }).map((n) => (n === 4 ? [] : GOALS)),
  })
  .map(({ at: { zone, now }, sessions, rolledUp, cut, goals }) => {
    const events = sessions.flatMap((one) => eventsOf(one, zone, now));
    // Rolling up the days of a whole year takes long.
    const since = rolledUp ? now - 21 * DAY : 0;
    const past = events.filter(({ at }) => since <= at && at <= now).sort((a, b) => a.at - b.at);
    return withTable({ zone, now, events: past, rolledUp, cut, goals });
  });

/** A session with its sender and traffic source. */
export interface SenderSession {
  session: Session;
  sender: number;
  origin: number;
}

/** Returns the events of a session. @param now the time that `minutesAgo` refers to. */
export function eventsOf({ session, sender, origin }: SenderSession, zone: string, now: number): RawEvent[] {
  let at = beginning(session, zone, now);
  return session.actions.map(({ after, action }) => {
    at += after;
    return rawEvent(at, action, sender, origin);
  });
}

function beginning({ arrival }: Session, zone: string, now: number): number {
  const at = now - arrival.minutesAgo * MINUTE;
  return arrival.fromMidnight === null ? at : midnight(dateAt(at, zone), zone) + arrival.fromMidnight * MINUTE;
}

/** Orders events of the same millisecond, and prints counterexamples of fast-check as a table of events. */
export function withTable(unordered: World): World {
  const world = { ...unordered, events: inOrder(unordered.events) };
  return Object.defineProperty(world, fc.toStringMethod, { value: () => tableOf(world), enumerable: false });
}

/** Separates events of the same millisecond by a microsecond, in the order in which they were sent. */
function inOrder(events: readonly RawEvent[]): RawEvent[] {
  const sent = new Map<number, number>();
  return events.map((event) => {
    const ms = millisecond(event.at);
    const before = sent.get(ms) ?? 0;
    sent.set(ms, before + 1);
    return { ...event, at: ms + before / 1000 };
  });
}

function tableOf({ zone, now, events, rolledUp, cut, goals, monthly }: World): string {
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
  const queriedAt = `queried at ${wall(now, zone)} (${new Date(now).toISOString()})`;
  return [
    `\n${zone}, ${queriedAt}, ${rolledUp ? "rolled up" : "not rolled up"}, cut at ${cut}, ${goals.length} goals${monthly ? ", monthly identification" : ""}`,
    ...lines,
    "",
  ].join("\n");
}

/** Returns a world with transformed events. */
export const reshaped = (world: World, transform: (event: RawEvent, index: number) => RawEvent): World =>
  withTable({ ...world, events: world.events.map(transform).filter(({ at }) => at <= world.now) });

/** Around midnight in minutes, into which a day is moved; shorter than two pauses that end a visit. */
const NIGHT = 50;

/** Moves the events of each local day to the minutes around its midnight, so that most visits are of two days. */
export const overMidnights = (world: World): World =>
  reshaped(world, (event) => {
    const start = midnight(dateAt(event.at, world.zone), world.zone);
    return { ...event, at: start - (NIGHT / 2) * MINUTE + ((event.at - start) * NIGHT * MINUTE) / (26 * 60 * MINUTE) };
  });
