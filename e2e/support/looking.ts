import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessibility";

/** A path, and a heading that is visible once the page is complete. */
export type Shown = [path: string, heading: string | RegExp];

/** What this page says from now on about its content security policy, and about a render that differs from the server's. */
export function recordViolations(page: Page): string[] {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content.Security.Policy|hydrat/i.test(message.text())) violations.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => violations.push(`${page.url()}: ${error.message}`));
  return violations;
}

/**
 * Opens pages one after the other: each is accessible, does not scroll sideways on a phone, and violates no policy. One
 * person sees all of them, because signing up and the first report of a site take longer than to look at a page.
 */
export async function look(page: Page, all: readonly Shown[]): Promise<void> {
  const violations = recordViolations(page);
  for (const [path, heading] of all)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
      await expectAccessible(page, path);
    });
  expect(violations).toEqual([]);
}
