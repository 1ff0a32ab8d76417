import { test as concurrent, expect, inject } from "vitest";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { openTestDatabase } from "@/lib/testing/database";
import { startLosingProxy } from "@/lib/testing/losing-proxy";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { PATIENT_MS } from "@/lib/testing/patience";
import { rowsOf } from "@/lib/testing/rows";
import { post, type TestSite } from "@/lib/testing/world";

/** Sequential, because this process has one database at a time. */
const test = concurrent.sequential;

const AT = "2025-03-04T12:00:00Z";
const LATER = "2025-03-04T12:00:07Z";

const eventsOf = async (site: TestSite) => {
  const rows = await rowsOf<{ name: string; times: number }[]>`
    SELECT name.name, count(*)::int AS times FROM facts.event e JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    WHERE e.site_id = ${site.id} GROUP BY 1 ORDER BY 1`;
  return rows.map(({ name, times }) => `${name} ${times}`);
};

/** Runs `work` with a database connection that loses COMMITs. */
async function behindProxy(work: (proxy: Awaited<ReturnType<typeof startLosingProxy>>) => Promise<void>) {
  const proxy = await startLosingProxy(inject("databaseUrl"));
  try {
    await closeDatabase();
    openDatabase(proxy.url, { connectWithinMs: PATIENT_MS });
    await work(proxy);
  } finally {
    await closeDatabase();
    proxy.close();
    openTestDatabase();
  }
}

const statusesOf = (body: { results: { status: string }[] }) => body.results.map(({ status }) => status);

test("when the response to COMMIT is lost, a retry with the returned id is a duplicate, and the event is stored once", async () => {
  const { site, key } = await siteWithKey();
  await behindProxy(async (proxy) => {
    const events = ["a", "b", "b"].map((name) => ({ type: "event", name }));
    expect((await postEvents([{ type: "event", name: "first" }], { key, at: AT })).status).toBe(200);
    proxy.lose("answer", 1);
    const lost = await postEvents(events, { key, at: AT });
    expect([lost.status, proxy.lost(), ...statusesOf(lost.body)]).toEqual([503, 1, "error", "error", "error"]);
    const ids = lost.body.results.map(({ event_id }) => event_id);
    expect(new Set(ids).size).toBe(3);
    const named = events.map((event, index) => ({ ...event, event_id: ids[index] }));
    const again = await postEvents(named, { key, at: LATER });
    expect(again.body.results.map(({ event_id }) => event_id)).toEqual(ids);
    expect(statusesOf(again.body)).toEqual(["duplicate", "duplicate", "duplicate"]);
    const single = await post(site, { name: "a", event_id: ids[0] }, { at: LATER });
    expect((await single.json()).status).toBe("duplicate");
    expect(await eventsOf(site)).toEqual(["a 1", "b 2", "first 1"]);
  });
});

test("when COMMIT itself is lost, a retry with the returned id is an error while the transaction is open, and is then stored once", async () => {
  const { site, key } = await siteWithKey();
  await behindProxy(async (proxy) => {
    await postEvents([{ type: "event", name: "first" }], { key, at: AT });
    proxy.lose("commit", 1);
    const lost = await postEvents([{ type: "event", name: "a" }], { key, at: AT });
    const event_id = lost.body.results[0]?.event_id;
    const again = () => postEvents([{ type: "event", name: "a", event_id }], { key, at: LATER });
    const open = await again();
    expect([open.status, open.body.results[0]?.event_id]).toEqual([503, event_id]);
    expect(open.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    proxy.closeHeld();
    let response = await again();
    while (response.status === 503) response = await again();
    expect(statusesOf(response.body)).toEqual(["stored"]);
    expect(statusesOf((await again()).body)).toEqual(["duplicate"]);
    expect(await eventsOf(site)).toEqual(["a 1", "first 1"]);
  });
});

test("when the response to COMMIT is lost, events with the sender's ids are stored once, through both APIs", async () => {
  const { site, key } = await siteWithKey();
  await behindProxy(async (proxy) => {
    await postEvents([{ type: "event", name: "first" }], { key, at: AT });
    proxy.lose("answer", 1);
    const lost = await post(site, { name: "a", event_id: "order-2026-000042" }, { at: AT });
    expect([lost.status, (await lost.json()).error.message]).toEqual([503, expect.stringContaining("event_id")]);
    const single = await post(site, { name: "a", event_id: "order-2026-000042" }, { at: LATER });
    expect((await single.json()).status).toBe("duplicate");
    expect(await eventsOf(site)).toEqual(["a 1", "first 1"]);
  });
});
