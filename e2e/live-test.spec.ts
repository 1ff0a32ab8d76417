import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { join } from "./support/agents";
import { postPageview } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Live test of incoming events. */

const newest = (page: Page) => page.getByRole("list", { name: "Events" }).getByRole("listitem").first();

test("a live test shows an excluded, a bot, an invalid and a human event, each with its reason and its client", async ({
  siteOwner: { page, siteId, host },
  account: bob,
  server,
}) => {
  await server.query(
    "INSERT INTO site_exclusion (site_id, kind, pattern, created_at) VALUES ($1, 'path', '/admin/**', now())",
    [siteId],
  );
  const liveTest = `/sites/${siteId}/settings/tracking`;
  await page.goto(liveTest);
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("Waiting for the first event")).toBeVisible();

  // The ingest worker may not know of the test yet, so the first event is repeated until it is shown.
  await expect(async () => {
    await postPageview(server, { host }, "/admin/users");
    await expect(newest(page)).toHaveText(/Excluded\/admin\/users.*the page is one that the site excludes/, {
      timeout: 1_000,
    });
  }).toPass();
  await postPageview(server, { host }, "/about?utm_source=news&utm_medium=email");
  await expect(newest(page)).toHaveText(/CountedPersonPageview · \/about/);
  await page.getByText("Pageview · /about").click();
  for (const text of [
    "news · Email",
    "Email: source or medium is email, e-mail, e_mail or e mail",
    "New visit",
    "Identified by IP address and user agent",
  ]) {
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expectAccessible(page, liveTest);

  const send = (data: object, userAgent = "curl/8.0") =>
    page.request.post("/api/event", { data: { domain: host, ...data }, headers: { "user-agent": userAgent } });
  await send({ name: "pageview", path: "/robot" }, "Mozilla/5.0 (compatible; Googlebot/2.1)");
  await expect(newest(page)).toHaveText(/CountedBotPageview · \/robot.*names a known crawler/);
  await send({ name: "Signup", props: 7 });
  await expect(newest(page)).toHaveText(/InvalidSignup.*props:? must be an object of names and plain values/);

  const payload = { website: host, hostname: host, url: "/from-umami" };
  await page.request.post("/api/send", { data: { type: "event", payload } });
  await expect(newest(page)).toHaveText(/CountedPersonPageview · \/from-umami/);
  await newest(page).getByText("Pageview · /from-umami").click();
  await expect(newest(page).getByText("Umami client", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Ended", { exact: true })).toBeVisible();
  await page.reload();
  await expect(newest(page)).toHaveText(/from-umami/);

  await join(server, siteId, bob.email, "viewer");
  expect((await bob.request.get(liveTest)).status()).toBe(404);
  expect((await bob.request.get(`${liveTest}/stream`)).status()).toBe(403);
});
