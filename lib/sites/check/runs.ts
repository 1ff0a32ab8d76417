import { randomUUID } from "node:crypto";
import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { type SeenEvent, seenEventShape, TEST_PARAMETER } from "@/lib/ingest/api/test-event";
import type { Db, Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { findingShape } from "@/lib/sites/check/findings";
import { FRAMEWORKS, type Framework } from "@/lib/sites/installation";

/** A test of a site's installation, as its row: begun, read and ended here, and carried out by `runner.ts`. */

/** How long a test may take in all: long enough to find one's phone and open the page. */
const RUN_MS = 3 * 60_000;
/** How many one site may begin in an hour. */
export const RUNS_AN_HOUR = 20;
const HOUR_MS = 3600_000;

export const RUN_STATUSES = {
  queued: "It has not begun yet.",
  fetching: "The page is being read.",
  waiting: "The page was read. Open `url` in a browser; the test waits for the event of that page.",
  passed: "The page is counted.",
  failed: "The page is not counted. Mend what the findings of severity error say, and start a new test.",
  stopped: "It was stopped.",
  expired: "Nothing wrong was found, but no event came in time. Start a new test and open `url` while it waits.",
} as const;
type RunStatus = keyof typeof RUN_STATUSES;
export const RUNNING = ["queued", "fetching", "waiting"] as const satisfies RunStatus[];
export const isRunning = (status: RunStatus): boolean => RUNNING.some((one) => one === status);

const frameworks = Object.keys(FRAMEWORKS) as [Framework, ...Framework[]];
const statuses = Object.keys(RUN_STATUSES) as [RunStatus, ...RunStatus[]];

/** What was read, as it is kept and answered. */
const pageShape = z.object({
  url: z.string().meta({ description: "Where it was found in the end, after redirects" }),
  status: z.int().nullable().meta({ description: "The HTTP status; null when nothing answered" }),
  framework: z.enum(frameworks).nullable().meta({ description: "How the site seems to be built" }),
  browser: z.boolean().meta({ description: "Whether a browser on this server opened the page too" }),
});
export type ReadPage = z.infer<typeof pageShape>;

export const testShape = z
  .object({
    id: z.uuid(),
    site_id: siteId,
    status: z.enum(statuses),
    running: z.boolean().meta({ description: "Whether it is worth asking again" }),
    next: z.string().meta({ description: "What the status means, and what to do" }),
    url: z.string().meta({ description: "The page that is tested; its event is known by this address" }),
    page: pageShape.nullable(),
    findings: z.array(findingShape),
    event: seenEventShape.nullable(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().meta({ description: "When it ends by itself" }),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "InstallationTest" });
export type InstallationTest = z.infer<typeof testShape>;

type Row = Prisma.InstallationTestGetPayload<object>;

/** A test whose process died is over by its own time; an event that had come is not lost by that. */
function statusOf({ status, expiresAt, event }: Row, now: Date): RunStatus {
  if (!isRunning(status) || expiresAt > now) return status;
  return event ? "passed" : "expired";
}

export function shapeTest(row: Row, now: Date): InstallationTest {
  const status = statusOf(row, now);
  const endedAt = row.endedAt ?? (isRunning(status) ? null : row.expiresAt);
  return {
    id: row.id,
    site_id: row.siteId,
    status,
    running: isRunning(status),
    next: RUN_STATUSES[status],
    url: row.address,
    page: row.page as ReadPage | null,
    findings: row.findings as InstallationTest["findings"],
    event: row.event as SeenEvent | null,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

/** The test of a site that runs at this moment; else the newest one; null when there was none. */
export async function latestTest(db: Db, siteId: number, now: Date): Promise<InstallationTest | null> {
  const row = await db.installationTest.findFirst({ where: { siteId }, orderBy: { createdAt: "desc" } });
  return row && shapeTest(row, now);
}

/**
 * Begins a test of the site's primary domain. While one runs it is answered instead: there is one page and one answer.
 * The caller holds the site's row, so that two do not begin at once.
 *
 * @throws Refusal `rate_limited` after 20 in an hour, `invalid_input` for a site that has lost its only domain.
 */
export async function startTest(db: Db, site: { id: number; domain: string }, now: Date): Promise<InstallationTest> {
  if (site.domain === "") {
    throw invalidInput([{ path: "site_id", message: "has no domain; add one with sites.domains.add first" }]);
  }
  const latest = await latestTest(db, site.id, now);
  if (latest?.running) return latest;
  await countRun(db, site.id, now);
  const id = randomUUID();
  const address = `https://${site.domain}/?${TEST_PARAMETER}=${id}`;
  const expiresAt = new Date(now.getTime() + RUN_MS);
  return shapeTest(
    await db.installationTest.create({ data: { id, siteId: site.id, address, createdAt: now, expiresAt } }),
    now,
  );
}

async function countRun(db: Db, siteId: number, now: Date): Promise<void> {
  const hour = { siteId, createdAt: { gt: new Date(now.getTime() - HOUR_MS) } };
  const recent = await db.installationTest.findMany({
    where: hour,
    orderBy: { createdAt: "desc" },
    take: RUNS_AN_HOUR,
  });
  const oldest = recent[RUNS_AN_HOUR - 1];
  if (!oldest) return;
  const seconds = Math.ceil((oldest.createdAt.getTime() + HOUR_MS - now.getTime()) / 1000);
  const message = `A site may be tested ${RUNS_AN_HOUR} times an hour; go on after the time in Retry-After.`;
  throw new Refusal("rate_limited", message, undefined, Math.max(1, seconds));
}

/** @throws Refusal `not_found` when the site has no such test. */
export async function readTest(db: Db, siteId: number, id: string, now: Date): Promise<InstallationTest> {
  const row = await db.installationTest.findFirst({ where: { id, siteId } });
  if (row) return shapeTest(row, now);
  throw new Refusal("not_found", `Site ${siteId} has no installation test ${id}; start one and use its id.`);
}

/** Stops a test; one that is over stays as it ended. */
export async function stopTest(db: Db, siteId: number, id: string, now: Date): Promise<InstallationTest> {
  await db.installationTest.updateMany({
    where: { id, siteId, status: { in: [...RUNNING] }, expiresAt: { gt: now } },
    data: { status: "stopped", endedAt: now },
  });
  return readTest(db, siteId, id, now);
}
