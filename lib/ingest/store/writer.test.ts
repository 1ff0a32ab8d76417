import { expect, test } from "vitest";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { lockSlotOf } from "@/lib/ingest/store/commit";
import { intern, joinText, OTHER } from "@/lib/ingest/store/dictionary";
import { compareVisitors } from "@/lib/ingest/store/facts";
import { writer } from "@/lib/ingest/store/writer";
import { db } from "@/lib/platform/db";
import { decidedEventOf } from "@/lib/testing/events";
import { PATIENT, someoneWaitsFor } from "@/lib/testing/locks";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send } from "@/lib/testing/world";

test("a row that Postgres refuses fails alone: the rest of its batch is stored", async () => {
  const site = await makeSite();
  const good = await Promise.all(["a", "b", "c"].map((name) => decidedEventOf(site.host, name)));
  const bad = { ...(await decidedEventOf(site.host, "bad")), props: "{not json" };
  const results = await Promise.allSettled(
    [...good.slice(0, 2), bad, ...good.slice(2)].map((event) => writer.write(event)),
  );
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const [{ events, counted }] = (await rowsOf`
    SELECT (SELECT count(*)::int FROM facts.event WHERE site_id = ${site.id}) AS events,
           (SELECT sum(interactions)::int FROM facts.visit WHERE site_id = ${site.id}) AS counted`) as [
    { events: number; counted: number },
  ];
  expect([events, counted]).toEqual([3, 3]);
});

test("new values beyond the daily cap are stored as (other), and known values stay", async () => {
  const site = await makeSite();
  const nameValue = (text: string) => ({
    siteId: site.id,
    at: Date.parse("2025-03-04"),
    timezone: "UTC",
    text,
  });
  const names = Array.from({ length: 1_100 }, (_, i) => nameValue(`name ${i}`));
  const ids = await intern("name", names);
  expect(new Set(ids.slice(0, 1_000)).size).toBe(1_000);
  expect(new Set(ids.slice(1_000)).size).toBe(1);
  expect(await intern("name", names.slice(0, 10))).toEqual(ids.slice(0, 10));
  const [other] = await rowsOf<{ name: string }[]>`
    SELECT name FROM facts.name WHERE site_id = ${site.id} AND id = ${ids[1_050] as number}`;
  expect(other?.name).toBe(OTHER);
  const tomorrow = names.slice(1_050, 1_060).map((late) => ({ ...late, at: Date.parse("2025-03-05") }));
  const later = await intern("name", tomorrow);
  expect(new Set([...later, ids[1_050]]).size).toBe(11);
});

test("values that are already stored do not count towards the daily cap, even if this process did not know them", async () => {
  const site = await makeSite();
  await db().$executeRaw`
    INSERT INTO facts.name (site_id, first_seen, name) SELECT ${site.id}, '2025-03-03', 'old ' || n FROM generate_series(1, 600) n`;
  const values = (of: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      siteId: site.id,
      at: Date.parse("2025-03-04"),
      timezone: "UTC",
      text: `${of} ${n + 1}`,
    }));
  await intern("name", values("old", 600));
  const ids = await intern("name", values("new", 1_001));
  expect(new Set(ids).size).toBe(1_001);
  const [stored] = await rowsOf<{ fresh: number; others: number }[]>`
    SELECT count(*) FILTER (WHERE name LIKE 'new %')::int AS fresh, count(*) FILTER (WHERE name = ${OTHER})::int AS others
    FROM facts.name WHERE site_id = ${site.id}`;
  expect(stored).toEqual({ fresh: 1_000, others: 1 });
});

test("event names beyond the daily cap are (other)", async () => {
  const site = await makeSite();
  await db().$executeRaw`
    INSERT INTO facts.name (site_id, first_seen, name) SELECT ${site.id}, '2025-03-04', 'n' || n FROM generate_series(1, 1000) n`;
  for (const name of ["late", "late", "later"]) {
    expect(await writer.write(await decidedEventOf(site.host, name))).toMatchObject({ status: "stored" });
  }
  const names = await rowsOf<{ name: string }[]>`
    SELECT DISTINCT name.name FROM facts.event e JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    WHERE e.site_id = ${site.id}`;
  expect(names).toEqual([{ name: OTHER }]);
});

test("different values never have the same key, whatever they contain", () => {
  const keys = [["a\nb", "c"], ["a", "b\nc"], ["a", "b", "c"], ["a\nb\nc"]].map((values) => joinText(values));
  expect(new Set(keys).size).toBe(4);
});

test("concurrent lookups of the same new value get one id", async () => {
  const site = await makeSite();
  const value = {
    siteId: site.id,
    at: Date.parse("2025-03-04"),
    timezone: "UTC",
    text: joinText(["google", "Organic Search", "", "referral"]),
  };
  const ids = await Promise.all(Array.from({ length: 10 }, () => intern("referrer", [value])));
  expect(new Set(ids.flat()).size).toBe(1);
});

