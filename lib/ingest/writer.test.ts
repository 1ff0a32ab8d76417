import { expect, test } from "vitest";
import { reports } from "@/lib/db";
import { intern, keyOf, OTHER } from "@/lib/ingest/dictionary";
import { understand } from "@/lib/ingest/pipeline";
import { type IngestSite, siteByDomain } from "@/lib/ingest/sites";
import { writer } from "@/lib/ingest/writer";
import { CHROME, makeSite, send } from "@/lib/testing/world";

async function hitOf(host: string, name: string) {
  const site = (await siteByDomain(host)) as IngestSite;
  const sender = { address: "203.0.113.5", userAgent: CHROME, gpc: false };
  const hit = await understand({ name }, site, sender, new Date("2025-03-04T12:00:00Z"));
  if ("filtered" in hit) throw new Error("filtered");
  return hit;
}

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
  const word = (value: string) => ({ siteId: site.id, day: () => "2025-03-04", values: [value] });
  const names = Array.from({ length: 1_100 }, (_, i) => word(`name ${i}`));
  const ids = await intern("name", names);
  expect(new Set(ids.slice(0, 1_000)).size).toBe(1_000);
  expect(new Set(ids.slice(1_000)).size).toBe(1);
  expect(await intern("name", names.slice(0, 10))).toEqual(ids.slice(0, 10));
  const [other] = await reports().$queryRaw<{ name: string }[]>`
    SELECT name FROM facts.name WHERE site_id = ${site.id} AND id = ${ids[1_050] as number}`;
  expect(other?.name).toBe(OTHER);
  const tomorrow = names.slice(1_050, 1_060).map((late) => ({ ...late, day: () => "2025-03-05" }));
  const later = await intern("name", tomorrow);
  expect(new Set([...later, ids[1_050]]).size).toBe(11);
});

test("names of real hits beyond the day's cap are (other)", async () => {
  const site = await makeSite();
  await reports().$executeRaw`
    INSERT INTO facts.name (site_id, since, name) SELECT ${site.id}, '2025-03-04', 'n' || n FROM generate_series(1, 1000) n`;
  for (const name of ["late", "late", "later"]) {
    expect(await writer.write(await hitOf(site.host, name))).toEqual({ status: "stored" });
  }
  const names = await reports().$queryRaw<{ name: string }[]>`
    SELECT DISTINCT name.name FROM facts.event e JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    WHERE e.site_id = ${site.id}`;
  expect(names).toEqual([{ name: OTHER }]);
});

test("no two words have one key, whatever their values hold", () => {
  const keys = [["a\nb", "c"], ["a", "b\nc"], ["a", "b", "c"], ["a\nb\nc"]].map((values) =>
    keyOf({ siteId: 1, values }),
  );
  expect(new Set(keys).size).toBe(4);
});

test("words that many ask for in the same moment get one id", async () => {
  const site = await makeSite();
  const word = { siteId: site.id, day: () => "2025-03-04", values: ["google", "Organic Search", "", "referral"] };
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
