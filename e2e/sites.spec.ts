import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { postPageview } from "./support/events";
import { expect, headline, showAgain, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** The list of sites, and a dashboard with parts that fail to load. */

const SITES = 499;

/**
 * Adds sites to the owner of this site, in the database because the form would take minutes. For n up to 40, the n-th
 * site has n visitors today, and twice as many a week ago if n is even.
 */
async function addSites(server: Server, siteId: number): Promise<void> {
  await server.query("SELECT facts.add_month((now() - interval '8 days')::date), facts.add_month(now()::date)", []);
  await server.query(
    `WITH made AS (
       INSERT INTO site (name, timezone, public, user_key, created_at)
       SELECT 'Client ' || n, 'UTC', false, '', now() + n * interval '1 ms' FROM generate_series(1, $2::int) AS n RETURNING id, name),
     domain AS (
       INSERT INTO site_domain (site_id, host, is_primary)
       SELECT id, translate(id::text, '0123456789', 'abcdefghij') || '.example', true FROM made),
     visit AS (
       INSERT INTO facts.visit (started, visit_id, visitor_id, site_id, duration_ms, entry_page, exit_page, referrer,
         campaign, place, agent, pageviews, interactions, traffic)
       SELECT now() - week.days * interval '1 day', visitor, visitor, id, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1
       FROM (SELECT id, substr(name, 8)::int AS n FROM made) AS made, (VALUES (0, 1), (7, 2)) AS week (days, times),
         generate_series(1, CASE WHEN n > 40 OR (days = 7 AND n % 2 = 1) THEN 0 ELSE n * times END) AS visitor)
     INSERT INTO membership (site_id, person_id, role)
     SELECT made.id, person_id, 'owner' FROM made, membership WHERE membership.site_id = $1`,
    [siteId, SITES],
  );
}

const cards = (page: Page) => page.getByRole("main").getByRole("listitem");
const names = (page: Page) => cards(page).getByRole("heading").allTextContents();

test("all of 500 sites can be opened by pagination, search, menu and command palette", async ({
  siteOwner: { page, siteId },
  server,
}) => {
  await addSites(server, siteId);
  const card = (name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

  await page.goto("/sites");
  await expect(cards(page)).toHaveCount(24);
  expect((await names(page)).slice(0, 3)).toEqual(["Client 1", "Client 2", "Client 3"]);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("Page 2 of 21")).toBeVisible();
  await page.goto("/sites?page=21");
  await expect(card("Client 499")).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Search your sites" });
  await search.fill("client 237");
  await search.press("Enter");
  await expect(card("Client 237")).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await search.fill("no such site");
  await search.press("Enter");
  await expect(page.getByText("None of your sites has “no such site” in its name or domains.")).toBeVisible();
  await expectAccessible(page, "no site found");
  await page.getByRole("link", { name: "Show all sites" }).click();
  await expect(cards(page)).toHaveCount(24);

  await page.goto("/sites?q=237");
  await card("Client 237").click();
  await expect(page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  const menu = page.getByRole("button", { name: "Site" });
  await expect(menu).toContainText("Client 237");
  await menu.click();
  await expect(page.getByRole("menuitem", { name: "Search all 500 sites" })).toBeVisible();
  // A menu listens for Escape from when it has the focus.
  await expect(page.getByRole("menu")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);

  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: "A site, a report or a setting" }).fill("client 248");
  await page.getByRole("option", { name: /^Client 248/ }).click();
  await expect(menu).toContainText("Client 248");
});

test("sites are sorted across all pages and pinned by keyboard; a refused pin is reverted with an error", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId }, server }) => {
  await addSites(server, siteId);
  const sorts = page.getByRole("navigation", { name: "Sort sites by" });
  const card = (name: string) => cards(page).filter({ has: page.getByRole("link", { name, exact: true }) });

  await page.goto("/sites");
  await sorts.getByRole("link", { name: "Visitors" }).press("Enter");
  await expect(cards(page).first()).toContainText("Client 40");
  await expect(sorts.getByRole("link", { name: "Visitors" })).toHaveAttribute("aria-current", "true");
  expect((await names(page)).slice(0, 3)).toEqual(["Client 40", "Client 39", "Client 38"]);
  await expect(card("Client 40")).toContainText("40");
  await expect(card("Client 40")).toContainText("down 50%");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("Page 2 of 21")).toBeVisible();
  await expect(cards(page).first().getByRole("heading")).toHaveText("Client 16");
  await page.goto("/sites?sort=created");
  await expect(cards(page).first()).toContainText("Client 499");

  await page.goto("/sites?sort=visitors&page=2");
  const pin = page.getByRole("button", { name: "Pin Client 7", exact: true });
  await expect(pin).toHaveAttribute("aria-pressed", "false");
  await page.route("**/actions/sites.pin", (route) =>
    route.fulfill({ status: 403, json: { error: { code: "site_not_granted", message: "There is no such site." } } }),
  );
  await pin.press("Space");
  await expect(page.getByRole("region", { name: "Messages (F8)" })).toContainText("There is no such site.");
  await expect(pin).toHaveAttribute("aria-pressed", "false");
  await page.unrouteAll();

  await pin.press("Space");
  await expect(pin).toHaveCount(0);
  await page.goto("/sites");
  await expect(cards(page).first()).toContainText("Client 7");
  await expect(pin).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page, "a pinned site");
});

