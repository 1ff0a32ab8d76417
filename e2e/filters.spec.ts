import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { postEvent } from "./support/events";
import { expect, headline, type OwnedSite, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** Visitors and their pages. The language is mapped to a country, because local IP addresses have no location. */
const READERS = [
  { user_id: "ann", language: "de", paths: ["/", "/prices"] },
  { user_id: "bob", language: "de", paths: ["/"] },
  { user_id: "cid", language: "en", paths: ["/about"] },
];

async function sendPageviews(server: Server, shop: OwnedSite): Promise<void> {
  for (const { paths, ...reader } of READERS)
    for (const path of paths)
      await postEvent(server, shop, { name: "pageview", url: `https://${shop.host}${path}`, ...reader });
  await server.query(
    "UPDATE facts.place SET country = CASE language WHEN 'de' THEN 'DE' ELSE 'US' END WHERE site_id = $1",
    [shop.siteId],
  );
}

const shows = async (page: Page, visitors: number, pageviews: number) => {
  await expect(headline(page, "Visitors", `${visitors}`)).toBeVisible();
  await expect(headline(page, "Pageviews", `${pageviews}`)).toBeVisible();
};

test("filters by click, keyboard, map, details dialog and segment narrow the dashboard, and can be removed", async ({
  siteOwner: shop,
  server,
}) => {
  const { page } = shop;
  await sendPageviews(server, shop);
  await page.goto(`/sites/${shop.siteId}`);
  await shows(page, 3, 4);
  const points = page.getByRole("slider", { name: "Visitors by day" });
  await points.press("Home");
  await points.press("ArrowRight");
  await expect(points).toHaveAttribute("aria-valuetext", /: 0;/);
  await points.press("End");
  await expect(points).toHaveAttribute("aria-valuetext", /: 3, still counting;/);
  await expect(page.getByText("Still counting")).toBeVisible();

  const germany = page.getByRole("region", { name: "Locations" }).getByRole("link", { name: "Germany" });
  const chips = page.getByRole("region", { name: "Filters" });
  await germany.click();
  await shows(page, 2, 3);
  await expect(chips.getByRole("listitem")).toHaveText(["Country is Germany"]);
  await expect(germany).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("region", { name: "Pages" }).getByText("/about")).toHaveCount(0);

  await chips.getByRole("link", { name: "is, invert" }).click();
  await shows(page, 1, 1);
  // The URL contains the view.
  await page.reload();
  await shows(page, 1, 1);
  await expect(chips.getByRole("listitem")).toHaveText(["Country is not Germany"]);
  await expectAccessible(page, "a filtered dashboard");

  await page.keyboard.press("Escape");
  await shows(page, 3, 4);
  await expect(chips).toHaveCount(0);

  // By keyboard only: field, operator, value.
  await page.keyboard.press("f");
  await expect(page.getByRole("dialog").getByLabel("Dimension")).toBeFocused();
  await page.keyboard.type("Count");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("germ");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText(["Germany2"]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove Germany" })).toBeVisible();
  await expectAccessible(page, "details");
  await page.keyboard.press("Enter");
  await shows(page, 2, 3);
  await page.getByRole("link", { name: "Clear all" }).click();
  await shows(page, 3, 4);

  // A click on a country of the map filters like its row. The centre of Germany's box is inside Germany.
  await page.getByRole("tab", { name: "Map" }).click();
  await page.locator("[data-code=DE]").click();
  await shows(page, 2, 3);
  await page.locator("[data-code=DE]").click();
  await shows(page, 3, 4);

  // By keyboard, the map is one tab stop; arrow keys go to the country with the next most visitors.
  const map = page.getByRole("group", { name: /^World map/ });
  const states = map.getByRole("button", { name: /^United States, 1 visitor,/ });
  await expect(states).toBeVisible();
  await page.getByRole("tab", { name: "Map" }).focus();
  await page.keyboard.press("Tab");
  await expect(map.getByRole("button", { name: /^Germany, 2 visitors/ })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(states).toBeFocused();
  await expectAccessible(page, "the map");
  await page.keyboard.press("Enter");
  await shows(page, 1, 1);
  await expect(states).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press(" ");
  await shows(page, 3, 4);
  await page.getByRole("tab", { name: "Countries" }).click();

  // Details dialog with search. Back closes it.
  await page.getByRole("link", { name: "Details of Countries" }).click();
  const details = page.getByRole("dialog", { name: "Country" });
  // The visit duration is the time that the requests took.
  await expect(details.getByRole("row")).toHaveText([/^Country/, /^Germany22350%\d+s$/, "United States111100%0s"]);
  await expectAccessible(page, "the details dialog");
  const country = details.getByRole("columnheader", { name: "Country" });
  for (const direction of ["ascending", "descending"]) {
    await country.getByRole("button").click();
    await expect(country).toHaveAttribute("aria-sort", direction);
  }
  await expect(details.getByRole("rowheader")).toHaveText(["United States", "Germany"]);
  await details.getByRole("searchbox").fill("united");
  await expect(details.getByRole("row")).toHaveCount(2);
  await page.goBack();
  await expect(details).toHaveCount(0);
  await page.goForward();
  await details.getByRole("button", { name: "United States" }).click();
  await expect(details).toHaveCount(0);
  await shows(page, 1, 1);

  await page.getByRole("button", { name: "Save as segment" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Overseas");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Segment: Overseas" })).toBeVisible();
  await expect(chips).toHaveCount(0);
  await shows(page, 1, 1);
  await page.getByRole("button", { name: "Segment: Overseas" }).click();
  await page.getByRole("menuitemradio", { name: "No segment" }).click();
  await shows(page, 3, 4);

  await page.goto(`/sites/${shop.siteId}?filters[moon]=full`);
  await expect(page.getByRole("alert").filter({ hasText: "The filter “moon” is not known." })).toBeVisible();
  await page.getByRole("link", { name: "Show without filters" }).click();
  await shows(page, 3, 4);
});

test("a filter by a product has its name: as a chip on days without it, among the suggestions, and as a saved segment", async ({
  siteOwner: shop,
  server,
}) => {
  const { page, siteId } = shop;
  await sendPageviews(server, shop);
  const props = { product_id: "sku-17", name: "Green tea" };
  await postEvent(server, shop, { name: "product_viewed", url: `https://${shop.host}/tea`, user_id: "ann", props });
  const chips = page.getByRole("region", { name: "Filters" }).getByRole("listitem");
  await page.goto(`/sites/${siteId}/reports/commerce`);
  await page.getByRole("link", { name: "Green tea" }).first().click();
  await expect(chips).toHaveText(["Product is Green tea"]);
  await page.goto(`${page.url()}&period=yesterday`);
  await expect(chips).toHaveText(["Product is Green tea"]);

  await page.goto(`/sites/${siteId}`);
  await page.keyboard.press("f");
  await page.getByRole("dialog").getByLabel("Dimension").selectOption("product");
  await page.getByRole("dialog").getByRole("combobox", { name: "Value" }).fill("green");
  await page.getByRole("listbox").getByRole("option", { name: "Green tea" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await expect(chips).toHaveText(["Product is Green tea"]);
  await expect(page).toHaveURL(/sku-17/);
  await page.getByRole("button", { name: "Save as segment" }).click();
  await expect(page.getByRole("dialog")).toContainText("Product is Green tea");
});

test("by keyboard the range is changed, comparison is turned off, the shortcuts are listed and a report is opened", async ({
  siteOwner: { page, siteId },
}) => {
  await page.goto(`/sites/${siteId}`);
  await expect(page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  await page.keyboard.press("w");
  await expect(page).toHaveURL(/period=7d/);
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/period=yesterday/);
  await page.keyboard.press("x");
  await expect(page).toHaveURL(/compare=none/);

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys.getByText("Last 12 months")).toBeVisible();
  await keys.getByRole("checkbox").press("Space");
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("retention report");
  await expect(palette.getByRole("option")).toHaveText(["RetentionReport"]);
  await page.keyboard.press("Enter");
  // Keeps the range and the comparison.
  await expect(page).toHaveURL(`/sites/${siteId}/reports/retention?period=yesterday&compare=none`);
  await expect(page.getByRole("heading", { level: 1, name: "Retention" })).toBeVisible();

  // The docs are separate documents with their own scripts.
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("api reference");
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox", { name: "Find an operation" }).fill("interval");
  await expect(page.getByText(/^1 of \d+ operations$/)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Retention" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
});
