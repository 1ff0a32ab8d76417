import { expect, test } from "vitest";
import { intern, OTHER, textOf } from "@/lib/ingest/store/dictionary";
import type { EventRow } from "@/lib/ingest/store/event-row";
import { compareVisitors } from "@/lib/ingest/store/facts";
import { lockSlotOf } from "@/lib/ingest/store/visitor-locks";
import { writer } from "@/lib/ingest/store/writer";
import { db, reports } from "@/lib/platform/db";
import { hitOf } from "@/lib/testing/events";
import { PATIENT, someoneWaitsFor } from "@/lib/testing/locks";
import { makeSite, send } from "@/lib/testing/world";

test("a row that Postgres refuses fails alone: its neighbours in the batch are stored", async () => {
  const site = await makeSite();
  const good = await Promise.all(["a", "b", "c"].map((name) => hitOf(site.host, name)));
  const bad = { ...(await hitOf(site.host, "bad")), props: "{not json" };
  const results = await Promise.allSettled(
    [...good.slice(0, 2), bad, ...good.slice(2)].map((hit) => writer.write(hit)),
  );
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const [{ events, counted }] = (await reports().$queryRaw`
    SELECT (SELECT count(*)::int FROM facts.event WHERE site_id = ${site.id}) AS events,
           (SELECT sum(events)::int FROM facts.visit WHERE site_id = ${site.id}) AS counted`) as [
    { events: number; counted: number },
  ];
  expect([events, counted]).toEqual([3, 3]);
});

test("beyond the day's cap new values are stored as (other), and known ones keep their own", async () => {
  const site = await makeSite();
  const word = (value: string) => ({
    siteId: site.id,
    at: Date.parse("2025-03-04"),
    day: () => "2025-03-04",
    text: value,
  });
  const names = Array.from({ length: 1_100 }, (_, i) => word(`name ${i}`));
  const ids = await intern("name", names);
  expect(new Set(ids.slice(0, 1_000)).size).toBe(1_000);
  expect(new Set(ids.slice(1_000)).size).toBe(1);
  expect(await intern("name", names.slice(0, 10))).toEqual(ids.slice(0, 10));
  const [other] = await reports().$queryRaw<{ name: string }[]>`
    SELECT name FROM facts.name WHERE site_id = ${site.id} AND id = ${ids[1_050] as number}`;
  expect(other?.name).toBe(OTHER);
  const tomorrow = names
    .slice(1_050, 1_060)
    .map((late) => ({ ...late, at: Date.parse("2025-03-05"), day: () => "2025-03-05" }));
  const later = await intern("name", tomorrow);
  expect(new Set([...later, ids[1_050]]).size).toBe(11);
});

test("values that are stored already take no room of the day's cap, though this process did not know them", async () => {
  const site = await makeSite();
  await db().$executeRaw`
    INSERT INTO facts.name (site_id, since, name) SELECT ${site.id}, '2025-03-03', 'old ' || n FROM generate_series(1, 600) n`;
  const words = (of: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      siteId: site.id,
      at: Date.parse("2025-03-04"),
      day: () => "2025-03-04",
      text: `${of} ${n + 1}`,
    }));
  await intern("name", words("old", 600));
  const ids = await intern("name", words("new", 1_001));
  expect(new Set(ids).size).toBe(1_001);
  const [stored] = await reports().$queryRaw<{ fresh: number; others: number }[]>`
    SELECT count(*) FILTER (WHERE name LIKE 'new %')::int AS fresh, count(*) FILTER (WHERE name = ${OTHER})::int AS others
    FROM facts.name WHERE site_id = ${site.id}`;
  expect(stored).toEqual({ fresh: 1_000, others: 1 });
});

test("names of real hits beyond the day's cap are (other)", async () => {
  const site = await makeSite();
  await db().$executeRaw`
    INSERT INTO facts.name (site_id, since, name) SELECT ${site.id}, '2025-03-04', 'n' || n FROM generate_series(1, 1000) n`;
  for (const name of ["late", "late", "later"]) {
    expect(await writer.write(await hitOf(site.host, name))).toMatchObject({ status: "stored" });
  }
  const names = await reports().$queryRaw<{ name: string }[]>`
    SELECT DISTINCT name.name FROM facts.event e JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    WHERE e.site_id = ${site.id}`;
  expect(names).toEqual([{ name: OTHER }]);
});

test("no two words have one key, whatever their values hold", () => {
  const keys = [["a\nb", "c"], ["a", "b\nc"], ["a", "b", "c"], ["a\nb\nc"]].map((values) => textOf(values));
  expect(new Set(keys).size).toBe(4);
});

