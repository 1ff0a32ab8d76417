import { expectAccessible } from "./support/accessibility";
import { postPageview } from "./support/events";
import { expect, headline, test } from "./support/fixtures";

test("a public dashboard is visible to anyone, also in a frame of another site, and nothing else of it", async ({
  siteOwner: { page: ownersPage, siteId, host },
  open,
  server,
  web,
}) => {
  const shared = `/share/${host}`;
  const guest = await open();
  expect((await guest.goto(shared))?.status()).toBe(404);

  await ownersPage.goto(`/sites/${siteId}/settings/general`);
  await ownersPage.getByText("Public dashboard", { exact: true }).click();
  await ownersPage.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ownersPage.getByText("Saved.", { exact: true })).toBeVisible();

  await postPageview(server, { host }, "/?utm_campaign=secret");
  await guest.goto(shared);
  await expect(headline(guest, "Pageviews", "1")).toBeVisible();
  await expectAccessible(guest, "a public dashboard");
  // It updates by itself, like the owner's dashboard.
  await postPageview(server, { host }, "/products");
  await expect(headline(guest, "Pageviews", "2")).toBeVisible();
  await guest.getByRole("region", { name: "Pages" }).getByRole("link", { name: "/products", exact: true }).click();
  await expect(headline(guest, "Pageviews", "1")).toBeVisible();

  // Filters by whole values only.
  await expect(guest.getByRole("link", { name: /invert/ })).toHaveCount(0);
  await guest.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(guest.getByLabel("Operator").getByRole("option")).toHaveText(["is"]);
  await guest.keyboard.press("Escape");

  // In a frame of another site, where no other page of the service is allowed.
  const frame = (path: string) => `<iframe src="${server.url}${path}" width="900" height="700"></iframe>`;
  const slashed = frame(`${shared}/?embed=true`);
  web.install("blog.example", `${frame(`${shared}?embed=true&theme=dark`)}${slashed}${frame("/login")}`);
  await guest.goto(web.url("blog.example"));
  const embedded = guest.frameLocator("iframe").first();
  await expect(embedded.getByRole("button", { name: /^Pageviews 2/ })).toBeVisible();
  await expect(embedded.locator("html")).toContainClass("dark");
  await expect(embedded.getByRole("banner")).toHaveCount(0);
  const withSlash = guest.frameLocator("iframe").nth(1);
  await expect(withSlash.getByRole("button", { name: /^Pageviews 2/ })).toBeVisible();
  await expect(withSlash.getByRole("banner")).toHaveCount(0);
  await expect(guest.frameLocator("iframe").last().getByLabel("Password")).toHaveCount(0);

  // Links leave the dashboard with a new document, whose own headers forbid framing.
  await guest.goto(`${server.url}${shared}`);
  const [left] = await Promise.all([
    guest.waitForResponse((response) => response.request().isNavigationRequest()),
    guest.getByRole("link", { name: "Footfall" }).first().click(),
  ]);
  expect(left.headers()["x-frame-options"]).toBe("DENY");
  await guest.goto(`${server.url}/share/nobody.example`);
  await expect(guest.getByRole("heading", { name: "There is no public dashboard here" })).toBeVisible();
  await expect(guest.getByRole("link")).toHaveCount(0);

  // Fields that its panels do not show, and other pages of the site, stay private.
  const { request } = guest;
  for (const [narrowed, message] of [
    ["filters[utm_campaign]=secret", "The filter “utm_campaign” is not shown on a public dashboard"],
    ["filters[prop:plan]=pro", "The filter “prop:plan” is not shown on a public dashboard"],
    ["filters[page][matches]=a", "The filter “page.matches” is not available on a public dashboard"],
    ["filters[page][not_contains]=a", "The filter “page.not_contains” is not available on a public dashboard"],
    ["segment=any", "shows only what its panels list"],
  ] as const) {
    const page = await (await request.get(`${server.url}${shared}?${narrowed}`)).text();
    expect(page, narrowed).toContain(message);
  }
  for (const [path, status] of [
    [`${shared}/data/details?details=utm_campaign`, 422],
    [`${shared}/data/options?field=event`, 422],
    [`${shared}/data/details?details=page`, 200],
    [`${shared}/data/panels?filters[page][starts_with]=/`, 422],
    [`/share/${siteId}`, 404],
    ["/share/%25ff/data/last-event", 404],
    [`/sites/${siteId}/data/last-event`, 401],
  ] as const) {
    expect((await request.get(server.url + path, { maxRedirects: 0 })).status(), path).toBe(status);
  }
});
