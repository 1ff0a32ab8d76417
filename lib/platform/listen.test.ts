import { expect, inject, onTestFinished, test } from "vitest";
import { listenTo } from "@/lib/platform/listen";
import { connected, emptyDatabase } from "@/lib/testing/database";
import { PATIENT_MS } from "@/lib/testing/patience";

test("a listener hears what transactions announce once they commit, and listens again after its connection broke", async () => {
  const url = await emptyDatabase();
  const heard: string[] = [];
  let listening = 0;
  const stop = listenTo(url, "some work", { listening: () => listening++, notified: (payload) => heard.push(payload) });
  onTestFinished(stop);
  const say = (payload: string, end: "COMMIT" | "ROLLBACK") =>
    connected(url, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_notify('some work', $1)", [payload]);
      await client.query(end);
    });
  await expect.poll(() => listening, { timeout: PATIENT_MS }).toBe(1);
  await say("undone", "ROLLBACK");
  await say("first", "COMMIT");
  await expect.poll(() => heard, { timeout: PATIENT_MS }).toEqual(["first"]);
  await connected(inject("adminUrl"), (client) =>
    client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'LISTEN%'", [
      new URL(url).pathname.slice(1),
    ]),
  );
  await expect.poll(() => listening, { timeout: PATIENT_MS }).toBe(2);
  await say("second", "COMMIT");
  await expect.poll(() => heard, { timeout: PATIENT_MS }).toEqual(["first", "second"]);
});
