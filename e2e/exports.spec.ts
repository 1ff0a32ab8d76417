import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { REPORTS } from "@/lib/contract/reports";
import { readPdf } from "@/lib/testing/pdf-text";
import { COLUMNS } from "@/lib/transfer/line";
import { moveBack, postEvent } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Everything that an owner sees leaves as a file. */

/** The titles of pages that are longer than the names of their reports. */
const TITLES: Record<string, string> = {
  campaigns: "Campaigns and channels",
  seo: "Search engines and AI assistants",
};

test("every report is downloaded as a PDF with its title, range and filters", async ({ siteOwner, server }) => {
  const { request, siteId, host } = siteOwner;
  await postEvent(server, { host }, { name: "pageview", url: `https://${host}/ценник` });
  const home = `/sites/${siteId}/reports`;
  await expect.poll(async () => (await request.get(`${home}/events/download?format=json`)).status()).toBe(200);
  for (const [key, { name: title }] of Object.entries(REPORTS)) {
    const filters = key === "realtime" ? "" : `&filters=${encodeURIComponent('{"device":"desktop"}')}`;
    const answer = await request.get(`${home}/${key}/download?format=pdf${filters}`);
    expect([key, answer.status(), answer.headers()["content-type"]]).toEqual([key, 200, "application/pdf"]);
    const { texts } = readPdf(await answer.body());
    expect(texts.slice(0, 2), key).toEqual([host, TITLES[key] ?? title]);
    if (filters) expect(texts.join("\n"), key).toContain("Device is Desktop");
  }
  const { page } = siteOwner;
  await page.goto(`${home}/events`);
  const loading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Report: Export" }).click();
  await page.getByRole("menuitem", { name: "Download as PDF" }).click();
  expect((await loading).suggestedFilename()).toMatch(new RegExp(`^${host}-events-.*\\.pdf$`));
});

test("all events of a site are downloaded as a Parquet file that DuckDB reads", async ({ siteOwner, server }) => {
  const { page, siteId, host } = siteOwner;
  for (const path of ["/ценник", "/b"])
    await postEvent(server, { host }, { name: "pageview", url: `https://${host}${path}` });
  await moveBack(server, { siteId }, 1);
  await page.goto(`/sites/${siteId}/settings/data`);
  await page.getByLabel("Format").selectOption("parquet");
  const loading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const download = await loading;
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${host}-events-.*\\.parquet$`));
  const file = await download.path();
  expect(readFileSync(file).subarray(0, 4).toString()).toBe("PAR1");
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(`FROM read_parquet('${file}')`);
  expect(read.columnNames()).toEqual(COLUMNS);
  expect(read.getRowObjectsJson().map(({ path }) => path)).toEqual(["/%D1%86%D0%B5%D0%BD%D0%BD%D0%B8%D0%BA", "/b"]);
});
