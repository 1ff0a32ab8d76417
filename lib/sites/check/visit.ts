import pLimit from "p-limit";
import { env } from "@/lib/platform/env";
import { describeError, log } from "@/lib/platform/log";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { startGuardedProxy } from "@/lib/platform/outbound/proxy";
import { processWide } from "@/lib/platform/process-wide";
import { parseUrl } from "@/lib/platform/text";
import { Browser } from "@/lib/sites/check/browser";
import { type Finding, finding } from "@/lib/sites/check/findings";

/** What became of one request of a page: an HTTP status, or the word of what kept it from being made. */
type Fate = { status: number } | { blocked: string } | null;

/** What a browser saw when it opened a page. */
export interface Visit {
  /** Why the page itself could not be opened, in the browser's word; null when it could. */
  refusal: string | null;
  /** Whether the page asked for our script, and what came. */
  script: Fate;
  /** Whether it sent an event, and how that was answered. */
  event: Fate;
}

export interface Visited {
  /** Where Chromium is. */
  program: string;
  /** The page. */
  address: string;
  baseUrl: string;
  /** When it is ended, whatever it does. */
  deadlineMs?: number;
  /** Whether nobody waits for it any more: then it is not begun when its turn comes. */
  isOver?: () => boolean;
  /** So long after the page has loaded its event is waited for. */
  settleMs?: number;
  /** For tests. */
  internet?: Internet;
  switches?: readonly string[];
}

const DEADLINE_MS = 20_000;
const SETTLE_MS = 5_000;

/** A browser takes much memory: there is one at a time in this process, and who waits for it does so in turn. */
const one = processWide("browser-visits", () => pLimit(1));

/** Opens a page in a browser. @returns null when that was not done, which says nothing about the page. */
export function visit(visited: Visited): Promise<Visit | null> {
  return one(async () => {
    if (visited.isOver?.()) return null;
    return open(visited).catch((error) => {
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
}: Visited): Promise<Visit> {
  const over = AbortSignal.timeout(deadlineMs);
  const proxy = await startGuardedProxy(new URL(baseUrl), over, world.internet);
  const browser = await Browser.start(program, proxy.port, world.switches);
  // Whoever still waits for an answer of the browser hears that it is gone.
  over.addEventListener("abort", () => void browser.end());
  try {
    const watch = new Watch(baseUrl, settleMs);
    browser.onEvent = (method, params) => watch.hear(method, params);
    await begin(browser, address, watch);
    await watch.done(over);
    return { refusal: watch.refusal, script: watch.script, event: watch.event };
  } finally {
    await browser.end();
    proxy.stop();
  }
}

/** In a context that keeps nothing on disk. */
async function begin(browser: Browser, address: string, watch: Watch): Promise<void> {
  const { browserContextId } = await browser.send("Target.createBrowserContext", { disposeOnDetach: true });
  await browser.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const page = (method: string, params = {}) => browser.send(method, params, sessionId as string);
  await page("Network.enable");
  await page("Page.enable");
  const { userAgent } = await browser.send("Browser.getVersion");
  await page("Network.setUserAgentOverride", { userAgent: `${userAgent} (installation test; +${env().BASE_URL})` });
  // It answers when the page does, or not at all: nobody waits for it.
  page("Page.navigate", { url: address })
    .then(({ errorText }) => errorText && watch.refuse(`${errorText}`))
    .catch(() => {});
}

/** Listens for our script and its event among all that a page asks for. */
class Watch {
  refusal: string | null = null;
  script: Fate = null;
  event: Fate = null;
  private readonly ids = new Map<string, "script" | "event">();
  private finish = () => {};
  private readonly finished = new Promise<void>((resolve) => {
    this.finish = resolve;
  });

  constructor(
    private readonly baseUrl: string,
    private readonly settleMs: number,
  ) {}

  hear(method: string, params: Record<string, unknown>): void {
    const id = params.requestId as string;
    if (method === "Network.requestWillBeSent") this.begun(id, params.request as { url: string; method: string });
    else if (method === "Network.responseReceived") this.ended(id, { status: statusIn(params) });
    else if (method === "Network.loadingFailed") this.ended(id, { blocked: reasonIn(params) });
    else if (method === "Page.loadEventFired") setTimeout(this.finish, this.settleMs).unref();
    else if (method === "Inspector.targetCrashed") this.finish();
  }

  private begun(id: string, { url, method }: { url: string; method: string }): void {
    // What a browser takes for an address is not always one to us.
    const pathname = parseUrl(url)?.pathname ?? "";
    const isScript = method === "GET" && /\/(script(\.full)?\.js|footfall\.mjs)$/.test(pathname);
    const isEvent = method === "POST" && pathname.endsWith("/api/event");
    const ours = url.startsWith(`${this.baseUrl}/`);
    if (isEvent && !this.event) this.ids.set(id, "event");
    else if (isScript && ours) this.ids.set(id, "script");
  }

  private ended(id: string, fate: Fate): void {
    const which = this.ids.get(id);
    if (!which) return;
    this[which] ??= fate;
    if (which === "event") this.finish();
  }

  /** The page could not be opened. */
  refuse(word: string): void {
    this.refusal = word;
    this.finish();
  }

  /** Until its event was answered, or none came for a while after it had loaded, or the time is over. */
  async done(over: AbortSignal): Promise<void> {
    if (over.aborted) return;
    over.addEventListener("abort", this.finish, { once: true });
    await this.finished;
  }
}

const statusIn = ({ response }: Record<string, unknown>): number => (response as { status: number }).status;

const reasonIn = ({ blockedReason, corsErrorStatus, errorText }: Record<string, unknown>): string =>
  `${blockedReason ?? (corsErrorStatus as { corsError?: string } | undefined)?.corsError ?? errorText ?? "failed"}`;

/** What a visit adds to what stands in the page. */
export function findingsOf({ refusal, script, event }: Visit): Finding[] {
  const used = finding("browser_used", event && "status" in event ? `Its event was answered ${event.status}` : null);
  if (event) return [used, ...eventFindings(event)];
  if (refusal) {
    const fix =
      "Open the page in Chrome yourself: its certificate or its server is at fault, or lets no such visitor in.";
    return [used, finding("page_not_opened", refusal, fix)];
  }
  if (!script) {
    return [
      used,
      finding(
        "script_not_asked",
        null,
        "See that the tag reaches the page that visitors get, past caches and consent.",
      ),
    ];
  }
  if ("blocked" in script) {
    const fix = "Allow this service in the page’s Content-Security-Policy, and see that its address can be reached.";
    return [used, finding("script_blocked", script.blocked, fix)];
  }
  if (script.status >= 400)
    return [used, finding("script_blocked", `${script.status}`, "Use the snippet as it is given.")];
  return [
    used,
    finding("event_not_sent", null, "Look into the browser’s console on that page for what stops the script."),
  ];
}

function eventFindings(event: NonNullable<Fate>): Finding[] {
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
      "Compare the snippet with the one that is given, its data-domain above all.",
    ),
  ];
}
