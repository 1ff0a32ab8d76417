import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

const PHONE = { width: 390, height: 844 };

/**
 * Checks the open page with axe: in light mode on a wide screen, and in dark mode on a phone, where it must not scroll
 * sideways. The same page is checked twice, because loading takes longer than checking.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(page.frames(), "frames of one of our pages").toHaveLength(1);
  const wide = page.viewportSize() ?? PHONE;
  await expect(page.locator("html")).not.toContainClass("dark");
  // Content that is loading is shown pale, which fails the contrast check.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // While a page is rendered again, its title is away for a moment.
  await expect(page).toHaveTitle(/\S/);
  expect.soft(await findViolations(page), what).toEqual([]);

  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toContainClass("dark");
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect.soft(overflow, `${what}: pixels wider than a phone`).toBe(0);
  expect.soft(await findViolations(page, RULES_OF_LOOKS), `${what}, in dark`).toEqual([]);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light" });
}

/** The rules that depend on colours or the width of the screen. */
const RULES_OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/** Runs all rules of axe in the page, or only these. @returns one line per violation and element */
async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Once per document: half a megabyte of script.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, options);
}
