import { env } from "@/lib/platform/env";
import { FairQueue } from "@/lib/platform/fair-queue";
import { describeError, log } from "@/lib/platform/log";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { startGuardedProxy } from "@/lib/platform/outbound/proxy";
import { processWide } from "@/lib/platform/process-wide";
import { parseUrl } from "@/lib/platform/text";
import { Browser, type Excess, type Limits } from "@/lib/sites/check/browser";
import { type Finding, finding } from "@/lib/sites/check/findings";

/** Outcome of a request of the page: an HTTP status, or the reason why it was blocked. */
type RequestOutcome = { status: number } | { blocked: string } | null;

/** What happened when a browser opened the page. */
export interface TestVisit {
  /** The browser's error if the page could not be opened; null if it could. */
  refusal: string | null;
  /** The request for the tracker script; null if there was none. */
  script: RequestOutcome;
  /** The request that sent an event; null if there was none. */
  event: RequestOutcome;
  /** Why the browser was stopped before the visit ended; null if it was not. */
  stopped: Excess | "crash" | null;
}

export interface VisitOptions {
  /** The account that the visit is charged to. */
  account: string;
  /** Path of Chromium. */
  program: string;
  /** URL of the page. */
  address: string;
  baseUrl: string;
  /** After this time the browser is killed. */
  deadlineMs?: number;
  /** Returns whether the test has ended; checked before the browser starts. */
  isOver?: () => boolean;
  /** How long to wait for an event after the page has loaded. */
  settleMs?: number;
  /** For tests only. */
  internet?: Internet;
  switches?: readonly string[];
  limits?: Limits;
}

const DEADLINE_MS = 20_000;
const SETTLE_MS = 5_000;

/** Browsers use much memory, so each process runs only one at a time. */
const browsers = processWide("browser-visits", () => new FairQueue());

/**
 * Opens a page in a browser.
 *
 * @returns `busy` if another visit for the account waits already; null if the browser could not be run, which says nothing
 *   about the page
 */
export async function visit(options: VisitOptions): Promise<TestVisit | "busy" | null> {
  if (browsers.isWaiting(options.account)) return "busy";
  return browsers.run(options.account, async () => {
    if (options.isOver?.()) return null;
    return open(options).catch((error) => {
      log.warn(describeError(error), "a browser could not open a page");
      return null;
    });
  });
}

async function open({
  program,
  address,
  baseUrl,
  deadlineMs = DEADLINE_MS,
  settleMs = SETTLE_MS,
  ...world
}: VisitOptions): Promise<TestVisit> {
  const timeout = AbortSignal.timeout(deadlineMs);
  const proxy = await startGuardedProxy(new URL(baseUrl), timeout, world.internet);
  const browser = await Browser.start(program, proxy.port, world.switches, world.limits);
  // Ending the browser rejects the commands that are still pending.
  timeout.addEventListener("abort", () => void browser.end());
  const observer = new PageObserver(baseUrl, settleMs);
  browser.onEvent = (method, params) => observer.onEvent(method, params);
  browser.onExcess = (excess) => observer.stop(excess);
  try {
    await navigate(browser, address, observer);
    await observer.done(timeout);
  } catch (error) {
    if (!observer.stopped) throw error;
  } finally {
    await browser.end();
    proxy.stop();
  }
  const { refusal, script, event, stopped } = observer;
  return { refusal, script, event, stopped };
}

/** Opens the page in an incognito context, which stores nothing on disk. */
async function navigate(browser: Browser, address: string, observer: PageObserver): Promise<void> {
  const { browserContextId } = await browser.send("Target.createBrowserContext", { disposeOnDetach: true });
  await browser.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const page = (method: string, params = {}) => browser.send(method, params, sessionId as string);
  await page("Network.enable");
  await page("Page.enable");
  const { userAgent } = await browser.send("Browser.getVersion");
  await page("Network.setUserAgentOverride", { userAgent: `${userAgent} (installation test; +${env().BASE_URL})` });
  // Not awaited, because it resolves only when the page responds.
  page("Page.navigate", { url: address })
    .then(({ errorText }) => errorText && observer.fail(`${errorText}`))
    .catch((error) => log.debug(describeError(error), "a page was left before its navigation ended"));
}

interface PageRequest {
  url: string;
  method: string;
  postData?: string;
}

const EVENT_PATH = /\/api\/(event|send)$/;
const LONGEST_EVENT = 64 * 1024;

/** Whether a body is an event of ours, of Plausible's script or of Umami's. */
function isEventBody(body: string): boolean {
  if (!body.startsWith("{") || body.length > LONGEST_EVENT) return false;
  try {
    const { domain, name, n, d, payload } = JSON.parse(body);
    return Boolean((domain && name) || (n && d) || payload?.website);
  } catch {
    return false;
  }
}

