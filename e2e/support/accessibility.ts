import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const PHONE = { width: 390, height: 844 };

/**
 * Looks at a page as it stands for all that axe knows: by day on a wide screen, and by night on a phone, where it may not
 * scroll sideways. One page, looked at twice, because loading takes longer than looking.
 */
export async function looksRight(page: Page, what: string): Promise<void> {
  expect(page.frames(), "frames of a page of ours").toHaveLength(1);
  const wide = page.viewportSize() ?? PHONE;
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expect(page.locator("html")).not.toContainClass("dark");
  // What waits for an answer is shown pale.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect.soft(await findFaults(axe(page)), what).toEqual([]);

  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect(page.locator("html")).toContainClass("dark");
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect.soft(overflow, `${what}: pixels wider than a phone`).toBe(0);
  expect.soft(await findFaults(axe(page)), `${what}, in dark`).toEqual([]);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light" });
}

/** In the page itself rather than in a second one beside it, which is for frames of other sites. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

/** What is wrong, a line for each element. What is right is not told, which would be every element. */
async function findFaults(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.options({ resultTypes: ["violations"] }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
