import fc from "fast-check";
import { EXPERIMENTS, VARIANTS } from "@/lib/testing/oracle/actions";
import { clockChanges, DAY, dateAt, MINUTE, plusDays } from "@/lib/testing/oracle/clock";
import type { RawEvent } from "@/lib/testing/oracle/facts";
import { measuring } from "@/lib/testing/oracle/vitals";
import { eventsOf, GOALS, type Seat, sitting, type World, withTable } from "@/lib/testing/oracle/world";

/**
 * Worlds of a whole year up to this moment: people came around both clock changes of the zone and lately, today included.
 * The days of the past are closed by the clock of Postgres, so that sites with a rollup have closed days and an open one.
 */

const ZONES = ["Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham"];
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const YEAR_DAYS = 366;
/** Sittings lie so many minutes around a clock change. */
const AROUND = 2 * 1440;

const seat = fc.record({ sitting, sender: fc.nat({ max: 9 }), origin: fc.nat({ max: 9 }) });
const seats = fc.array(seat, { minLength: 6, maxLength: 8 });

export const year: fc.Arbitrary<World> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    sealed: fc.boolean(),
    cut: fc.integer({ min: 10, max: 40 }),
    goals: fc.constantFrom(GOALS, GOALS, []),
    around: fc.tuple(seats, seats),
    lately: seats,
  })
  .map(({ zone, sealed, cut, goals, around, lately }) => {
    const changes = clockChanges(zone, NOW - YEAR_DAYS * DAY, NOW - 3 * DAY).slice(-2);
    const events = [
      ...changes.flatMap((change, index) =>
        (around[index] ?? []).flatMap((one) => eventsOf(nearby(one), zone, change + (AROUND * MINUTE) / 2)),
      ),
      ...lately.flatMap((one, index) => eventsOf(index % 2 ? one : nearby(one), zone, NOW)),
    ];
    const past = events.filter(({ at }) => at <= NOW).sort((a, b) => a.at - b.at);
    const since = plusDays(dateAt(past[0]?.at ?? NOW, zone), -1);
    return varied({ zone, now: NOW, events: past, sealed, cut, goals, since });
  });

const nearby = (seat: Seat): Seat => {
  const { coming, deeds } = seat.sitting;
  return { ...seat, sitting: { coming: { ...coming, minutesAgo: coming.minutesAgo % AROUND }, deeds } };
};

const SEARCHES = [{ term: "shoes" }, { term: "Shoes", results: 0 }, { term: "hats", results: 12 }];

/** The same world, in which every report has something to tell. */
function varied(world: World): World {
  const events = world.events.map((event, index): RawEvent => {
    if (index % 7 === 3) return { ...event, type: "event", name: "Search", props: SEARCHES[index % 3] ?? null };
    if (index % 7 !== 5) return event;
    const variant = VARIANTS[event.who.charCodeAt(1) % 3];
    return { ...event, type: "exposure", name: EXPERIMENTS[index % 2] ?? null, props: { variant } };
  });
  const some = measuring({ ...world, events: events.filter((_, index) => index % 5 === 0) }).events;
  const rest = events.filter((_, index) => index % 5 !== 0);
  return withTable({
    ...world,
    events: [...some, ...rest].filter(({ at }) => at <= world.now).sort((a, b) => a.at - b.at),
  });
}
