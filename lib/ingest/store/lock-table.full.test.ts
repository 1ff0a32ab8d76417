import { afterAll, beforeAll, expect, test } from "vitest";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { commit } from "@/lib/ingest/store/commit";
import { ensureMonths } from "@/lib/ingest/store/partitions";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { withConnection } from "@/lib/platform/pool";
import { type EmbeddedPostgres, startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { openTestDatabase } from "@/lib/testing/database";
import { decidedEventOf } from "@/lib/testing/events";
import { PATIENT_MS } from "@/lib/testing/patience";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeSite } from "@/lib/testing/world";

const NO_WAIT = { ready: Promise.resolve(), pass: () => {} };
const BATCHES = 8;

const dataDir = temporaryDir(afterAll);
let postgres: EmbeddedPostgres;

// A Postgres as small as a hosted one, with the default of max_locks_per_transaction.
beforeAll(async () => {
  postgres = await startPostgres(dataDir);
  await withConnection(postgres.adminUrl, async (admin) => {
    await admin.query("ALTER SYSTEM SET max_locks_per_transaction = 64");
    await admin.query("ALTER SYSTEM SET max_connections = 40");
  });
  await postgres.stop();
  postgres = await startPostgres(dataDir);
  await migrate(postgres.url);
  // Caches are keyed by site id, so this database uses ids that no other test database has.
  await withConnection(postgres.url, (client) => client.query("ALTER SEQUENCE site_id_seq RESTART 1876543210"));
  await closeDatabase();
  openDatabase(postgres.url, { connections: { control: 2, reports: 2, ingest: BATCHES }, connectWithinMs: PATIENT_MS });
});

afterAll(async () => {
  await closeDatabase();
  openTestDatabase();
  await postgres.stop();
});

/** Creates a full batch of events, each with three visitors of its own. */
function batchOf(event: DecidedEvent, nth: number): DecidedEvent[] {
  return Array.from({ length: 1_000 }, (_, index) => {
    const first = 10 ** 15 + (nth * 1_000 + index) * 3;
    return { ...event, visitors: [`${first}`, `-${first + 1}`, `${first + 2}`] };
  });
}

test("concurrent full batches fit into the lock table of a Postgres with default settings", async () => {
  const settings = await db().$queryRaw`SELECT current_setting('max_locks_per_transaction') AS locks`;
  expect(settings).toEqual([{ locks: "64" }]);
  const { host, id } = await makeSite();
  const event = await decidedEventOf(host, "a");
  await ensureMonths([new Date(event.timestamp / 1000)]);
  const batches = Array.from({ length: BATCHES }, (_, nth) => commit(batchOf(event, nth), NO_WAIT));
  const outcomes = (await Promise.all(batches)).flat();
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["stored"]));
  const stored = await db().$queryRaw`SELECT count(*)::int AS events FROM facts.event WHERE site_id = ${id}`;
  expect(stored).toEqual([{ events: BATCHES * 1_000 }]);
});
