import { postEvent } from "./support/events";
import { expect, headline, test } from "./support/fixtures";

/** Sites of several hosts, of this machine, and with international names. */

test("a page links to the host where it was seen, and pages of several hosts are listed by host", async ({
  siteOwner,
  server,
}) => {
  const { page, siteId, host } = siteOwner;
  for (const url of [`https://${host}/`, `https://blog.${host}/`, `https://blog.${host}/only-on-blog`])
    await postEvent(server, siteOwner, { name: "pageview", url });
  await page.goto(`/sites/${siteId}`);
  const pages = page.getByRole("region", { name: "Pages" });
  const opens = (name: string) => pages.getByRole("link", { name: `Open ${name} in a new tab` });
  // Reports may lack the events of the last second.
  await expect(async () => {
    await page.reload();
    await expect(pages.getByRole("tab", { name: "By host" })).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(opens("/only-on-blog")).toHaveAttribute("href", `https://blog.${host}/only-on-blog`);
  await pages.getByRole("tab", { name: "Exit" }).click();
  await expect(opens("/only-on-blog")).toHaveAttribute("href", `https://blog.${host}/only-on-blog`);
  await pages.getByRole("tab", { name: "By host" }).click();
  await expect(opens(`${host}/`)).toHaveAttribute("href", `https://${host}/`);
  await expect(opens(`blog.${host}/`)).toHaveAttribute("href", `https://blog.${host}/`);
  await pages.getByRole("link", { name: `blog.${host}/`, exact: true }).click();
  await expect(page).toHaveURL(/hostname/);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
});

test("a page of localhost is counted for its local trial, which is marked and needs no proof", async ({
  owner,
  site,
  pageview,
  web,
}) => {
  const ann = await owner();
  const trial = await site(ann, "localhost");
  const { page } = ann;
  await page.goto(`/sites/${trial.siteId}/install`);
  await expect(page.getByText("This is a local trial")).toBeVisible();
  await expect(page.getByText("Only browsers on the machine of this server reach")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Verify the domain" })).toHaveCount(0);
  await pageview("localhost", "/about");
  await expect(page.getByText("The first event has arrived")).toBeVisible();
  await page.goto("/sites");
  await expect(page.getByText("Local trial")).toBeVisible();
  expect(web.url("localhost")).toMatch(/^http:\/\/localhost:\d+\/$/);
});

test("the installation page warns while only this machine reaches the server, reads names as people write them, and names no operation", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const host = "b\u00fccher-install.example";
  const { siteId } = await site(ann, host);
  const { page } = ann;
  await page.goto(`/sites/${siteId}/install`);
  await expect(page.getByText(`Only browsers on the machine of this server reach ${server.url}`)).toBeVisible();
  await expect(page.getByText(`It counts visits of ${host}`)).toBeVisible();
  await expect(page.getByText(`data-domain="xn--`).first()).toBeVisible();
  expect(await page.getByRole("main").textContent()).not.toMatch(/\b(sites|account|analytics)\.[a-z]/);
  await page.goto("/sites");
  await expect(page.getByRole("link", { name: host })).toBeVisible();
});
