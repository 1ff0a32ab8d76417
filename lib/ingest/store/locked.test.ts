import pg from "pg";
import { expect, inject, test } from "vitest";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { openTestDatabase } from "@/lib/testing/database";
import { PATIENT_MS } from "@/lib/testing/patience";
import { makeSite, post } from "@/lib/testing/world";

test("a single event blocked by a lock returns 503 with Retry-After, and is stored on retry", async () => {
  const site = await makeSite();
  const event = { name: "Order", event_id: "order-2026-000042" };
  const locker = new pg.Client(inject("databaseUrl"));
  await locker.connect();
  try {
    await closeDatabase();
    const url = inject("databaseUrl");
    const options = `${url.includes("?") ? "&" : "?"}options=${encodeURIComponent("-c lock_timeout=50ms")}`;
    openDatabase(url + options, { connectWithinMs: PATIENT_MS });
    await locker.query("BEGIN; LOCK TABLE facts.event IN ACCESS EXCLUSIVE MODE");
    const blocked = await post(site, event);
    expect([blocked.status, (await blocked.json()).error.code]).toEqual([503, "unavailable"]);
    expect(blocked.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    await locker.query("COMMIT");
    // The lock of another test can be in the way too.
    let again = await post(site, event);
    while (again.status === 503) again = await post(site, event);
    expect((await again.json()).status).toBe("stored");
  } finally {
    await locker.end();
    await closeDatabase();
    openTestDatabase();
  }
});
