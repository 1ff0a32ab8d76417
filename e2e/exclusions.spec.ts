import { join } from "./support/agents";
import { postPageview } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Exclusion rules. */

test("an owner excludes a path and their own address, sees the event outcomes, and removes a rule", async ({
  siteOwner: { page, siteId, host },
  account: bob,
  server,
}) => {
  const exclusions = `/sites/${siteId}/settings/exclusions`;
  await page.goto(exclusions);
  await expect(page.getByText("No rules: all events are counted.")).toBeVisible();
  await expect(page.getByText("No events in this period.")).toBeVisible();

  await page.getByLabel("Type", { exact: true }).selectOption("Path");
  await page.getByLabel("Pattern").fill("admin");
  await page.getByRole("button", { name: "Add rule" }).click();
  await expect(page.getByText("This must begin with / such as /admin/**.").first()).toBeVisible();
  await page.getByLabel("Pattern").fill("/admin/**");
  await page.getByRole("button", { name: "Add rule" }).click();
  await expect(page.getByRole("button", { name: "Remove path /admin/**" })).toBeVisible();

  await postPageview(server, { host }, "/admin/users");
  await postPageview(server, { host }, "/");
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByText("The page is one that the site excludes").count();
    })
    .toBe(1);

  const bad = { data: { domain: host, name: 7 } };
  expect((await page.request.post("/api/event", bad)).status()).toBe(422);
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByRole("row", { name: "Invalid field “name”" }).getByRole("cell").allTextContents();
    })
    .toEqual(["1", "1"]);

  await page.getByRole("button", { name: /^Exclude my address/ }).click();
  await expect(page.getByRole("button", { name: /^Remove address / })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Exclude my address/ })).toHaveCount(0);
  const list = page.getByRole("region").filter({ has: page.getByRole("button", { name: /^Remove address / }) });
  const name = await list.getByRole("heading").first().textContent();
  await page.getByRole("button", { name: /^Remove address / }).press("Enter");
  await expect(page.getByRole("button", { name: /^Remove address / })).toHaveCount(0);
  // The keyboard continues where the row was.
  await expect(page.getByRole("region", { name: `${name}` })).toBeFocused();

  // The rules contain IP addresses of people, so viewers cannot see them.
  await join(server, siteId, bob.email, "viewer");
  expect((await bob.request.get(exclusions)).status()).toBe(404);
});
