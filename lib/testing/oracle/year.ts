import fc from "fast-check";
import { EXPERIMENTS, VARIANTS } from "@/lib/testing/oracle/actions";
import { clockChanges, DAY, dateAt, MINUTE, plusDays } from "@/lib/testing/oracle/clock";
import type { RawEvent } from "@/lib/testing/oracle/facts";
import { withVitals } from "@/lib/testing/oracle/vitals";
import { eventsOf, GOALS, type SenderSession, session, type World, withTable } from "@/lib/testing/oracle/world";

/**
 * Worlds of one year up to now: events around both clock changes of the zone and on recent days, including today.
 * Postgres closes past days by its clock, so that sites with a rollup have closed days and an open day.
 */

const ZONES = ["Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham"];
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const YEAR_DAYS = 366;
/** Sessions are within this many minutes around a clock change. */
const AROUND = 2 * 1440;

const senderSession = fc.record({ session, sender: fc.nat({ max: 9 }), origin: fc.nat({ max: 9 }) });
const senderSessions = fc.array(senderSession, { minLength: 6, maxLength: 8 });

export const year: fc.Arbitrary<World> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    rolledUp: fc.boolean(),
    cut: fc.integer({ min: 10, max: 40 }),
    goals: fc.constantFrom(GOALS, GOALS, []),
    around: fc.tuple(senderSessions, senderSessions),
    lately: senderSessions,
  })
  .map(({ zone, rolledUp, cut, goals, around, lately }) => {
    const changes = clockChanges(zone, NOW - YEAR_DAYS * DAY, NOW - 3 * DAY).slice(-2);
    const events = [
      ...changes.flatMap((change, index) =>
        (around[index] ?? []).flatMap((one) => eventsOf(nearby(one), zone, change + (AROUND * MINUTE) / 2)),
      ),
      ...lately.flatMap((one, index) => eventsOf(index % 2 ? one : nearby(one), zone, NOW)),
    ];
    const past = events.filter(({ at }) => at <= NOW).sort((a, b) => a.at - b.at);
    const since = plusDays(dateAt(past[0]?.at ?? NOW, zone), -1);
    return varied({ zone, now: NOW, events: past, rolledUp, cut, goals, since });
  });

const nearby = (senderSession: SenderSession): SenderSession => {
  const { arrival, actions } = senderSession.session;
  return { ...senderSession, session: { arrival: { ...arrival, minutesAgo: arrival.minutesAgo % AROUND }, actions } };
};

const SEARCHES = [{ term: "shoes" }, { term: "Shoes", results: 0 }, { term: "hats", results: 12 }];

/** Changes some events so that every report has data. */
function varied(world: World): World {
  const events = world.events.map((event, index): RawEvent => {
    if (index % 7 === 3) return { ...event, type: "event", name: "Search", props: SEARCHES[index % 3] ?? null };
    if (index % 7 !== 5) return event;
    const variant = VARIANTS[event.who.charCodeAt(1) % 3];
    return { ...event, type: "exposure", name: EXPERIMENTS[index % 2] ?? null, props: { variant } };
  });
  const some = withVitals({ ...world, events: events.filter((_, index) => index % 5 === 0) }).events;
  const rest = events.filter((_, index) => index % 5 !== 0);
  return withTable({
    ...world,
    events: [...some, ...rest].filter(({ at }) => at <= world.now).sort((a, b) => a.at - b.at),
  });
}
