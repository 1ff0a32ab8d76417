import { randomUUID } from "node:crypto";
import { z } from "zod";
import { about, siteId } from "@/lib/contract/fields";
import { type SeenEvent, seenEventShape, TEST_PARAMETER } from "@/lib/ingest/api/test-event";
import type { Db, Prisma } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { isThisMachine } from "@/lib/platform/local-trial";
import { findingShape } from "@/lib/sites/check/findings";
import { FRAMEWORKS, type Framework } from "@/lib/sites/installation";
import { msg } from "@/lib/texts/translate";

/** Starts, reads and stops the installation tests of a site. `runner.ts` runs them. */

/** Total duration of a test: enough time to open the page on a phone. */
const RUN_MS = 3 * 60_000;
/** Rate limit per site. */
export const RUNS_PER_HOUR = 20;

const RUN_STATUSES = {
  queued: msg("The test has not started yet."),
  fetching: msg("The page is being downloaded."),
  waiting: msg("The page was downloaded. Open `url` in a browser; the test waits for an event from that page."),
  passed: msg("The page is counted."),
  failed: msg("The page is not counted. Fix the findings with severity error, then start a new test."),
  stopped: msg("The test was stopped."),
  expired: msg("No problem was found, but no event arrived in time. Start a new test and open `url` while it waits."),
} as const;
type RunStatus = keyof typeof RUN_STATUSES;
export const RUNNING = ["queued", "fetching", "waiting"] as const satisfies RunStatus[];
const isRunning = (status: RunStatus): boolean => RUNNING.some((one) => one === status);

const frameworks = Object.keys(FRAMEWORKS) as [Framework, ...Framework[]];
const statuses = Object.keys(RUN_STATUSES) as [RunStatus, ...RunStatus[]];

/** The downloaded page, as stored and as returned by the API. */
const pageShape = z.object({
  url: about(z.string(), "URL of the page after redirects", "https://example.com/pricing"),
  status: about(z.int().nullable(), "HTTP status; null without a response", 200),
  framework: about(z.enum(frameworks).nullable(), "Detected framework of the site", "nextjs"),
  browser: about(z.boolean(), "Whether a browser on this server also opened the page", true),
});
export type ReadPage = z.infer<typeof pageShape>;

export const testShape = z
  .object({
    id: z.uuid(),
    site_id: siteId,
    status: z.enum(statuses),
    running: z.boolean().meta({ description: "Whether the test is still running; poll again if it is" }),
    next: z.string().meta({ description: "What the status means and what to do next" }),
    url: about(
      z.string(),
      "URL of the tested page; its parameter identifies the event of the test",
      "https://example.com/pricing",
    ),
    page: pageShape.nullable(),
    findings: z.array(findingShape),
    event: seenEventShape.nullable().meta({ examples: [null] }),
    created_at: z.iso.datetime(),
    expires_at: about(z.iso.datetime(), "When the test expires", "2026-11-20T09:33:00Z"),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "InstallationTest" });
export type InstallationTest = z.infer<typeof testShape>;

type Row = Prisma.InstallationTestGetPayload<object>;

/** Tests whose process died count as ended after their deadline: passed if an event had arrived, otherwise expired. */
function statusOf({ status, expiresAt, event }: Row, now: Date): RunStatus {
  if (!isRunning(status) || expiresAt > now) return status;
  return event ? "passed" : "expired";
}

function shapeTest(row: Row, now: Date): InstallationTest {
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

/** Returns the newest test of a site, running or not; null if there is none. */
export async function latestTest(db: Db, siteId: number, now: Date): Promise<InstallationTest | null> {
  const row = await db.installationTest.findFirst({ where: { siteId }, orderBy: { createdAt: "desc" } });
  return row && shapeTest(row, now);
}

/**
 * Starts a test of the site's primary domain, or returns the one that is running. The caller must hold the row lock of
 * the site, so that only one test starts.
 *
 * @throws Refusal `rate_limited` after 20 tests in an hour, `invalid_input` for a site without a domain
 */
export async function startTest(db: Db, site: { id: number; domain: string }, now: Date): Promise<InstallationTest> {
  if (site.domain === "") {
    throw invalidInput([{ path: "site_id", message: "has no domain; add one to the site first" }]);
  }
  if (isThisMachine(site.domain)) {
    const message = `has the domain ${site.domain}, a local trial whose pages this server does not open; open one in a browser, and its pageview is on the dashboard within seconds`;
    throw invalidInput([{ path: "site_id", message }]);
  }
  const latest = await latestTest(db, site.id, now);
  if (latest?.running) return latest;
  await enforceRate(db, site.id, now);
  const id = randomUUID();
  const address = `https://${site.domain}/?${TEST_PARAMETER}=${id}`;
  const expiresAt = new Date(now.getTime() + RUN_MS);
  return shapeTest(
    await db.installationTest.create({ data: { id, siteId: site.id, address, createdAt: now, expiresAt } }),
    now,
  );
}

async function enforceRate(db: Db, siteId: number, now: Date): Promise<void> {
  const hour = { siteId, createdAt: { gt: new Date(now.getTime() - HOUR_MS) } };
  const recent = await db.installationTest.findMany({
    where: hour,
    orderBy: { createdAt: "desc" },
    take: RUNS_PER_HOUR,
  });
  const oldest = recent[RUNS_PER_HOUR - 1];
  if (!oldest) return;
  const seconds = Math.ceil((oldest.createdAt.getTime() + HOUR_MS - now.getTime()) / 1000);
  const message = `A site can be tested ${RUNS_PER_HOUR} times per hour. Try again after the time in Retry-After.`;
  throw new Refusal("rate_limited", message, undefined, Math.max(1, seconds));
}

/** Returns a test of a site. @throws Refusal `not_found` if the site has no test with this id */
export async function readTest(db: Db, siteId: number, id: string, now: Date): Promise<InstallationTest> {
  const row = await db.installationTest.findFirst({ where: { id, siteId } });
  if (row) return shapeTest(row, now);
  throw new Refusal("not_found", `Site ${siteId} has no installation test ${id}. Start a test and use its id.`);
}

/** Stops a test. A test that has already ended stays as it is. */
export async function stopTest(db: Db, siteId: number, id: string, now: Date): Promise<InstallationTest> {
  await db.installationTest.updateMany({
    where: { id, siteId, status: { in: [...RUNNING] }, expiresAt: { gt: now } },
    data: { status: "stopped", endedAt: now },
  });
  return readTest(db, siteId, id, now);
}
