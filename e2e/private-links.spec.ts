import { devices } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { postEvent, postPageview } from "./support/events";
import { expect, headline, test } from "./support/fixtures";

test("an owner shares one segment by a link with a password; a person without an account sees only that, until it is revoked", async ({
  siteOwner: { page: owner, siteId, host },
  open,
  server,
  web,
}) => {
  const other = { name: "pageview", url: `https://${host}/?utm_campaign=hidden-campaign` };
  await postEvent(server, { host }, other, devices["Desktop Firefox"].userAgent);
  await postPageview(server, { host }, "/products");
  // The owner saves what is to be shared as a segment.
  const filters = encodeURIComponent(JSON.stringify({ page: "/products" }));
  await owner.goto(`/sites/${siteId}?filters=${filters}`);
  await owner.getByRole("button", { name: "Save as segment" }).click();
  await owner.getByRole("textbox", { name: /^Name/ }).fill("Products");
  await owner.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(owner.getByRole("dialog")).toHaveCount(0);

  await owner.goto(`/sites/${siteId}/settings/sharing`);
  await expect(owner.getByText("No links yet.")).toBeVisible();
  await owner.getByLabel("For", { exact: true }).fill("Press");
  await owner.getByLabel("Visitors", { exact: true }).selectOption("Products");
  await owner.getByLabel(/^Password/).fill("correct horse battery");
  await owner.getByRole("checkbox", { name: /^Reports/ }).check();
  await owner.getByRole("checkbox", { name: "Campaigns", exact: true }).check();
  await owner.getByRole("button", { name: "Create link" }).click();
  const url = (await owner.getByTestId("share-link").textContent()) ?? "";
  expect(url).toMatch(/\/s\/[\w-]{43}$/);
  await expectAccessible(owner, "the sharing settings");

  const guest = await open();
  const first = await guest.goto(url);
  expect(first?.headers()).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "x-frame-options": "DENY",
  });
  expect(first?.headers()["cache-control"]).toContain("private");
  await expect(guest.getByRole("heading", { name: "This link has a password" })).toBeVisible();
  expect(await guest.content()).not.toContain(host);
  await expectAccessible(guest, "the password of a link");
  await guest.getByLabel("Password").fill("wrong horse battery");
  await guest.getByRole("button", { name: "Open" }).click();
  await expect(guest.getByText("is wrong; ask the sender of the link")).toBeVisible();
  await guest.getByLabel("Password").fill("correct horse battery");
  await guest.getByRole("button", { name: "Open" }).click();
  await expect(headline(guest, "Visitors", "1")).toBeVisible();
  await expectAccessible(guest, "a private link");
  await expect(guest.getByRole("region", { name: "Pages" }).getByRole("link", { name: "/", exact: true })).toHaveCount(
    0,
  );
  // Parameters cannot remove the segment.
  await guest.goto(`${url}?segment=&filters[page]=/`);
  await expect(headline(guest, "Visitors", "0")).toBeVisible();
  await guest.getByRole("link", { name: "Campaigns" }).click();
  await expect(guest.getByRole("heading", { name: "Campaigns and channels" })).toBeVisible();
  expect(await guest.content()).not.toContain("hidden-campaign");
  for (const [path, status] of [
    [`${url}/reports/events/download?format=json`, 403],
    [`${url}/reports/campaigns/download?format=json`, 200],
    [`${url}/data/last-event`, 403],
    [`${url.replace("/s/", "/embed/")}`, 404],
    [`${server.url}/sites/${siteId}/data/panels`, 401],
  ] as const)
    expect((await guest.request.get(path)).status(), path).toBe(status);

  await owner.reload();
  await expect(owner.getByText(/Opened \d+ times, last/)).toBeVisible();
  await owner.getByRole("button", { name: /Revoke/ }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(owner.getByText("No links yet.")).toBeVisible();
  expect((await guest.goto(url))?.status()).toBe(404);
  await expect(guest.getByRole("heading", { name: "This link no longer works" })).toBeVisible();

  // An embed grows to the height of its content, on a page of another site.
  await owner.getByLabel("For", { exact: true }).fill("Blog");
  await owner.getByRole("checkbox", { name: "For frames on other sites" }).check({ force: true });
  await owner.getByRole("checkbox", { name: /Counted by/ }).uncheck({ force: true });
  await owner.getByRole("button", { name: "Create link" }).click();
  await expect(owner.getByText("Embed", { exact: true })).toBeVisible();
  const embed = ((await owner.getByTestId("share-link").textContent()) ?? "").replace("/s/", "/embed/");
  web.install(
    "blog.example",
    `<iframe src="${embed}?theme=dark" style="width:100%;height:200px;border:0"></iframe><script async src="${server.url}/embed.js"></script>`,
  );
  await guest.goto(web.url("blog.example"));
  const frame = guest.frameLocator("iframe");
  await expect(frame.getByRole("button", { name: /^Visitors 2/ })).toBeVisible();
  await expect(frame.locator("html")).toContainClass("dark");
  await expect(frame.getByText("Counted by")).toHaveCount(0);
  const heights = async () => [
    (await guest.locator("iframe").boundingBox())?.height ?? 0,
    (await frame.locator("#content").boundingBox())?.height ?? -1,
  ];
  await expect
    .poll(async () => {
      const [outer = 0, inner = 0] = await heights();
      return outer > 600 && Math.abs(outer - inner) < 3;
    })
    .toBe(true);
});