/** Finds the requests for the tracker script and its event among all requests of a page. */
class PageObserver {
  refusal: string | null = null;
  script: RequestOutcome = null;
  event: RequestOutcome = null;
  stopped: TestVisit["stopped"] = null;
  private readonly ids = new Map<string, "script" | "event">();
  private finish = () => {};
  private readonly finished = new Promise<void>((resolve) => {
    this.finish = resolve;
  });

  constructor(
    private readonly baseUrl: string,
    private readonly settleMs: number,
  ) {}

  onEvent(method: string, params: Record<string, unknown>): void {
    const id = params.requestId as string;
    if (method === "Network.requestWillBeSent") this.onRequest(id, params.request as PageRequest);
    else if (method === "Network.responseReceived") this.onOutcome(id, { status: statusIn(params) });
    else if (method === "Network.loadingFailed") this.onOutcome(id, { blocked: reasonIn(params) });
    else if (method === "Page.loadEventFired") setTimeout(this.finish, this.settleMs).unref();
    else if (method === "Inspector.targetCrashed") this.stop("crash");
  }

  private onRequest(id: string, { url, method, postData = "" }: PageRequest): void {
    // Browsers accept URLs that Node does not parse.
    const pathname = parseUrl(url)?.pathname ?? "";
    const isScript =
      method === "GET" &&
      /\/(script(\.full)?\.js|footfall\.mjs|umami\.js|js\/(script|plausible|pa-)[^/]*\.js)$/.test(pathname);
    // On the site's own domain, the address of events has any name.
    const isEvent = method === "POST" && (EVENT_PATH.test(pathname) || isEventBody(postData));
    const ours = url.startsWith(`${this.baseUrl}/`);
    if (isEvent && !this.event) this.ids.set(id, "event");
    else if (isScript && ours) this.ids.set(id, "script");
  }

  private onOutcome(id: string, outcome: RequestOutcome): void {
    const kind = this.ids.get(id);
    if (!kind) return;
    this[kind] ??= outcome;
    if (kind === "event") this.finish();
  }

  /** Records that the browser or its page was stopped. */
  stop(why: TestVisit["stopped"]): void {
    this.stopped ??= why;
    this.finish();
  }

  /** Records that the page could not be opened. */
  fail(reason: string): void {
    this.refusal = reason;
    this.finish();
  }

  /** Resolves when the event got a response, when none was sent for a while after the page loaded, or on timeout. */
  async done(timeout: AbortSignal): Promise<void> {
    if (timeout.aborted) return;
    timeout.addEventListener("abort", this.finish, { once: true });
    await this.finished;
  }
}

const statusIn = ({ response }: Record<string, unknown>): number => (response as { status: number }).status;

const reasonIn = ({ blockedReason, corsErrorStatus, errorText }: Record<string, unknown>): string =>
  `${blockedReason ?? (corsErrorStatus as { corsError?: string } | undefined)?.corsError ?? errorText ?? "failed"}`;

const EXCESSES: Record<NonNullable<TestVisit["stopped"]>, string> = {
  memory: "The page used too much memory",
  processes: "The page started too many processes",
  crash: "The page crashed",
};

/** Returns the findings of a browser visit, in addition to those in the HTML. */
export function findingsOfVisit({ refusal, script, event, stopped }: TestVisit): Finding[] {
  const used = finding(
    "browser_used",
    event && "status" in event ? `The event got the response ${event.status}` : null,
  );
  if (event) return [used, ...eventFindings(event)];
  if (stopped) {
    const fix =
      "Find the script or frame that uses so much, for example in the task manager of Chrome. If visitors need it, open the URL of the next test in your own browser while the test waits.";
    return [used, finding("page_too_heavy", EXCESSES[stopped], fix)];
  }
  if (refusal) {
    const fix =
      "Open the page in Chrome to see the error. The certificate or the server may be faulty, or the server blocks this browser.";
    return [used, finding("page_not_opened", refusal, fix)];
  }
  if (!script) {
    return [
      used,
      finding(
        "script_not_asked",
        null,
        "Make sure that the page served to visitors contains the tag, and that no cache or consent manager removes it.",
      ),
    ];
  }
  if ("blocked" in script) {
    const fix = "Allow this service in the page’s Content-Security-Policy, and make sure that its URL is reachable.";
    return [used, finding("script_blocked", script.blocked, fix)];
  }
  if (script.status >= 400)
    return [used, finding("script_blocked", `${script.status}`, "Use the snippet exactly as shown.")];
  return [used, finding("event_not_sent", null, "Check the browser console on that page for errors of the script.")];
}

function eventFindings(event: NonNullable<RequestOutcome>): Finding[] {
  if ("blocked" in event) {
    return [
      finding("csp_connect", event.blocked, "Allow this service in connect-src of the page’s Content-Security-Policy."),
    ];
  }
  if (event.status < 400) return [];
  return [
    finding(
      "event_refused",
      `${event.status}`,
      "Compare the snippet on the page with the one shown here, especially its data-domain or data-website-id.",
    ),
  ];
}
