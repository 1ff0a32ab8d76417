import { counted, expect, headline, test } from "./support/stories.ts";

test("from sign up to the first number", async ({ owner, site, visitor, web }) => {
  const ann = await owner();
  const shop = await site(ann, "shop.example");
  const waiting = ann.page.getByRole("status");
  await expect(waiting).toContainText("Waiting for the first event");

  const { page } = await visitor();
  web.install("news.example", "");
  await page.goto(web.at("news.example", `/?to=${web.at(shop.host)}`));
  await counted(page, "pageview", () => page.getByRole("link", { name: "Read on" }).click());
  await expect(waiting).toContainText("The first event has arrived");
  await ann.page.getByRole("link", { name: "Open the dashboard" }).click();
  await expect(headline(ann.page, "Pageviews", "1")).toBeVisible();

  await counted(page, "pageview", () => page.getByRole("link", { name: "Products" }).click());
  await expect(headline(ann.page, "Pageviews", "2")).toBeVisible();
  await counted(page, "pageview", () => page.getByRole("link", { name: "About us" }).click());
  await ann.page.reload();
  const soon = { timeout: 2_000 };
  await expect(headline(ann.page, "Pageviews", "3")).toBeVisible(soon);
  await expect(headline(ann.page, "Visitors", "1")).toBeVisible(soon);
  await expect(headline(ann.page, "Visits", "1")).toBeVisible(soon);
  const pages = ann.page.getByRole("region", { name: "Pages" });
  for (const path of ["/", "/products", "/about"]) await expect(pages.getByRole("row", { name: path })).toBeVisible(soon);
  const sources = ann.page.getByRole("region", { name: "Sources" });
  await expect(sources.getByRole("row", { name: "news.example" })).toBeVisible(soon);
});