test("missing month partitions are created on demand, and a visit continues across months", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2031-12-31T23:59:59Z" });
  await send(site, "/", { at: "2032-01-01T00:00:01Z" });
  const visits = await rowsOf`SELECT pageviews FROM facts.visit WHERE site_id = ${site.id}`;
  expect(visits).toEqual([{ pageviews: 2 }]);
});

/** Events of a new site, one per visitor. */
async function eventsBy(visitors: string[]): Promise<DecidedEvent[]> {
  const { host } = await makeSite();
  return Promise.all(visitors.map(async (visitor) => ({ ...(await decidedEventOf(host, "a")), visitors: [visitor] })));
}

/** Random numbers whose order as text differs from their numeric order. */
function smallAndLarge(): [small: string, large: string] {
  const small = 9 * 10 ** 8 + Math.floor(Math.random() * 10 ** 8);
  return [`${small}`, `${small}0`.replace(/^9/, "1")];
}

test("visitors are sorted numerically, as in Postgres", () => {
  const inOrder = ["-9223372036854775808", "-10", "-9", "-1", "0", "2", "10", "100", "9223372036854775807"];
  expect([...inOrder].sort().sort(compareVisitors)).toEqual(inOrder);
  expect(compareVisitors("10", "10")).toBe(0);
});

test("a batch locks its visits in the order of the reclassification job, so that they cannot deadlock", async () => {
  const [small, large] = smallAndLarge();
  const events = await eventsBy([large, small]);
  await Promise.all(events.map((event) => writer.write(event)));
  let written: Promise<unknown> = Promise.resolve();
  await db().$transaction(async (tx) => {
    const lock = (visitor: string) =>
      tx.$queryRaw`SELECT 1 FROM facts.visit WHERE site_id = ${events[0]?.siteId} AND visitor_id = ${visitor}::bigint FOR UPDATE NOWAIT`;
    await lock(small);
    written = Promise.all(events.map((event) => writer.write(event)));
    await someoneWaitsFor(tx);
    expect(await lock(large)).toHaveLength(1);
  });
  expect(await written).toMatchObject([{ status: "stored" }, { status: "stored" }]);
});

test("a single event that Postgres aborts because of a deadlock is written again", async () => {
  const [event] = (await eventsBy([smallAndLarge()[0]])) as [DecidedEvent];
  await writer.write(event);
  let written: Promise<unknown> = Promise.resolve();
  await db().$transaction(async (tx) => {
    // Postgres aborts the transaction whose timeout ends first. That must be the writer's.
    await tx.$executeRaw`SET LOCAL deadlock_timeout = '60s'`;
    await tx.$queryRaw`SELECT 1 FROM facts.visit WHERE site_id = ${event.siteId} AND visitor_id = ${event.visitors[0]}::bigint FOR UPDATE`;
    written = writer.write(event);
    await someoneWaitsFor(tx);
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.visitor'), ${lockSlotOf(event.visitors[0] ?? "")}::int)`;
  }, PATIENT);
  expect(await written).toMatchObject({ status: "stored" });
});

test("an event whose row cannot be built reserves no id: it can be sent again with it", async () => {
  const site = await makeSite();
  const event = { ...(await decidedEventOf(site.host, "a")), key: "order-2026-000042" };
  const unreadable = {
    toString() {
      throw new Error("cannot be read");
    },
  };
  const broken = { ...event, scroll: unreadable as unknown as number };
  await expect(writer.write(broken)).rejects.toThrow("cannot be read");
  expect(await writer.write(event)).toMatchObject({ status: "stored" });
});

test("events written out of order form a visit in the order of their arrival", async () => {
  const { id, host } = await makeSite();
  const page = (path: string) => ({ hostname: host, path, title: null });
  const [first, second, third] = (await Promise.all(
    ["/first", "/second", "/third"].map(async (path, index) => {
      const event = await decidedEventOf(host, "a");
      return {
        ...event,
        type: "pageview",
        name: null,
        page: page(path),
        timestamp: event.timestamp + index * 10,
      } as DecidedEvent;
    }),
  )) as [DecidedEvent, DecidedEvent, DecidedEvent];
  await Promise.all([third, first, second].map((event) => writer.write(event)));
  const visits = await rowsOf`
    SELECT pageviews, entry.path AS entry, exit.path AS exit FROM facts.visit AS visit
    JOIN facts.page AS entry ON entry.site_id = visit.site_id AND entry.id = entry_page
    JOIN facts.page AS exit ON exit.site_id = visit.site_id AND exit.id = exit_page WHERE visit.site_id = ${id}`;
  expect(visits).toEqual([{ pageviews: 3, entry: "/first", exit: "/third" }]);
});
