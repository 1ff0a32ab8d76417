import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { join } from "./support/agents";
import { expect, expectEvent, test } from "./support/fixtures";

/** What an owner sees of hits as they come. */

const SHOWN_WITHIN = { timeout: 2_000 };

/** The newest hit, once it reads so. */
const hit = (page: Page, words: RegExp) =>
  expect(page.getByRole("list", { name: "Events" }).getByRole("listitem").first()).toHaveText(words, SHOWN_WITHIN);

test("a live test shows a left out, a bot's, an invalid and a person's hit, each with the true reason within two seconds", async ({
  owner,
  site,
  visitor,
  web,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId, host } = await site(ann);
  await server.query(
    "INSERT INTO site_exclusion (site_id, kind, pattern, created_at) VALUES ($1, 'path', '/admin/**', now())",
    [siteId],
  );
  const liveTest = `/sites/${siteId}/settings/tracking`;
  await page.goto(liveTest);
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("Waiting for the first event")).toBeVisible();

  const guest = await visitor();
  // The first may come while the start is not known everywhere; it is sent until it is shown.
  await expect(async () => {
    await expectEvent(guest.page, "pageview", () => guest.page.goto(web.url(host, "/admin/users")));
    await hit(page, /Excluded\/admin\/users.*the page is one that the site excludes/);
  }).toPass();
  await expectEvent(guest.page, "pageview", () =>
    guest.page.goto(web.url(host, "/about?utm_source=news&utm_medium=email")),
  );
  await hit(page, /CountedPersonPageview · \/about/);
  await page.getByText("Pageview · /about").click();
  for (const words of [
    "news · Email",
    "Email: a webmail service, or source or medium is email",
    "New visit",
    "Identified by IP address and user agent",
  ]) {
    await expect(page.getByText(words).first()).toBeVisible();
  }
  await expectAccessible(page, liveTest);

  const send = (data: object, userAgent = "curl/8.0") =>
    page.request.post("/api/event", { data: { domain: host, ...data }, headers: { "user-agent": userAgent } });
  await send({ name: "pageview", path: "/robot" }, "Mozilla/5.0 (compatible; Googlebot/2.1)");
  await hit(page, /CountedBotPageview · \/robot.*names a crawler/);
  await send({ name: "Signup", props: 7 });
  await hit(page, /InvalidSignup.*props:? must be an object of names and plain values/);

  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Ended")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("list", { name: "Events" }).getByRole("listitem").first()).toHaveText(/Invalid/);

  const bob = await owner();
  await join(server, siteId, bob.email, "viewer");
  expect((await bob.page.goto(liveTest))?.status()).toBe(404);
  expect((await bob.page.request.get(`${liveTest}/stream`)).status()).toBe(403);
});
