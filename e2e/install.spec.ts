import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expectAccessible } from "./support/accessibility";
import { expect, test } from "./support/fixtures";

const HEAD = (tags: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${tags}</head><body></body></html>`;

test("the installation test says what is wrong with a page and how to mend it, and goes on once it is mended", async ({
  owner,
  site,
  dns,
}) => {
  const ann = await owner();
  const shop = await site(ann);
  const state = { page: HEAD(shop.snippet.replace(shop.host, "somewhere-else.example")) };
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(state.page));
  // Pages are read where the web is, on port 80, which not every system lets everyone have.
  const address = `127.80.${randomInt(256)}.${randomInt(1, 255)}`;
  const [problem] = await Promise.race([once(server.listen(80, address), "listening"), once(server, "error")]);
  test.skip(problem !== undefined, `port 80 cannot be had: ${problem}`);
  dns.set(shop.host, { A: [address] });

  const { page } = ann;
  await page.goto(`/sites/${shop.siteId}/install`);
  const tested = page.getByRole("region", { name: "Test the installation" });
  await tested.getByRole("button", { name: "Start the test" }).click();
  const found = tested.getByRole("list", { name: "Findings" }).getByRole("listitem");
  await expect(found.first()).toContainText("The data-domain of the snippet is not a domain of this site.");
  await expect(found.first()).toContainText(`data-domain="${shop.host}"`);
  await expect(tested.getByText("Failed", { exact: true })).toBeVisible();
  await expectAccessible(page, "a test that failed");

  state.page = HEAD(shop.snippet);
  await tested.getByRole("button", { name: "Test again" }).click();
  await expect(found.filter({ hasText: "The snippet is installed once" })).toBeVisible();
  server.close();
});
