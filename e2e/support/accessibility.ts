import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const PHONE = { width: 390, height: 844 };

/**
 * Checks the open page with axe: in light mode on a wide screen, and in dark mode on a phone, where it must not scroll
 * sideways. The same page is checked twice, because loading takes longer than checking.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(page.frames(), "frames of one of our pages").toHaveLength(1);
  const wide = page.viewportSize() ?? PHONE;
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expect(page.locator("html")).not.toContainClass("dark");
  // Content that is loading is shown pale, which fails the contrast check.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect.soft(await findViolations(axe(page)), what).toEqual([]);

  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect(page.locator("html")).toContainClass("dark");
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect.soft(overflow, `${what}: pixels wider than a phone`).toBe(0);
  expect.soft(await findViolations(axe(page).withRules(RULES_OF_LOOKS)), `${what}, in dark`).toEqual([]);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light" });
}

/** The rules that depend on colours or the width of the screen. */
const RULES_OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/** Legacy mode runs in the page itself. The default opens a second page, which only cross-origin frames need. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

/** Returns one line per violation and element. */
async function findViolations(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.options({ resultTypes: ["violations"] }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
