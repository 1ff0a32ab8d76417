import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expectAccessible } from "./support/accessibility";
import { expect, expectEvent, test } from "./support/fixtures";

const HEAD = (tags: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${tags}</head><body></body></html>`;

test("the installation test reports a problem with a fix, and passes this step once it is fixed", async ({
  siteOwner: { page, siteId, host, snippet },
  dns,
}) => {
  const state = { page: HEAD(snippet.replace(host, "somewhere-else.example")) };
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(state.page));
  // The test fetches pages on port 80, which may need root.
  const address = `127.80.${randomInt(256)}.${randomInt(1, 255)}`;
  const [problem] = await Promise.race([once(server.listen(80, address), "listening"), once(server, "error")]);
  test.skip(problem !== undefined, `port 80 is not available: ${problem}`);
  dns.set(host, { A: [address] });

  await page.goto(`/sites/${siteId}/install`);
  const section = page.getByRole("region", { name: "Test the installation" });
  await section.getByRole("button", { name: "Start the test" }).click();
  const findings = section.getByRole("list", { name: "Findings" }).getByRole("listitem");
  await expect(findings.first()).toContainText("The domain that the tag names is not a domain of this site.");
  await expect(findings.first()).toContainText(`data-domain="${host}"`);
  await expect(section.getByText("Failed", { exact: true })).toBeVisible();
  await expectAccessible(page, "a test that failed");

  state.page = HEAD(snippet);
  await section.getByRole("button", { name: "Test again" }).click();
  await expect(findings.filter({ hasText: "The snippet is installed once" })).toBeVisible();
  server.close();
});

test("what is ticked before the snippet is copied is counted by it", async ({ siteOwner: shop, pageview, web }) => {
  const { page, siteId, host } = shop;
  await page.goto(`/sites/${siteId}/install`);
  await page.getByRole("checkbox", { name: /^Outbound links/ }).check();
  await page.getByRole("checkbox", { name: /^Site search/ }).check();
  const parameters = page.getByLabel("Query parameters of the search");
  await parameters.fill('find" onload="x');
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Enter at most 10 names of letters");
  await expectAccessible(page, "a snippet with options");
  await parameters.fill("find, k");
  const code = page.getByRole("tabpanel").first().getByRole("code");
  await expect(code).toContainText('data-off="forms vitals 404" data-search="find k"');
  web.install(host, (await code.textContent()) ?? "");

  web.put(
    host,
    "/results",
    `<a href="${web.url("elsewhere.example")}" target="_blank">Away</a><form><button>Go</button></form>`,
  );
  const visitor = await pageview(host, "/results");
  await expectEvent(visitor.page, "Outbound Link: Click", () => visitor.page.getByText("Away").click());
  await expectEvent(visitor.page, "Search", () => visitor.page.goto(web.url(host, "/results?find=shoes")));
  await expectEvent(visitor.page, "pageview", () => visitor.page.getByRole("button", { name: "Go" }).click());
  expect(visitor.sent.map(({ name }) => name)).not.toContain("Form: Submission");
});
