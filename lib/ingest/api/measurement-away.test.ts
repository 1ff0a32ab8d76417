import { expect, test } from "vitest";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { openTestDatabase } from "@/lib/testing/database";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";

const AT = "2025-03-04T12:00:00Z";

test("case 24: while the database is unavailable, every event is an error and the batch a 503; a retry with the same ids stores each once", async () => {
  const { site, key } = await siteWithKey();
  const events = Array.from({ length: 5 }, (_, i) => ({ type: "event", name: "a", event_id: `while-away-${i}` }));
  await postEvents([{ type: "event", name: "first" }], { key, at: AT });
  try {
    await closeDatabase();
    openDatabase("postgres://nobody@127.0.0.1:1/nowhere");
    const away = await postEvents(events, { key, at: AT });
    expect([away.status, away.body.error?.code, away.body.counts.error]).toEqual([503, "unavailable", 5]);
    expect(away.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    for (const [index, result] of away.body.results.entries()) {
      expect(result).toMatchObject({ index, event_id: `while-away-${index}`, status: "error", code: "unavailable" });
    }
  } finally {
    await closeDatabase();
    openTestDatabase();
  }
  expect((await postEvents(events, { key, at: AT })).body.counts.stored).toBe(5);
  expect((await postEvents(events, { key, at: AT })).body.counts.duplicate).toBe(5);
  const [{ events: stored }] = (await rowsOf`
    SELECT count(*)::int AS events FROM facts.event WHERE site_id = ${site.id}`) as [{ events: number }];
  expect(stored).toBe(6);
});
