import { randomUUID } from "node:crypto";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { type DnsServer, startDns } from "@/lib/testing/dns";
import { PASSWORD } from "@/lib/testing/password";
import { forms } from "./forms";
import { type Server, startServer } from "./server";
import { startWeb, type Web } from "./web";

export { expect };

/** A signed-in owner with their own browser context. */
export interface Owner {
  page: Page;
  email: string;
  password: string;
}

export interface OwnedSite {
  siteId: number;
  host: string;
  /** The snippet that the installation page shows. */
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
  /** Creates a signed-in owner with a blank page. */
  owner(): Promise<Owner>;
  /** Adds a site and installs its snippet. */
  site(owner: Owner, host?: string): Promise<OwnedSite>;
  /** A new owner, and their only site. */
  siteOwner: Owner & OwnedSite;
  /** A site of `sharedOwner` with the snippet installed. */
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
  /** An owner that all tests of the worker share. */
  sharedOwner: Owner;
  /** Reset pages of earlier tests, for `open`. */
  idlePages: Page[];
}

/** The server's secrets. Tests use them to sign links that only future emails would contain. */
export const SECRETS = `k1:${Buffer.alloc(32, 5).toString("base64")}`;

/** Addresses where tests may serve pages that the server fetches; other private addresses stay blocked. */
const TEST_WEB = { OUTBOUND_PRIVATE_CIDRS: "127.80.0.0/16" };

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
    async ({ dns }, use) => {
      const server = await startServer({ DNS_SERVERS: dns.address, APP_SECRETS: SECRETS, ...TEST_WEB });
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
  sharedOwner: [
    async ({ browser, server }, use) => {
      const context = await browser.newContext({ baseURL: server.url });
      await use(await signUp(await context.newPage(), server));
      await context.close();
    },
    { scope: "worker" },
  ],
  idlePages: [async ({ browserName: _ }, use) => use([]), { scope: "worker" }],
  fresh: async ({ browser, server }, use) => {
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await browser.newPage({ baseURL: server.url, ...options });
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
  // A browser that has compiled our scripts before shows a page in half the time of a new one.
  open: async ({ browser, server, idlePages }, use) => {
    const taken: Page[] = [];
    await use(async () => {
      const page = idlePages.pop() ?? (await browser.newPage({ baseURL: server.url }));
      taken.push(page);
      return page;
    });
    for (const page of taken) {
      if (page.isClosed()) continue;
      await reset(page);
      idlePages.push(page);
    }
  },
  owner: async ({ open, server }, use) => use(async () => signUp(await open(), server)),
  site: async ({ web, server }, use) =>
    use(async (owner, host = `shop-${randomUUID().slice(0, 8)}.example`) => {
      const owned = forms(owner.page.request, server.url);
      const siteId = await owned.addSite(host);
      const snippet = await owned.snippet(siteId);
      web.install(host, snippet);
      return { siteId, host, snippet };
    }),
  siteOwner: async ({ owner, site }, use) => {
    const ann = await owner();
    await use({ ...ann, ...(await site(ann)) });
  },
  shop: async ({ site, sharedOwner }, use) => use(await site(sharedOwner)),
  visitor: async ({ fresh }, use) =>
    use(async (browser) => {
      const page = await fresh(browser);
      const sent: SentEvent[] = [];
      page.on("request", (request) => {
        if (isEventUrl(request.url())) sent.push(request.postDataJSON());
      });
      return { page, sent };
    }),
  pageview: async ({ visitor, web }, use) =>
    use(async (host, path = "/") => {
      const opened = await visitor();
      await expectEvent(opened.page, "pageview", () => opened.page.goto(web.url(host, path)));
      return opened;
    }),
  dashboard: async ({ siteOwner, pageview }, use) => {
    const { page, siteId, host } = siteOwner;
    await pageview(host);
    await page.goto(`/sites/${siteId}`);
    await expect(headline(page, "Visitors", "1")).toBeVisible();
    await expect(page.getByRole("region", { name: "Sources" })).toBeVisible();
    await use(siteOwner);
  },
});

const isEventUrl = (url: string) => new URL(url).pathname === "/api/event";

async function signUp(page: Page, server: Server): Promise<Owner> {
  const email = `${randomUUID()}@example.com`;
  await forms(page.request, server.url).signUp(email, server);
  return { page, email, password: PASSWORD };
}

/** Resets a page and its browser context to the state of a new one. */
async function reset(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of ["console", "dialog"]) page.removeAllListeners(event);
  await page.unrouteAll();
  // Same origin, so that compiled scripts stay in memory, but a page without scripts.
  await page.goto("/api/health");
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await context.clearCookies();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "no-preference" });
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

/** Locator of a headline number of the dashboard, by label and value. */
export const headline = (page: Page, label: string, value: string) =>
  page.getByRole("button", { name: new RegExp(`^${label} ${value}(?![\\d.,])`) });
