import pLimit from "p-limit";
import type { SeenEvent } from "@/lib/ingest/api/test-event";
import { pageviewSince } from "@/lib/ingest/store/recent-events";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { describeError, log } from "@/lib/platform/log";
import { type Internet, type Page, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { processWide } from "@/lib/platform/process-wide";
import { clipPath } from "@/lib/platform/text";
import { findBrowser } from "@/lib/sites/check/browser";
import { type Finding, finding, isError } from "@/lib/sites/check/findings";
import { type Inspection, inspect } from "@/lib/sites/check/inspect";
import { type ReadPage, RUNNING } from "@/lib/sites/check/runs";
import { findingsOf, type Visit, visit } from "@/lib/sites/check/visit";

/** What a test carries out: read the page, open it in a browser where there is one, and wait for its event. */

const PAGE = { limitBytes: 1024 * 1024, deadlineMs: 15_000, redirects: 5 };
const POLL_MS = 1_000;
/** The answer is written before the test's own time is over. */
const MARGIN_MS = 3_000;
/** After a visit its event may still be on its way through another process. */
const ON_ITS_WAY_MS = 3_000;

/** What stands in for the world in tests. */
export interface World {
  internet?: Internet;
  /** Where Chromium is; null: none. */
  browser?: string | null;
  switches?: readonly string[];
  now?: () => Date;
  pollMs?: number;
  /** How long after a visit's page has loaded, and after the visit, its event is waited for. */
  settleMs?: number;
  baseUrl?: string;
}

/** Strangers' servers may be slow: so many are read at a time, and the tests behind them wait as `queued`. */
const reading = processWide("installation-reads", () => pLimit(16));

/** Carries a test out in the background of this process. Should it die, the test ends by its own time. */
export function runInBackground(id: string): void {
  runTest(id).catch((error) => log.error(describeError(error), "an installation test broke off"));
}

/** A test on its way. */
interface Run {
  id: string;
  siteId: number;
  address: string;
  startedAt: Date;
  deadline: Date;
  domains: string[];
  world: World;
  now(): Date;
}

/** Carries a test out, from its beginning to its end. One that was stopped, or that another process has, is left alone. */
export async function runTest(id: string, world: World = {}): Promise<void> {
  const found = await reading(async () => {
    const run = await begin(id, world);
    return run && { run, read: await read(run) };
  });
  if (!found) return;
  const { run, read: page } = found;
  const status = page.hopeless ? "failed" : "waiting";
  if (await settle(run, { status, page: page.page, findings: page.findings })) {
    if (!page.hopeless) await wait(run, page);
  }
}

async function begin(id: string, world: World): Promise<Run | null> {
  const now = world.now ?? (() => new Date());
  const { count } = await db().installationTest.updateMany({
    where: { id, status: "queued", expiresAt: { gt: now() } },
    data: { status: "fetching" },
  });
  if (count === 0) return null;
  const row = await db().installationTest.findUniqueOrThrow({
    where: { id },
    include: { site: { select: { domains: { orderBy: [{ isPrimary: "desc" }, { id: "asc" }] } } } },
  });
  const { siteId, address, createdAt: startedAt, expiresAt, site } = row;
  const deadline = new Date(expiresAt.getTime() - MARGIN_MS);
  return { id, siteId, address, startedAt, deadline, domains: site.domains.map(({ host }) => host), world, now };
}

interface Read extends Inspection {
  page: ReadPage;
}

/** Over https; where that cannot be had, in the clear. */
async function read(run: Run): Promise<Read> {
  try {
    return looked(await readPage(run.address, PAGE, run.world.internet), run);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return (await readPlain(run)) ?? unreachable(run, error);
  }
}

async function readPlain(run: Run): Promise<Read | null> {
  try {
    return looked(await readPage(run.address.replace(/^https:/, "http:"), PAGE, run.world.internet), run);
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

function looked(page: Page, { domains, world }: Run): Read {
  const inspection = inspect(page, { domains, baseUrl: world.baseUrl ?? env().BASE_URL });
  const { framework } = inspection.surroundings;
  return { ...inspection, page: { url: page.url, status: page.status, framework, browser: false } };
}

function unreachable({ address, domains }: Run, { temporary }: Unreachable): Read {
  const why = temporary
    ? `${domains[0]} did not answer in time.`
    : `${domains[0]} has no public address, nobody answers there, or its certificate is not valid for it.`;
  const fix = "See that the domain leads to a public server with a valid certificate, and test again.";
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

/** @returns false when the test was over before. */
async function settle(run: Run, { status, page, findings, event }: Change): Promise<boolean> {
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

/** Waits for the event: of the visit that a browser makes here, or of a person who opens the page. */
async function wait(run: Run, read: Read): Promise<void> {
  const visiting = startVisit(run);
  for (;;) {
    const now = await db().installationTest.findUnique({
      where: { id: run.id },
      select: { status: true, event: true },
    });
    if (now?.status !== "waiting") return;
    const end = await endOf(run, read, visiting, now.event as SeenEvent | null);
    if (end) {
      await settle(run, end);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, run.world.pollMs ?? POLL_MS));
  }
}

/** How the wait ends; null while it goes on. */
async function endOf(run: Run, read: Read, visiting: Visiting, told: SeenEvent | null): Promise<Change | null> {
  const findings = [...read.findings, ...visiting.findings];
  const page = { ...read.page, browser: findings.some(({ code }) => code === "browser_used") };
  // Where no snippet is seen, a pageview may as well be a backend's: only one that names the test tells.
  const event = told ?? (read.findings.some(isError) ? null : await pageview(run, page));
  if (event) return { status: "passed", page, findings: passed(findings, event), event };
  const over = run.now() >= run.deadline;
  if (!over && !isConclusive(read, visiting, run)) return null;
  return { status: findings.some(isError) ? "failed" : "expired", page, findings: [...findings, ...late(over)] };
}

/** A visit that found out why no event comes ends the wait, but for pages that ask their visitors first. */
const isConclusive = ({ surroundings }: Read, { endedAt, findings }: Visiting, { now, world }: Run): boolean =>
  endedAt !== null &&
  now().getTime() - endedAt.getTime() >= (world.settleMs ?? ON_ITS_WAY_MS) &&
  surroundings.consent === null &&
  findings.some(isError);

const late = (over: boolean): Finding[] =>
  over ? [finding("event_missing", null, "Open the address of the test in a browser without a content blocker.")] : [];

/** The page counts, so whatever seemed to keep it from that does not. */
function passed(findings: Finding[], event: SeenEvent): Finding[] {
  const kept = findings.filter((one) => !isError(one));
  const left = findings.length > kept.length ? [finding("snippet_in_program")] : [];
  const filtered = event.left_out ? [finding("event_filtered", event.left_out)] : [];
  return [...kept, ...left, ...filtered, finding("event_arrived", event.page)];
}

interface Visiting {
  /** When it was over; null while it goes on, and where there is none. */
  endedAt: Date | null;
  findings: Finding[];
}

function startVisit(run: Run): Visiting {
  const program = run.world.browser === undefined ? findBrowser() : run.world.browser;
  const visiting: Visiting = { endedAt: null, findings: [finding(program ? "browser_used" : "no_browser")] };
  if (!program) return visiting;
  const { address, world } = run;
  const baseUrl = world.baseUrl ?? env().BASE_URL;
  const { internet, switches, settleMs } = world;
  const asked = {
    ...{ program, address, baseUrl, isOver: () => run.now() >= run.deadline },
    ...(internet && { internet }),
    ...(switches && { switches }),
    ...(settleMs !== undefined && { settleMs }),
  };
  void visit(asked).then((seen: Visit | null) => {
    visiting.findings = seen ? findingsOf(seen) : [finding("no_browser", "It could not be started")];
    visiting.endedAt = run.now();
  });
  return visiting;
}

/** A pageview of that very page that has come since the test began, by whomever: of a page that drops what is in its address. */
async function pageview({ siteId, startedAt }: Run, { url }: ReadPage): Promise<SeenEvent | null> {
  const { hostname, pathname } = new URL(url);
  const path = clipPath(pathname);
  const host = hostname.replace(/^www\./, "");
  const at = await pageviewSince(siteId, { hostname: host, path }, startedAt);
  return at && { at: at.toISOString(), page: `${host}${pathname}`, left_out: null };
}
