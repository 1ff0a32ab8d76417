import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * What axe finds wrong on a page, a line for each element. It looks in the page itself rather than in a second one beside
 * it, which is for frames of other sites, and tells only what is wrong: what is right, it would tell of every element.
 */
export async function findFaults(page: Page): Promise<string[]> {
  expect(page.frames(), "frames of a page of ours").toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** By how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
