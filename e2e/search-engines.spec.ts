import { DAY_MS } from "@/lib/platform/durations";
import { type Search, searchProviderServer } from "@/lib/testing/search-provider";
import { expectAccessible } from "./support/accessibility";
import { expect, test } from "./support/fixtures";
import { forms } from "./support/forms";
import { startServer } from "./support/server";

/** Connecting a site to a search engine on its page, with a provider that speaks the documented protocol. */

const HOST = "garden-shop.example";
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Two weeks of searches, which end three days ago. */
const searches = (): Search[] =>
  Array.from({ length: 14 }, (_, number) => daysAgo(3 + number)).flatMap((day, number) => [
    {
      day,
      query: "garden shears",
      page: `https://${HOST}/shears`,
      clicks: 6 + (number % 3),
      impressions: 90,
      position: 4.6,
    },
    { day, query: "pruning roses", page: `https://${HOST}/guides/roses`, clicks: 1, impressions: 160, position: 5.2 },
    { day, query: "garden shop", page: `https://${HOST}/`, clicks: 12, impressions: 20, position: 1.1 },
    { day, query: "rare", page: `https://${HOST}/`, clicks: 2, impressions: 15, position: 8, anonymous: true },
  ]);

test("an owner connects a site on its page, sees its queries, loses the consent, and disconnects", async ({
  browser,
}) => {
  const provider = await searchProviderServer();
  provider.account = {
    google: [
      { siteUrl: `https://${HOST}/`, permissionLevel: "siteOwner" },
      { siteUrl: `sc-domain:${HOST}`, permissionLevel: "siteOwner" },
    ],
    bing: [],
    searches: searches(),
    finalUntil: "2999-01-01",
  };
  const server = await startServer(provider.env);
  const page = await browser.newPage({ baseURL: server.url });
  try {
    const our = forms(page.request, server.url);
    await our.signUp("owner@example.com", server);
    const siteId = await our.addSite(HOST);
    const settings = `/sites/${siteId}/settings/search`;
    const google = page.getByRole("region", { name: "Google Search Console" });

    await page.goto(`/sites/${siteId}/reports/seo`);
    await page.getByRole("link", { name: "Connect it" }).first().click();
    await page.waitForURL(settings);
    await expect(google).toContainText("Not connected");
    await google.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL((url) => url.pathname === settings);
    await expect(page.getByText("You did not consent at Google Search Console")).toBeVisible();
    await google.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("link", { name: "Allow" }).click();
    await expect(page.getByText(`Connected to Google Search Console as sc-domain:${HOST}`)).toBeVisible();
    expect(new URL(page.url()).searchParams.has("code")).toBe(false);
    await expectAccessible(page, "settings of a connected search engine");

    // The first fetch begins by itself.
    await expect(async () => {
      await page.goto(settings);
      await expect(google).toContainText("Fetched every night.", { timeout: 1_000 });
    }).toPass();
    await page.goto(`/sites/${siteId}/reports/seo`);
    await expect(page.getByRole("heading", { name: "Google Search Console" })).toBeVisible();
    await expect(page.getByRole("row", { name: /garden shears/ }).first()).toContainText("/shears");
    const missed = page.getByRole("region", { name: "Opportunities in Google" });
    await expect(missed.getByRole("row")).toHaveCount(2);
    await expect(missed).toContainText("pruning roses");
    await expect(page.getByText("Google keeps rare queries to itself: 28 clicks")).toBeVisible();
    await expectAccessible(page, "the report with search queries");

    provider.revokeAll();
    await page.goto(settings);
    await google.getByRole("button", { name: "Fetch now" }).click();
    await expect(async () => {
      await page.goto(settings);
      await expect(google).toContainText("no longer accepts the consent", { timeout: 1_000 });
    }).toPass();
    await google.getByRole("button", { name: "Connect again" }).click();
    await page.getByRole("link", { name: "Allow" }).click();
    // Loaded, so that the buttons listen.
    await page.waitForURL((url) => url.pathname === settings);
    await expect(google.getByText("Connected", { exact: true }).first()).toBeVisible();

    await google.getByRole("button", { name: "Disconnect" }).click();
    const dialog = page.getByRole("dialog", { name: "Disconnect Google Search Console?" });
    await dialog.getByRole("checkbox", { name: "Also delete the numbers" }).check();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await expect(google).toContainText("Not connected");
    await expect.poll(() => provider.revoked.length).toBe(1);
  } finally {
    await page.context().close();
    await server.stop();
    await provider.stop();
  }
});
