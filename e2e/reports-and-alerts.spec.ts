import { expectAccessible } from "./support/accessibility";
import { expect, test } from "./support/fixtures";

/** Settings, Reports and alerts. */

test("an owner sees and sends a report, adds a recipient who confirms by one click, and makes and tests an alert rule", async ({
  siteOwner: { page, siteId, email, host },
  fresh,
  server,
}) => {
  const picture = async (name: string) => {
    const folder = process.env.PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  await page.goto(`/sites/${siteId}/settings/reports`);
  const mine = page.getByRole("region", { name: "Your email reports" });
  await mine.getByLabel("Daily", { exact: false }).first().check();
  await mine.getByLabel("At", { exact: true }).selectOption("18");
  await mine.getByLabel("Timezone").fill("Nowhere/At_All");
  await mine.getByRole("button", { name: "Save" }).click();
  await expect(mine.getByText("must be an IANA timezone", { exact: false })).toBeVisible();
  await mine.getByLabel("Timezone").fill("Asia/Tokyo");
  await mine.getByRole("button", { name: "Save" }).click();
  await expect(mine.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(mine.getByLabel("At", { exact: true })).toHaveValue("18");
  await expect(mine.getByLabel("Daily", { exact: false }).first()).toBeChecked();

  await mine.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(`${host}: 0 visitors`, { exact: false })).toBeVisible();
  await expect(dialog.frameLocator("iframe").getByRole("heading", { name: host })).toBeVisible();
  await picture("preview");
  await dialog.getByRole("button", { name: "Close" }).click();
  await mine.getByRole("button", { name: "Send now" }).click();
  await expect(mine.getByText(`Sent to ${email}.`)).toBeVisible();

  const team = `team-${siteId}@example.net`;
  await page.getByRole("button", { name: "Add a recipient" }).click();
  await dialog.getByLabel("Email").fill(team);
  await picture("recipient");
  await dialog.getByRole("button", { name: "Ask to confirm" }).click();
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await expect.poll(() => server.emails(team).length).toBe(1);
  const link = /\S+\/recipients\/confirm\/\S+/.exec(server.emails(team)[0] ?? "")?.[0] ?? "";
  const stranger = await fresh();
  await stranger.goto(link);
  await expectAccessible(stranger, "the page that confirms an address");
  await stranger.getByRole("button", { name: "Confirm" }).click();
  await expect(stranger.getByRole("heading", { name: "Confirmed" })).toBeVisible();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "This link is used or has expired" })).toBeVisible();

  await page.reload();
  await expect(page.getByText("Not confirmed")).toHaveCount(0);
  await page.getByRole("button", { name: "Add a rule" }).click();
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("Signups stopped");
  await dialog.getByLabel("Metric").selectOption("events");
  await dialog.getByLabel("Condition").selectOption("below");
  await dialog.getByLabel("Threshold").fill("1");
  await dialog.getByLabel("Only").selectOption("event");
  await dialog.getByLabel("Value").fill("Signup");
  await dialog.getByLabel("Address 1", { exact: true }).selectOption(team);
  await dialog.getByRole("button", { name: "Add a channel" }).click();
  await dialog.getByLabel("Channel 2", { exact: true }).selectOption("slack");
  await dialog.getByLabel("Webhook URL 2").fill("https://slack.invalid/services/SECRET");
  await expectAccessible(page, "the form of an alert rule");
  await picture("rule");
  await dialog.getByRole("button", { name: "Save" }).click();
  const rule = page.getByRole("listitem").filter({ hasText: "Signups stopped" });
  await expect(rule).toContainText("Events below 1 in a day, with Event is Signup");
  await expect(rule).toContainText(`To ${team}, Slack (https://slack.invalid/…)`);
  expect(await page.content()).not.toContain("SECRET");
  await rule.getByRole("button", { name: "Send a test" }).click();
  await expect(rule).toContainText("Email: Queued; Slack: Could not be reached");
  await expect.poll(() => server.emails(team).some((one) => one.includes("Test of an alert"))).toBe(true);
  // The address of the chat stays when something else changes.
  await rule.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("Threshold").fill("2");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(rule).toContainText("Events below 2 in a day");
  await expect(rule).toContainText("Slack (https://slack.invalid/…)");
  await picture("page");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("page-phone-dark");
});
