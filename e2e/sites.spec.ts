import { looksRight } from "./support/faults";
import type { Server } from "./support/server";
import { counted, expect, test } from "./support/stories";

/** The list of sites of somebody with many of them. */

const SITES = 249;

/** Adds sites to the account that owns this one, in the database: by the form it would take minutes. */
async function addSites(server: Server, siteId: number): Promise<void> {
  await server.query(
    `WITH made AS (
       INSERT INTO site (name, timezone, public, user_key)
       SELECT 'Client ' || n, 'UTC', false, '' FROM generate_series(1, $2::int) AS n RETURNING id, name),
     domain AS (
       INSERT INTO site_domain (site_id, host, is_primary)
       SELECT id, translate(id::text, '0123456789', 'abcdefghij') || '.example', true FROM made)
     INSERT INTO membership (site_id, person_id, role)
     SELECT made.id, person_id, 'owner' FROM made, membership WHERE membership.site_id = $1`,
    [siteId, SITES],
  );
}

test("all of 250 sites can be reached: by page, by search, by the menu and by the command palette", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const first = await site(ann);
  await addSites(server, first.siteId);
  const card = (name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

  await page.goto("/sites");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(24);
  await looksRight(page, "many sites");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("Page 2 of 11")).toBeVisible();
  await page.goto("/sites?page=11");
  await expect(card("Client 249")).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Search your sites" });
  await search.fill("client 237");
  await search.press("Enter");
  await expect(card("Client 237")).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await search.fill("no such site");
  await search.press("Enter");
  await expect(page.getByText("None of your sites has “no such site” in its name or domains.")).toBeVisible();

  await page.goto("/sites?q=237");
  await card("Client 237").click();
  await expect(page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  const menu = page.getByRole("button", { name: "Site" });
  await expect(menu).toContainText("Client 237");
  await menu.click();
  await expect(page.getByRole("menuitem", { name: "Search all 250 sites" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: "A site, a report or a setting" }).fill("client 248");
  await page.getByRole("option", { name: /^Client 248/ }).click();
  await expect(menu).toContainText("Client 248");
});

test("a site whose numbers cannot be loaded says so on its card, and the other cards show theirs", async ({
  owner,
  site,
  server,
  visitor,
  web,
}) => {
  const ann = await owner();
  const { page } = ann;
  const [broken, sound] = [await site(ann), await site(ann)];
  const { page: visit } = await visitor();
  for (const { host } of [broken, sound]) await counted(visit, "pageview", () => visit.goto(web.at(host, "/")));
  const setZone = (zone: string) => server.query("UPDATE site SET timezone = $2 WHERE id = $1", [broken.siteId, zone]);
  await setZone("Nowhere/Nowhere");

  await page.goto("/sites");
  const card = (host: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: host });
  await expect(card(broken.host)).toContainText("Could not load.");
  await expect(card(sound.host)).toContainText("1visitors in 7 days");
  await looksRight(page, "a card that could not be loaded");
  await setZone("UTC");
  await card(broken.host).getByRole("button", { name: "Try again" }).click();
  await expect(card(broken.host)).toContainText("1visitors in 7 days");
});
