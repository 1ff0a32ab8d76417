import { postPageview } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Paths in other scripts are readable for people, and stay encoded in links and downloads. */

const PERSIAN = "/سلام-دنیا";

test("a Persian path is shown in its own letters, found by them, and stays encoded in its link and in CSV", async ({
  siteOwner,
  server,
}) => {
  const { page, siteId, host } = siteOwner;
  await postPageview(server, siteOwner, PERSIAN);
  await postPageview(server, siteOwner, "/%E2%80%AEfdp.exe");
  await page.goto(`/sites/${siteId}`);
  const pages = page.getByRole("region", { name: "Pages" });
  const row = pages.getByRole("row").filter({ hasText: PERSIAN });
  await expect(row).toBeVisible();
  // What would turn the text around stays encoded.
  await expect(pages.getByText("/%E2%80%AEfdp.exe")).toBeVisible();
  const encoded = new URL(`https://${host}${PERSIAN}`).href;
  await expect(row.getByRole("link", { name: `Open ${PERSIAN} in a new tab` })).toHaveAttribute("href", encoded);

  // The name runs from right to left, and the numbers stay at its right.
  const name = row.getByText(PERSIAN, { exact: true });
  expect(await name.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  const [text, number] = [await name.boundingBox(), await row.getByRole("cell").boundingBox()];
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(number?.x ?? 0);

  await name.click();
  await expect(page.getByRole("button", { name: new RegExp(`Page is ${PERSIAN}|${PERSIAN}`) }).first()).toBeVisible();
  await expect(pages.getByText("fdp.exe")).toHaveCount(0);

  await page.goto(`/sites/${siteId}/reports/explore?dimensions=page&metrics=visitors`);
  await expect(page.getByRole("rowheader", { name: PERSIAN })).toBeVisible();
  const csv = await page.request.get(
    `/sites/${siteId}/reports/explore/download?dimensions=page&metrics=visitors&table=rows`,
  );
  expect(await csv.text()).toContain('"/%D8%B3%D9%84%D8%A7%D9%85-%D8%AF%D9%86%DB%8C%D8%A7",1');
});
