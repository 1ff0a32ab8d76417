import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { openTestDatabase } from "@/lib/testing/database";
import { PATIENT } from "@/lib/testing/locks";
import { PATIENT_MS } from "@/lib/testing/patience";
import { callApi, makeClient, makeSite } from "@/lib/testing/world";

// Reports time out after half a second; until then a real statement waits for a lock.
beforeAll(async () => {
  await closeDatabase();
  openDatabase(inject("databaseUrl"), { reportDeadlineMs: 500, connectWithinMs: PATIENT_MS });
});
afterAll(async () => {
  await closeDatabase();
  openTestDatabase();
});

/** A week that no other test queries. */
const QUIET = { from: "2031-02-03", to: "2031-02-09" };

test("an analytics operation that takes too long is 503 with Retry-After and says how to narrow the report", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  const reading = [...OPERATIONS.values()].filter(({ id }) => id.startsWith("analytics."));
  await db().$executeRaw`SELECT facts.add_month('2031-02-01')`;
  const answers = await db().$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE facts.visit_2031_02, facts.event_2031_02 IN ACCESS EXCLUSIVE MODE`;
    return Promise.all(
      reading.map(async ({ id, example }) => {
        const input = { ...example, site_id: site.id, period: "custom", ...QUIET, filters: "" };
        return { id, ...(await callApi(id, { token, input })) };
      }),
    );
  }, PATIENT);
  const late = answers.filter(({ status }) => status === 503);
  for (const { id, headers, body } of late) {
    expect(body.error.code, id).toBe("unavailable");
    expect(Number(headers["retry-after"]), id).toBeGreaterThan(0);
    expect(body.error.message, id).toMatch(/shorter range, fewer dimensions/);
  }
  // Other operations do not read these days.
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  const ids = late.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["analytics.overview", "analytics.chart", "analytics.explore"]));
});
