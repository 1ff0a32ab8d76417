import { randomUUID } from "node:crypto";
import path from "node:path";
import {
  type APIRequestContext,
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { installationFor } from "@/lib/sites/installation";
import { type DnsServer, startDns } from "@/lib/testing/dns";
import { PASSWORD } from "@/lib/testing/password";
import { postPageview } from "./events";
import { forms } from "./forms";
import { type Server, startServer } from "./server";
import { startWeb, type Web } from "./web";

export { expect };

/** A signed-in owner. */
interface Account {
  /** Sends requests with the owner's session. */
  request: APIRequestContext;
  email: string;
  password: string;
}

/** A signed-in owner with their own browser context. */
export interface Owner extends Account {
  page: Page;
}

export interface OwnedSite {
  siteId: number;
  host: string;
  timezone: string;
  /** The HTML snippet of its installation guide. */
  snippet: string;
}

/** An event as a page sent it. */
export interface SentEvent {
  domain: string;
  name: string;
  url: string;
  path?: string;
  referrer?: string;
  title?: string;
  own?: boolean;
  automated?: boolean;
  event_id?: string;
  user_id?: string | null;
  interactive?: boolean;
  props?: Record<string, string>;
  revenue?: { amount: string | number; currency: string };
  engagement?: { ms: number; scroll: number };
  vitals?: Record<string, number>;
  client?: string;
}

/** A browser page and the events that it has sent so far. */
interface Visitor {
  page: Page;
  sent: SentEvent[];
}

export interface TestFixtures {
  /** Opens a page in a new browser context. */
  fresh(browser?: BrowserContextOptions): Promise<Page>;
  /** Opens a page in a reused browser context that was reset. Faster than `fresh`, because scripts are compiled. */
  open(): Promise<Page>;
  /** A new signed-in owner without a page. */
  account: Account;
  /** Creates a signed-in owner with a blank page. */
  owner(): Promise<Owner>;
  /** Adds a site and installs its snippet. */
  site(owner: Account, host?: string): Promise<OwnedSite>;
  /** A new owner, and their only site. */
  siteOwner: Owner & OwnedSite;
  /** The only site of `account`, for tests that open none of our pages. */
  shop: OwnedSite;
  visitor(browser?: BrowserContextOptions): Promise<Visitor>;
  /** Opens a page of a site in a new browser context and waits until the pageview is counted. */
  pageview(host: string, path?: string): Promise<Visitor>;
  /** Like `siteOwner`, with one counted pageview and the open dashboard, once numbers and lists are shown. */
  dashboard: Owner & OwnedSite;
}

export interface WorkerFixtures {
  /** The name server that the server uses. */
  dns: DnsServer;
  server: Server;
  web: Web;
  /** The browser of visitors: Chrome as people have it, which does not say that it is headless. */
  chrome: Browser;
  /** Reset pages of earlier tests, for `open`. */
  idlePages: Page[];
}

/** The server's secrets. Tests use them to sign links that only future emails would contain. */
export const SECRETS = `k1:${Buffer.alloc(32, 5).toString("base64")}`;

/** Addresses where tests may serve pages that the server fetches; other private addresses stay blocked. */
const TEST_WEB = {
  OUTBOUND_PRIVATE_CIDRS: "127.80.0.0/16",
  NODE_EXTRA_CA_CERTS: path.resolve("lib/testing/certificates/ca.pem"),
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  dns: [
    async ({ browserName: _ }, use) => {
      const dns = await startDns();
      await use(dns);
      await dns.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ dns, playwright }, use) => {
      const server = await startServer({ DNS_SERVERS: dns.address, APP_SECRETS: SECRETS, ...TEST_WEB });
      // The first account administers the service. The people of tests are others.
      const request = await playwright.request.newContext({ baseURL: server.url });
      await signUp(request, server);
      await request.dispose();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  web: [
    async ({ browserName: _ }, use) => {
      const web = await startWeb();
      await use(web);
      await web.stop();
    },
    { scope: "worker" },
  ],
  idlePages: [async ({ browserName: _ }, use) => use([]), { scope: "worker" }],
  chrome: [
    async ({ playwright, launchOptions }, use) => {
      const { CHROMIUM } = process.env;
      const program = CHROMIUM ? { executablePath: CHROMIUM } : { executablePath: undefined, channel: "chromium" };
      const chrome = await playwright.chromium.launch({ ...launchOptions, ...program });
      await use(chrome);
      await chrome.close();
    },
    { scope: "worker" },
  ],
  fresh: async ({ browser, server }, use) => {
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await browser.newPage({ baseURL: server.url, ...options });
      pages.push(page);
      return options?.javaScriptEnabled === false ? page : waitingForScripts(page);
    });
    for (const page of pages) await page.context().close();
  },
  // A browser that has compiled our scripts before shows a page in half the time of a new one.
  open: async ({ browser, server, idlePages }, use) => {
    const taken: Page[] = [];
    await use(async () => {
      const page = idlePages.pop() ?? waitingForScripts(await browser.newPage({ baseURL: server.url }));
      taken.push(page);
      return page;
    });
    for (const page of taken) {
      await reset(page);
      idlePages.push(page);
    }
  },
  account: async ({ playwright, server }, use) => {
    const request = await playwright.request.newContext({ baseURL: server.url });
    await use(await signUp(request, server));
    await request.dispose();
  },
  owner: async ({ open, server }, use) =>
    use(async () => {
      const page = await open();
      return { page, ...(await signUp(page.request, server)) };
    }),
  site: async ({ web, server, timezoneId: timezone = "UTC" }, use) =>
    use(async ({ request }, host = `shop-${randomUUID().slice(0, 8)}.example`) => {
      const siteId = await forms(request, server.url).addSite(host, timezone);
      const { snippet } = installationFor("html", { baseUrl: server.url, domain: host, name: host });
      web.install(host, snippet);
      return { siteId, host, timezone, snippet };
    }),
  siteOwner: async ({ owner, site }, use) => {
    const ann = await owner();
    await use({ ...ann, ...(await site(ann)) });
  },
  shop: async ({ site, account }, use) => use(await site(account)),
  visitor: async ({ chrome }, use) => {
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await chrome.newPage(options);
      pages.push(page);
      const sent: SentEvent[] = [];
      page.on("request", (request) => {
        if (isEventUrl(request.url())) sent.push(request.postDataJSON());
      });
      return { page, sent };
    });
    for (const page of pages) await page.context().close();
  },
  pageview: async ({ visitor, web }, use) =>
    use(async (host, path = "/") => {
      const opened = await visitor();
      await expectEvent(opened.page, "pageview", () => opened.page.goto(web.url(host, path)));
      return opened;
    }),
  dashboard: async ({ siteOwner, server }, use) => {
    const { page, siteId } = siteOwner;
    await postPageview(server, siteOwner);
    await page.goto(`/sites/${siteId}`);
    await expect(headline(page, "Visitors", "1")).toBeVisible();
    await expect(page.getByRole("region", { name: "Sources" })).toBeVisible();
    await use(siteOwner);
  },
});

