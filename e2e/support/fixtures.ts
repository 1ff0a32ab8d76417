import { randomUUID } from "node:crypto";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { type DnsServer, startDns } from "@/lib/testing/dns";
import { forms } from "./forms";
import { type Server, startServer } from "./server";
import { startWeb, type Web } from "./web";

export { expect };

/** An owner, signed in, in a browser of their own. */
export interface Owner {
  page: Page;
  email: string;
  password: string;
}

export interface OwnedSite {
  siteId: number;
  host: string;
  /** The line that the installation page gives. */
  snippet: string;
}

/** An event as a page sent it. */
export interface Sent {
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

/** A browser and the events that its pages have sent so far. */
export interface Visitor {
  page: Page;
  sent: Sent[];
}

export interface Stories {
  /** A page in a browser that nobody has used, and that nobody will. */
  fresh(browser?: BrowserContextOptions): Promise<Page>;
  /** A page in a browser in which nothing is left of those who used it. */
  open(): Promise<Page>;
  /** Their page is blank: a story begins where it wants to. */
  owner(): Promise<Owner>;
  /** Adds a site and puts its snippet on it. */
  site(owner: Owner, host?: string): Promise<OwnedSite>;
  /** A site of the keeper's with the snippet on it. */
  shop: OwnedSite;
  visitor(browser?: BrowserContextOptions): Promise<Visitor>;
}

export interface Machines {
  /** The only name server that the server asks. */
  dns: DnsServer;
  server: Server;
  web: Web;
  /** The owner of the sites of stories that are not about owners. */
  keeper: Owner;
  /** Browsers that earlier stories have left, and nothing of these in them. */
  seats: Page[];
}

/** What the server signs with: an address that only a letter of next week would hold is made by the story itself. */
export const SECRETS = `k1:${Buffer.alloc(32, 5).toString("base64")}`;

/** Where stories may have a web of their own on the ports that pages are read from; 127.0.0.1 stays out of reach. */
const OWN_WEB = { OUTBOUND_PRIVATE_CIDRS: "127.80.0.0/16" };

export const test = base.extend<Stories, Machines>({
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
      const server = await startServer({ DNS_SERVERS: dns.address, APP_SECRETS: SECRETS, ...OWN_WEB });
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
  keeper: [
    async ({ browser, server }, use) => {
      const context = await browser.newContext({ baseURL: server.url });
      await use(await signUp(await context.newPage(), server));
      await context.close();
    },
    { scope: "worker" },
  ],
  seats: [async ({ browserName: _ }, use) => use([]), { scope: "worker" }],
  fresh: async ({ browser, server }, use) => {
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await browser.newPage({ baseURL: server.url, ...options });
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
  // A browser that has our pages' scripts compiled shows the next page in half the time of a new one.
  open: async ({ browser, server, seats }, use) => {
    const taken: Page[] = [];
    await use(async () => {
      const page = seats.pop() ?? (await browser.newPage({ baseURL: server.url }));
      taken.push(page);
      return page;
    });
    for (const page of taken) {
      if (page.isClosed()) continue;
      await leave(page);
      seats.push(page);
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
  shop: async ({ site, keeper }, use) => use(await site(keeper)),
  visitor: async ({ fresh }, use) =>
    use(async (browser) => {
      const page = await fresh(browser);
      const sent: Sent[] = [];
      page.on("request", (request) => {
        if (isEvent(request.url())) sent.push(request.postDataJSON());
      });
      return { page, sent };
    }),
});

const isEvent = (url: string) => new URL(url).pathname === "/api/event";

async function signUp(page: Page, server: Server): Promise<Owner> {
  const owner = { page, email: `${randomUUID()}@example.com`, password: `long enough ${randomUUID()}` };
  await forms(page.request, server.url).signUp(owner, server);
  return owner;
}

/** Takes all that a story has brought into a browser out of it: the next finds it as a new one. */
async function leave(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of ["console", "dialog"]) page.removeAllListeners(event);
  await page.unrouteAll();
  // Ours too, so that what holds the scripts goes on; but without any of them.
  await page.goto("/api/health");
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await context.clearCookies();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "no-preference" });
}

/** Does something, and waits until the event it leads to is answered: by then it is committed. */
export async function counted(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  const answered = page.waitForResponse(
    (response) => isEvent(response.url()) && response.request().postDataJSON().name === name,
  );
  await act();
  expect((await answered).status()).toBe(202);
}

/** Waits for a letter to someone, and takes what it is to be found by out of it: its first group. */
export async function fromLetter(server: Server, to: string, pattern: RegExp): Promise<string> {
  const find = () =>
    server
      .letters(to)
      .flatMap((letter) => pattern.exec(letter)?.[1] ?? [])
      .at(-1);
  await expect.poll(find).toBeTruthy();
  return find() ?? "";
}

/** One of the dashboard's headline numbers. */
export const headline = (page: Page, label: string, value: string) =>
  page.getByRole("button", { name: new RegExp(`^${label} ${value}(?![\\d.,])`) });
