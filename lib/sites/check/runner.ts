import type { SeenEvent } from "@/lib/ingest/api/test-event";
import { pageviewSince } from "@/lib/ingest/store/site-events";
import { canonicalHost, pathOfUrl } from "@/lib/platform/canonical";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { FairQueue } from "@/lib/platform/fair-queue";
import { describeError, log } from "@/lib/platform/log";
import { type Internet, type Page, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { processWide } from "@/lib/platform/process-wide";
import { clipPath } from "@/lib/platform/text";
import { findBrowser } from "@/lib/sites/check/browser";
import { type Finding, finding, isError } from "@/lib/sites/check/findings";
import { type Inspection, inspect } from "@/lib/sites/check/inspect";
import { type ReadPage, RUNNING } from "@/lib/sites/check/runs";
import { findingsOfVisit, type TestVisit, visit } from "@/lib/sites/check/visit";

/** Runs an installation test: downloads the page, opens it in a browser if there is one, and waits for its event. */

const PAGE = { limitBytes: 1024 * 1024, deadlineMs: 15_000, redirects: 5 };
const POLL_MS = 1_000;
/** Stop this long before the test expires, so that the result is saved in time. */
const MARGIN_MS = 3_000;
/** How long an event may take to be stored by another process. */
const EVENT_DELAY_MS = 3_000;

/** Overrides for tests. */
export interface World {
  internet?: Internet;
  /** Path of Chromium; null for none. */
  browser?: string | null;
  switches?: readonly string[];
  now?: () => Date;
  pollMs?: number;
  /** How long to wait for the event after the page has loaded, and again after the browser has closed. */
  settleMs?: number;
  /** After this time the browser is killed. */
  deadlineMs?: number;
  baseUrl?: string;
}

/** Limits concurrent downloads, because tested servers may be slow. Further tests stay `queued`. */
const downloads = processWide("installation-reads", () => new FairQueue(16));

/** Runs a test in the background of this process. If the process dies, the test expires by itself. */
export function runInBackground(id: string): void {
  runTest(id).catch((error) => log.error(describeError(error), "an installation test failed"));
}

/** A running test. */
interface Run {
  id: string;
  siteId: number;
  account: string;
  address: string;
  startedAt: Date;
  deadline: Date;
  domains: string[];
  websiteIds: string[];
  world: World;
  now(): Date;
}

/** Runs a queued test to its end. Does nothing if the test was stopped or another process runs it. */
export async function runTest(id: string, world: World = {}): Promise<void> {
  const account = await accountOf(id);
  if (account === null) return;
  const started = await downloads.run(account, async () => {
    const run = await start(id, account, world);
    return run && { run, result: await downloadPage(run) };
  });
  if (!started) return;
  const { run, result } = started;
  const status = result.hopeless ? "failed" : "waiting";
  if (await save(run, { status, page: result.page, findings: result.findings })) {
    if (!result.hopeless) await waitForEvent(run, result);
  }
}

async function start(id: string, account: string, world: World): Promise<Run | null> {
  const now = world.now ?? (() => new Date());
  const { count } = await db().installationTest.updateMany({
    where: { id, status: "queued", expiresAt: { gt: now() } },
    data: { status: "fetching" },
  });
  if (count === 0) return null;
  const row = await db().installationTest.findUniqueOrThrow({
    where: { id },
    include: { site: { select: { domains: { orderBy: [{ isPrimary: "desc" }, { id: "asc" }] }, aliases: true } } },
  });
  const { siteId, address, createdAt: startedAt, expiresAt, site } = row;
  const deadline = new Date(expiresAt.getTime() - MARGIN_MS);
  const domains = site.domains.map(({ host }) => host);
  const websiteIds = site.aliases.map(({ alias }) => alias);
  return { id, siteId, account, address, startedAt, deadline, domains, websiteIds, world, now };
}

/** Returns the account that a test is charged to; null if it was deleted with its site. */
async function accountOf(id: string): Promise<string | null> {
  const [row] = await db().$queryRaw<{ account: string | null }[]>`
    SELECT account_of_site(site_id) AS account FROM installation_test WHERE id = ${id}::uuid`;
  return row?.account ?? null;
}

interface PageResult extends Inspection {
  page: ReadPage;
}

/** Downloads and inspects the page over https, or over http if https fails. */
async function downloadPage(run: Run): Promise<PageResult> {
  try {
    return inspected(await readPage(run.address, PAGE, run.world.internet), run);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return (await downloadOverHttp(run)) ?? unreachable(run, error);
  }
}

async function downloadOverHttp(run: Run): Promise<PageResult | null> {
  try {
    return inspected(await readPage(run.address.replace(/^https:/, "http:"), PAGE, run.world.internet), run);
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

function inspected(page: Page, { domains, websiteIds, world }: Run): PageResult {
  const inspection = inspect(page, { domains, websiteIds, baseUrl: world.baseUrl ?? env().BASE_URL });
  const { framework } = inspection.surroundings;
  return { ...inspection, page: { url: page.url, status: page.status, framework, browser: false } };
}

function unreachable({ address, domains }: Run, { temporary }: Unreachable): PageResult {
  const why = temporary
    ? `${domains[0]} did not respond in time.`
    : `${domains[0]} has no public address, does not respond, or has no valid certificate for this domain.`;
  const fix = "Make sure that the domain points to a public server with a valid certificate, then test again.";
  return {
    page: { url: address, status: null, framework: null, browser: false },
    findings: [finding("page_unreachable", why, fix)],
    surroundings: { framework: null, containers: [], consent: null, hasScripts: false },
    hopeless: true,
  };
}

type Change = {
  status: "waiting" | "passed" | "failed" | "expired";
  page: ReadPage;
  findings: Finding[];
  event?: SeenEvent;
};

/** Saves the state of a test. @returns false if the test has already ended */
async function save(run: Run, { status, page, findings, event }: Change): Promise<boolean> {
  const { count } = await db().installationTest.updateMany({
    where: { id: run.id, status: { in: [...RUNNING] } },
    data: {
      status,
      page: { ...page },
      findings: findings.map((one) => ({ ...one })),
      ...(event ? { event: { ...event } } : {}),
      ...(status === "waiting" ? {} : { endedAt: run.now() }),
    },
  });
  return count === 1;
}

/** Waits for an event, from the browser on this server or from a person who opens the page. */
async function waitForEvent(run: Run, result: PageResult): Promise<void> {
  const visiting = startVisit(run);
  for (;;) {
    const current = await db().installationTest.findUnique({
      where: { id: run.id },
      select: { status: true, event: true },
    });
    if (current?.status !== "waiting") return;
    const outcome = await outcomeOf(run, result, visiting, current.event as SeenEvent | null);
    if (outcome) {
      await save(run, outcome);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, run.world.pollMs ?? POLL_MS));
  }
}

/** Returns the final state of the test; null to keep waiting. */
async function outcomeOf(
  run: Run,
  result: PageResult,
  visiting: Visiting,
  testEvent: SeenEvent | null,
): Promise<Change | null> {
  const findings = [...result.findings, ...visiting.findings];
  const page = { ...result.page, browser: findings.some(({ code }) => code === "browser_used") };
  // Without a snippet a pageview may come from a backend, so only an event with the test id counts.
  const event = testEvent ?? (result.findings.some(isError) ? null : await findPageview(run, page));
  if (event) return { status: "passed", page, findings: passed(findings, event), event };
  const timedOut = run.now() >= run.deadline;
  if (!timedOut && !isConclusive(result, visiting, run)) return null;
  return { status: findings.some(isError) ? "failed" : "expired", page, findings: [...findings, ...missed(timedOut)] };
}

/** A visit that found why no event is sent ends the wait, except on pages that ask for consent first. */
const isConclusive = ({ surroundings }: PageResult, { endedAt, findings }: Visiting, { now, world }: Run): boolean =>
  endedAt !== null &&
  now().getTime() - endedAt.getTime() >= (world.settleMs ?? EVENT_DELAY_MS) &&
  surroundings.consent === null &&
  findings.some(isError);

const missed = (timedOut: boolean): Finding[] =>
  timedOut ? [finding("event_missing", null, "Open the URL of the test in a browser without a content blocker.")] : [];

/** Drops the errors, because the event shows that the page is counted anyway. */
function passed(findings: Finding[], event: SeenEvent): Finding[] {
  const kept = findings.filter((one) => !isError(one));
  const loaded = findings.length > kept.length ? [finding("snippet_in_program")] : [];
  const filtered = event.left_out ? [finding("event_filtered", event.left_out)] : [];
  return [...kept, ...loaded, ...filtered, finding("event_arrived", event.page)];
}

interface Visiting {
  /** When the visit ended; null while it runs, and without a browser. */
  endedAt: Date | null;
  findings: Finding[];
}

function startVisit(run: Run): Visiting {
  const program = run.world.browser === undefined ? findBrowser() : run.world.browser;
  const visiting: Visiting = { endedAt: null, findings: [finding(program ? "browser_used" : "no_browser")] };
  if (!program) return visiting;
  const { address, world } = run;
  const baseUrl = world.baseUrl ?? env().BASE_URL;
  const { internet, switches, settleMs, deadlineMs } = world;
  const options = {
    account: run.account,
    program,
    address,
    baseUrl,
    isOver: () => run.now() >= run.deadline,
    ...(internet && { internet }),
    ...(switches && { switches }),
    ...(settleMs !== undefined && { settleMs }),
    ...(deadlineMs !== undefined && { deadlineMs }),
  };
  void visit(options).then((result) => {
    visiting.findings = result === "busy" ? [finding("browser_busy")] : foundBy(result);
    visiting.endedAt = run.now();
  });
  return visiting;
}

const foundBy = (result: TestVisit | null): Finding[] =>
  result ? findingsOfVisit(result) : [finding("no_browser", "The browser could not be started")];

/**
 * Returns any pageview of the tested page since the test started, for pages that drop the test parameter from the
 * URL.
 */
async function findPageview({ siteId, startedAt }: Run, { url }: ReadPage): Promise<SeenEvent | null> {
  const address = new URL(url);
  const site = await db().site.findUnique({ where: { id: siteId }, select: { pageQuery: true } });
  const path = clipPath(pathOfUrl(address, site?.pageQuery ?? []));
  const host = canonicalHost(address.hostname);
  const at = await pageviewSince(siteId, { hostname: host, path }, startedAt);
  return at && { at: at.toISOString(), page: `${host}${path}`, left_out: null };
}