const isEventUrl = (url: string) => new URL(url).pathname === "/api/event";

async function signUp(request: APIRequestContext, server: Server): Promise<Account> {
  const email = `${randomUUID()}@example.com`;
  await forms(request, server.url).signUp(email, server);
  return { request, email, password: PASSWORD };
}

/** Waits for idle time of a page, with a limit: Chromium may give a page that paints nothing none at all. */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForFunction(
    () => new Promise((resolve) => requestIdleCallback(() => resolve(true), { timeout: 5_000 })),
  );
}

/**
 * Lets a page wait, after each load, until its browser is idle: until React has hydrated the page, it may miss keys and
 * typed text.
 */
export function waitingForScripts(page: Page): Page {
  for (const load of ["goto", "reload", "goBack", "goForward", "waitForURL"] as const) {
    const loaded = page[load].bind(page) as (...given: unknown[]) => Promise<unknown>;
    Object.assign(page, {
      async [load](...given: unknown[]) {
        const response = await loaded(...given);
        await waitUntilIdle(page);
        return response;
      },
    });
  }
  return page;
}

/** Resets a page and its browser context to the state of a new one. */
async function reset(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of ["console", "dialog", "pageerror", "request"]) page.removeAllListeners(event);
  await page.unrouteAll();
  // Same origin, so that compiled scripts stay in memory, but a page without scripts.
  await page.goto("/api/health");
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await context.clearCookies();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "reduce" });
}

/** Runs `act` and waits until the event with this name is answered with 202, after which it is committed. */
export async function expectEvent(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  const answered = page.waitForResponse(
    (response) => isEventUrl(response.url()) && response.request().postDataJSON().name === name,
  );
  await act();
  expect((await answered).status()).toBe(202);
}

/** Waits for an email to an address that matches the pattern. @returns the pattern's first group in the newest one */
export async function findInEmail(server: Server, to: string, pattern: RegExp): Promise<string> {
  const find = () =>
    server
      .emails(to)
      .flatMap((email) => pattern.exec(email)?.[1] ?? [])
      .at(-1);
  await expect.poll(find).toBeTruthy();
  return find() ?? "";
}

/** Stops the clock of an open page in which `page.clock` is installed. */
export const stopTime = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);

/** Lets an open page fetch what is new, as when its tab is shown again, instead of at its next interval. */
export const showAgain = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** Locator of a headline number of the dashboard, by label and value. */
export const headline = (page: Page, label: string, value: string) =>
  page.getByRole("button", { name: new RegExp(`^${label} ${value}(?![\\d.,])`) });
