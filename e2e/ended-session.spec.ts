import { postPageview } from "./support/events";
import { expect, test } from "./support/fixtures";
import type { Server } from "./support/server";
import { signIn } from "./support/sign-in";

/** What a page does after its session has ended, and with files that are refused. */

const endSessions = (server: Server, email: string) =>
  server.query(
    "UPDATE owner_session SET revoked_at = now() WHERE person_id = (SELECT id FROM person WHERE email = $1)",
    [email],
  );

test("a form whose session has ended keeps what was typed, and is sent after a sign-in in another tab", async ({
  siteOwner: ann,
  server,
}) => {
  const { page, siteId } = ann;
  const email = `ben-${siteId}@example.com`;
  await page.goto(`/sites/${siteId}/settings/people`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Role", { exact: true }).selectOption("manager");
  await endSessions(server, ann.email);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("You are not signed in yet.")).toBeVisible();

  const opened = page.context().waitForEvent("page");
  await dialog.getByRole("link", { name: "Sign in in a new tab" }).click();
  const tab = await opened;
  await signIn(tab, ann);
  await tab.waitForURL("/sites");
  await tab.close();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(`The invitation of ${email} is ready. Pass on its link.`, { exact: true })).toBeVisible();
  const rows = await server.query("SELECT role FROM invitation WHERE email = $1", [email]);
  expect(rows).toEqual([{ role: "manager" }]);
});

test("a switch, a dialog and a cancelled sign-in keep the page after the session has ended", { tag: "@full" }, async ({
  siteOwner: ann,
  server,
}) => {
  const { page, siteId } = ann;
  await page.goto(`/sites/${siteId}/settings/general`);
  await page.getByRole("textbox", { name: /^Name/ }).fill("A name that took long to find");
  await endSessions(server, ann.email);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("A name that took long to find");
  await expect(page).toHaveURL(`/sites/${siteId}/settings/general`);
});

test("a download after the end of the session shows why on the page, and no sign-in page is saved as a file", {
  tag: "@full",
}, async ({ siteOwner: ann, server }) => {
  const { page, siteId } = ann;
  await postPageview(server, ann);
  await page.goto(`/sites/${siteId}/reports/campaigns`);
  const link = page.getByRole("link", { name: /^Download .* as CSV$/ }).first();
  const file = (await link.getAttribute("href")) as string;
  await endSessions(server, ann.email);
  let downloads = 0;
  page.on("download", () => downloads++);
  const whole = async () => {
    await page.getByRole("button", { name: "Report: Export" }).click();
    await page.getByRole("menuitem", { name: "Download as JSON" }).click();
  };
  for (const download of [() => link.click(), whole]) {
    await download();
    await expect(page.getByRole("alert").filter({ hasText: "Your session has ended." }).last()).toBeVisible();
  }
  await expect(page).toHaveURL(`/sites/${siteId}/reports/campaigns`);
  expect(downloads).toBe(0);
  for (const path of [file, "/account/export", `/sites/${siteId}/settings/data/export?format=csv`]) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(401);
    expect(answer.headers()["content-type"], path).toMatch(/^text\/plain/);
    expect(answer.headers()["content-disposition"], path).toBeUndefined();
  }
});

test("a refused export shows its reason in the form, which keeps what was typed; a good one is saved", {
  tag: "@full",
}, async ({ siteOwner: ann, server }) => {
  const { page, siteId } = ann;
  await postPageview(server, ann);
  await page.goto(`/sites/${siteId}/settings/data`);
  const form = page.locator("form", { has: page.getByLabel("Continue after") });
  await form.evaluate((element: HTMLFormElement) => {
    element.noValidate = true;
  });
  await form.getByLabel("Continue after").fill("not an id");
  await form.getByRole("button", { name: "Download" }).click();
  await expect(form.getByRole("alert")).toHaveText(
    "after must be the event_id of the last complete line that you have.",
  );
  await expect(form.getByLabel("Continue after")).toHaveValue("not an id");
  await form.getByLabel("Continue after").fill("");
  const saved = page.waitForEvent("download");
  await form.getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toMatch(/-events-.*\.ndjson$/);
});
