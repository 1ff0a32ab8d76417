import type { Page } from "@playwright/test";
import { METRICS } from "@/lib/contract/vocabulary";
import { ERRORS } from "@/lib/platform/errors";
import { expect, stopTime, test } from "./support/fixtures";
import { look, recordViolations, type Shown } from "./support/looking";

/** The documentation, without an account. */

/** One page of each kind. */
const PAGES = [
  "/docs",
  "/docs/privacy",
  "/docs/search?q=goal",
  "/docs/tracker",
  "/docs/api",
  "/docs/api/analytics.overview",
];

/** The other articles. */
const ARTICLES = [
  "/docs/reports",
  "/docs/goals",
  "/docs/funnels",
  "/docs/filters",
  "/docs/sharing",
  "/docs/stored-data",
  "/docs/data-processing",
  "/docs/events-api",
  "/docs/own-domain",
  "/docs/measurement-protocol",
  "/docs/proxies",
  "/docs/agents",
  "/docs/identity",
  "/docs/metrics",
  "/docs/export",
  "/docs/webhooks",
];

/** The operation ids of /openapi.json, which the pages must list. */
async function operations(page: Page): Promise<string[]> {
  const { paths } = await (await page.request.get("/openapi.json")).json();
  return Object.keys(paths).flatMap((path) => /\/actions\/(.+)$/.exec(path)?.[1] ?? []);
}

const shown = (paths: string[]) => paths.map((path): Shown => [path, /\w/]);

test("a page of each kind is accessible, does not scroll sideways on a phone and violates no policy", async ({
  open,
}) => look(await open(), shown(PAGES)));

test(
  "each article is accessible, does not scroll sideways on a phone and violates no policy",
  {
    tag: "@full",
  },
  async ({ open }) => look(await open(), shown(ARTICLES)),
);

test("the landing page links to the docs, which list every operation, error and metric", async ({ open }) => {
  const page = await open();
  await page.goto("/");
  await page.getByRole("link", { name: "Docs", exact: true }).click();
  await page.getByRole("link", { name: "Metrics", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Metrics" })).toBeVisible();
  for (const { label } of Object.values(METRICS))
    await expect(page.getByRole("heading", { name: label })).toHaveCount(1);
  await page.getByRole("link", { name: "API reference" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
  const named = await page.evaluate(() =>
    [...document.querySelectorAll("[id]")].filter((part) => part.checkVisibility()).map(({ id }) => id),
  );
  const codes = Object.keys(ERRORS).map((code) => `error-${code}`);
  expect(named).toEqual(expect.arrayContaining([...(await operations(page)), ...codes]));
  await page.getByRole("link", { name: "sites.domains.add" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Add a domain" })).toBeVisible();
  await page.getByRole("link", { name: "422 domain_taken" }).click();
  await expect(page.locator("#error-domain_taken")).toBeInViewport();
});

test("the reference is searched while typing, and lists everything without JavaScript", { tag: "@full" }, async ({
  open,
  fresh,
}) => {
  const page = await open();
  await page.goto("/docs/api");
  const all = (await operations(page)).length;
  await page.getByRole("searchbox", { name: "Find an operation" }).fill("interval");
  await expect(page.getByText(`1 of ${all} operations`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "analytics.chart" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "sites.list" })).toBeHidden();

  const plain = await fresh({ javaScriptEnabled: false });
  await plain.goto("/docs/api");
  await expect(plain.getByText(`${all} operations`)).toBeVisible();
  await expect(plain.getByRole("heading", { name: "sites.list" })).toBeVisible();
});

test("examples in the docs contain this server's URL, on the page and when copied", { tag: "@full" }, async ({
  fresh,
  server,
}) => {
  const page = await fresh({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.clock.install();
  for (const [path, what, address] of [
    ["/docs/events-api", "the call", "/api/event"],
    ["/docs/tracker", "the HTML snippet", "/script.js"],
    ["/docs/api/sites.list", "the example request of sites.list", "/api/v1/management/actions/sites.list"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(server.url + address).first()).toBeVisible();
    await expect(page.getByText("footfall.example")).toHaveCount(0);
    const button = page.getByRole("button", { name: `Copy ${what}`, exact: true });
    // Time stands still, because the result is shown for two seconds only.
    await stopTime(page);
    await button.click();
    await expect(button).toHaveText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText()), path).toContain(server.url + address);
    await page.clock.runFor(2_000);
    await expect(button).toHaveText("Copy");
    await page.clock.resume();
  }
});

test("the chosen theme stays, and no page is rendered otherwise in the browser because of it", async ({ open }) => {
  const page = await open();
  const violations = recordViolations(page);
  const theme = page.getByRole("button", { name: /^Theme/ });
  await page.goto("/");
  await theme.click();
  await theme.click();
  await expect(theme).toHaveAccessibleName("Theme: dark. Change");
  for (const path of ["/docs", "/docs/api", "/", "/login", "/share/none.example", "/nope", "/docs/nope"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("html"), path).toContainClass("dark");
  }
  expect(violations).toEqual([]);
});

test("openapi.json and llms.txt are public for any origin and cached for five minutes", async ({ open }) => {
  const { request } = await open();
  for (const [path, type] of [
    ["/openapi.json", "application/json"],
    ["/llms.txt", "text/plain; charset=utf-8"],
    ["/llms-full.txt", "text/plain; charset=utf-8"],
    ["/docs/agents.md", "text/markdown; charset=utf-8"],
    ["/docs/api/sites.list.md", "text/markdown; charset=utf-8"],
  ] as const) {
    const answer = await request.get(path, { headers: { origin: "https://elsewhere.example" } });
    expect(answer.status(), path).toBe(200);
    expect(answer.headers(), path).toMatchObject({
      "content-type": type,
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    });
  }
});

test("each link of llms.txt answers, and each link of the pages it leads to", { tag: "@full" }, async ({ open }) => {
  const { request } = await open();
  const linksOf = (text: string) =>
    [...text.matchAll(/\]\((\/[^)#\s]*)/g)].map(([, link]) => `${link}`).filter((link) => link !== "/");
  const seen = new Set<string>();
  const waiting = ["/llms.txt"];
  for (const path of waiting) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(200);
    if (path.endsWith(".json")) continue;
    const text = await answer.text();
    expect(text, path).toMatch(/^# /);
    waiting.push(...linksOf(text));
  }
  expect(seen.size).toBeGreaterThan((await operations(await open())).length + 10);
  const missing = await request.get("/docs/api/sites.nothing.md");
  expect([missing.status(), missing.headers()["content-type"]]).toEqual([404, "text/markdown; charset=utf-8"]);
});