test("the card of a site shows its current visitors, and updates without rendering the page again", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const [busy, quiet] = [await site(ann), await site(ann)];
  const rendered: string[] = [];
  await page.goto("/sites");
  const card = (host: string) => cards(page).filter({ hasText: host });
  await expect(card(busy.host)).toContainText("visitors in the last 7 days");
  await expect(page.getByText(/ now$/)).toHaveCount(0);
  page.on("request", (request) => {
    if (request.headers().rsc !== undefined) rendered.push(request.url());
  });
  await postPageview(server, busy);
  await expect
    .poll(async () => {
      await showAgain(page);
      return card(busy.host).textContent();
    })
    .toContain("1 now");
  await expect(card(quiet.host)).not.toContainText("now");
  expect(rendered).toEqual([]);
  await page.goto("/sites?sort=live");
  await expect(cards(page).first()).toContainText(busy.host);
  const response = await page.request.get(`/sites/present?sites=${busy.siteId}`);
  expect(await response.json()).toEqual({ present: { [busy.siteId]: 1 } });
});

test("current visitors of other owners' sites are not revealed", async ({ siteOwner: shop, account: ann, server }) => {
  await postPageview(server, shop);
  const path = `/sites/present?sites=${shop.siteId}`;
  // Once its owner sees the visitor, nobody else does.
  await expect.poll(async () => (await shop.request.get(path)).json()).toEqual({ present: { [shop.siteId]: 1 } });
  expect(await (await ann.request.get(path)).json()).toEqual({ present: {} });
  expect((await fetch(server.url + path)).status).toBe(401);
});

test("a site whose numbers cannot be loaded shows an error on its card only", { tag: "@full" }, async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const [broken, sound] = [await site(ann), await site(ann)];
  for (const shop of [broken, sound]) await postPageview(server, shop);
  const setZone = (zone: string) => server.query("UPDATE site SET timezone = $2 WHERE id = $1", [broken.siteId, zone]);
  await setZone("Nowhere/Nowhere");

  await page.goto("/sites");
  const card = (host: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: host });
  await expect(card(broken.host)).toContainText("Could not load the numbers.");
  await expect(card(sound.host)).toContainText("1visitors in the last 7 days");
  await expectAccessible(page, "a card that could not be loaded");
  await setZone("UTC");
  await card(broken.host).getByRole("button", { name: "Try again" }).click();
  await expect(card(broken.host)).toContainText("1visitors in the last 7 days");
});

/** Changes the period by keyboard, and expects that the lists fail to load while the numbers stay. */
async function expectListsToFail(page: Page, reason: string): Promise<void> {
  // The toaster appears after hydration, when shortcuts work.
  await expect(page.getByRole("region", { name: "Messages (F8)" })).toBeAttached();
  await page.keyboard.press("w");
  await expect(page.getByText("Could not load the lists."), reason).toBeVisible();
  await expect(headline(page, "Visitors", "1")).toBeVisible();
}

test("lists that cannot be loaded show an error, the numbers stay, and a retry loads them", { tag: "@full" }, async ({
  dashboard,
}) => {
  const { page, siteId } = dashboard;
  const sources = page.getByRole("region", { name: "Sources" });
  for (const failing of ["responds with 500", "is unreachable"]) {
    await page.route("**/data/panels?*", (route) =>
      failing === "is unreachable"
        ? route.abort()
        : route.fulfill({ status: 500, json: { error: { code: "internal" } } }),
    );
    await page.goto(`/sites/${siteId}`);
    await expectListsToFail(page, failing);
    await expect(sources).toHaveCount(0);
    if (failing === "is unreachable") await expectAccessible(page, "lists that could not be loaded");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await expect(sources).toBeVisible();
    await expect(page.getByText("Could not load the lists.")).toHaveCount(0);
  }
});

test("a malformed response fails only its own part of the dashboard", { tag: "@full" }, async ({
  dashboard: { page },
}) => {
  await page.route("**/data/panels?*", (route) => route.fulfill({ json: { visitors: 1, goals: [] } }));
  await expectListsToFail(page, "malformed");
  await expect(page.getByRole("navigation", { name: "Reports" })).toBeVisible();
});
