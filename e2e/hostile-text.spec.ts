import { randomUUID } from "node:crypto";
import { postEvent } from "./support/events";
import { expect, headline, test } from "./support/fixtures";

/** Stored XSS: text of events is never markup. */

const SCRIPT = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`;

test("markup in an event's name, page, title, referrer, campaign, props and user is shown as text and never runs", async ({
  siteOwner: { page, siteId, host },
  server,
}) => {
  const faults: string[] = [];
  page.on("dialog", (dialog) => faults.push(dialog.message()));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  await page.goto(`/sites/${siteId}/install`);
  await page.getByRole("status").waitFor();

  const send = async (name: string, number: number) => {
    const query = new URLSearchParams({ utm_source: `${SCRIPT}${number}`, utm_campaign: SCRIPT, utm_term: SCRIPT });
    const event = {
      name,
      url: `https://${host}/?${query}`,
      path: `/${SCRIPT}`,
      title: SCRIPT,
      referrer: `https://news.example/${encodeURIComponent(SCRIPT)}`,
      props: { [SCRIPT.slice(0, 50)]: SCRIPT },
      user_id: `${randomUUID()}${SCRIPT}`,
    };
    expect((await postEvent(server, { host }, event)).status).toBe("stored");
  };
  await send(SCRIPT, 1);
  await expect(page.getByRole("status")).toContainText("The first event has arrived");
  await send("pageview", 2);

  await page.goto(`/sites/${siteId}`);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
  const sources = page.getByRole("region", { name: "Sources" });
  await expect(sources.getByText(SCRIPT.toLowerCase(), { exact: false }).first()).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Pages" }).getByText("onerror", { exact: false }).first(),
  ).toBeVisible();
  for (const address of [`/sites/${siteId}`, `/sites/${siteId}/install`, "/sites"]) {
    await page.goto(address);
    expect(await page.locator('img[src="x"]').count(), address).toBe(0);
    expect(await page.evaluate(() => "hit" in window), address).toBe(false);
  }
  // A blocked script would have logged a policy violation.
  expect(faults).toEqual([]);
});
