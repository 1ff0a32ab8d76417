import { randomUUID } from "node:crypto";
import { devices, type Page } from "@playwright/test";
import { untilReported } from "./support/events";
import { expect, expectEvent, findInEmail, headline, test } from "./support/fixtures";
import { press, tabTo } from "./support/keyboard";
import type { Server } from "./support/server";

/** Signs up and adds a site with the keyboard. @returns the snippet of the installation page */
async function signUpAndAddSite(page: Page, server: Server, host: string): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await page.goto("/signup");
  await tabTo(page, page.getByLabel("Email", { exact: true }));
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toContainText("Ask the operator for the link");
  await page.goto(await findInEmail(server, email, /(http:\/\/\S+\/signup\/\S+)/));
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(`long enough ${randomUUID()}`);
  await page.keyboard.press("Enter");
  await page.waitForURL("/sites");
  await press(page, page.getByRole("main").getByRole("link", { name: /^Add/ }));
  await tabTo(page, page.getByLabel("Domain"));
  await page.keyboard.type(host);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sites\/\d+\/install$/);
  await expect(page.getByRole("banner").getByText(host)).toBeVisible();
  return (await page.getByRole("tabpanel").first().getByRole("code").textContent()) ?? "";
}

test("from sign-up to the first pageview with the keyboard only", async ({ open, server, visitor, web }) => {
  const ann = { page: await open() };
  const shop = { host: `shop-${randomUUID()}.example` };
  web.install(shop.host, await signUpAndAddSite(ann.page, server, shop.host));
  const waiting = ann.page.getByRole("status");
  await expect(waiting).toContainText("Waiting for the first event");

  const { page } = await visitor();
  await page.goto(web.url("news.example", `/?to=${web.url(shop.host)}`));
  await expectEvent(page, "pageview", () => page.getByRole("link", { name: "Read on" }).click());
  await expect(waiting).toContainText("The first event has arrived");
  await press(ann.page, ann.page.getByRole("link", { name: "Open the dashboard" }));
  await expect(headline(ann.page, "Pageviews", "1")).toBeVisible();

  // An open dashboard updates by itself.
  await expectEvent(page, "pageview", () => page.getByRole("link", { name: "Products" }).click());
  await expect(headline(ann.page, "Pageviews", "2")).toBeVisible();

  await expectEvent(page, "pageview", () => page.getByRole("link", { name: "About us" }).click());
  await ann.page.reload();
  await expect(headline(ann.page, "Pageviews", "3")).toBeVisible();
  await expect(headline(ann.page, "Visitors", "1")).toBeVisible();
  await expect(headline(ann.page, "Visits", "1")).toBeVisible();
  const pages = ann.page.getByRole("region", { name: "Pages" });
  for (const path of ["/", "/products", "/about"]) await expect(pages.getByText(path, { exact: true })).toBeVisible();
  await expect(ann.page.getByRole("region", { name: "Sources" }).getByText("news.example")).toBeVisible();
});

test("a headless browser is classified as suspicious and not counted as human", { tag: "@full" }, async ({
  siteOwner: shop,
  visitor,
  web,
}) => {
  const { page } = shop;
  const robot = await visitor({ userAgent: devices["Desktop Chrome"].userAgent.replace("Chrome/", "HeadlessChrome/") });
  await expectEvent(robot.page, "pageview", () => robot.page.goto(web.url(shop.host)));
  await page.goto(`/sites/${shop.siteId}`);
  await expect(headline(page, "Visitors", "0")).toBeVisible();

  await page.getByRole("button", { name: "Traffic: Human visitors" }).click();
  await page.getByRole("menuitemradio", { name: "Suspicious" }).click();
  await expect(headline(page, "Visitors", "1")).toBeVisible();
  await expect(headline(page, "Pageviews", "1")).toBeVisible();

  const person = await visitor();
  await expectEvent(person.page, "pageview", () => person.page.goto(web.url(shop.host)));
  await untilReported(page, shop.siteId, 1);
  await page.goto(`/sites/${shop.siteId}`);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
});