test("words that many ask for in the same moment get one id", async () => {
  const site = await makeSite();
  const word = {
    siteId: site.id,
    at: Date.parse("2025-03-04"),
    day: () => "2025-03-04",
    text: textOf(["google", "Organic Search", "", "referral"]),
  };
  const ids = await Promise.all(Array.from({ length: 10 }, () => intern("referrer", [word])));
  expect(new Set(ids.flat()).size).toBe(1);
});

test("months that nobody has prepared are made on the way, and a visit runs on over their border", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2031-12-31T23:59:59Z" });
  await send(site, "/", { at: "2032-01-01T00:00:01Z" });
  const visits = await reports().$queryRaw`SELECT pageviews FROM facts.visit WHERE site_id = ${site.id}`;
  expect(visits).toEqual([{ pageviews: 2 }]);
});

/** Hits of a new site by these visitors, one each. */
async function hitsBy(visitors: string[]): Promise<EventRow[]> {
  const { host } = await makeSite();
  return Promise.all(visitors.map(async (visitor) => ({ ...(await hitOf(host, "a")), visitors: [visitor] })));
}

/** Numbers whose order as text is another, different each time. */
function fewAndMany(): [few: string, many: string] {
  const few = 9 * 10 ** 8 + Math.floor(Math.random() * 10 ** 8);
  return [`${few}`, `${few}0`.replace(/^9/, "1")];
}

test("visitors are put in the order of their numbers, as Postgres has them", () => {
  const inOrder = ["-9223372036854775808", "-10", "-9", "-1", "0", "2", "10", "100", "9223372036854775807"];
  expect([...inOrder].sort().sort(compareVisitors)).toEqual(inOrder);
  expect(compareVisitors("10", "10")).toBe(0);
});

test("a batch locks its visits in the order in which they are classified anew: nobody waits in a circle", async () => {
  const [few, many] = fewAndMany();
  const hits = await hitsBy([many, few]);
  await Promise.all(hits.map((hit) => writer.write(hit)));
  let written: Promise<unknown> = Promise.resolve();
  await db().$transaction(async (tx) => {
    const lock = (visitor: string) =>
      tx.$queryRaw`SELECT 1 FROM facts.visit WHERE visitor_id = ${visitor}::bigint FOR UPDATE NOWAIT`;
    await lock(few);
    written = Promise.all(hits.map((hit) => writer.write(hit)));
    await someoneWaitsFor(tx);
    expect(await lock(many)).toHaveLength(1);
  });
  expect(await written).toMatchObject([{ status: "stored" }, { status: "stored" }]);
});

test("a lone hit that Postgres ends for the sake of a circle of locks is written again", async () => {
  const [hit] = (await hitsBy([fewAndMany()[0]])) as [EventRow];
  await writer.write(hit);
  let written: Promise<unknown> = Promise.resolve();
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM facts.visit WHERE visitor_id = ${hit.visitors[0]}::bigint FOR UPDATE`;
    written = writer.write(hit);
    await someoneWaitsFor(tx);
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.visitor'), ${lockSlotOf(hit.visitors[0] ?? "")}::int)`;
  }, PATIENT);
  expect(await written).toMatchObject({ status: "stored" });
});

test("an event whose facts cannot be put together claims no id: it may come again with it", async () => {
  const site = await makeSite();
  const hit = { ...(await hitOf(site.host, "a")), key: "order-2026-000042" };
  const unreadable = {
    toString() {
      throw new Error("cannot be read");
    },
  };
  const broken = { ...hit, scroll: unreadable as unknown as number };
  await expect(writer.write(broken)).rejects.toThrow("cannot be read");
  expect(await writer.write(hit)).toMatchObject({ status: "stored" });
});

test("events that were handed over in another order than they arrived make a visit in the order of their arrival", async () => {
  const { id, host } = await makeSite();
  const page = (path: string) => ({ hostname: host, path, title: null });
  const [first, second, third] = (await Promise.all(
    ["/first", "/second", "/third"].map(async (path, index) => {
      const hit = await hitOf(host, "a");
      return {
        ...hit,
        type: "pageview",
        name: null,
        page: page(path),
        timestamp: hit.timestamp + index * 10,
      } as EventRow;
    }),
  )) as [EventRow, EventRow, EventRow];
  await Promise.all([third, first, second].map((hit) => writer.write(hit)));
  const visits = await reports().$queryRaw`
    SELECT pageviews, entry.path AS entry, exit.path AS exit FROM facts.visit AS visit
    JOIN facts.page AS entry ON entry.site_id = visit.site_id AND entry.id = entry_page
    JOIN facts.page AS exit ON exit.site_id = visit.site_id AND exit.id = exit_page WHERE visit.site_id = ${id}`;
  expect(visits).toEqual([{ pageviews: 3, entry: "/first", exit: "/third" }]);
});
