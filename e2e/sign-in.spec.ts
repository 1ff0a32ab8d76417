import { randomUUID } from "node:crypto";
import { expect, findInEmail, test } from "./support/fixtures";
import { forms } from "./support/forms";
import { startServer } from "./support/server";
import { signIn, signOut } from "./support/sign-in";

const PASSWORD = "long enough to be a password";

test("after a sign-out pages redirect to sign-in, and only the right password returns to them", async ({ owner }) => {
  const { page, email, password } = await owner();
  await page.goto("/sites");
  await signOut(page);

  await page.goto("/sites/new");
  await expect(page).toHaveURL("/login?next=%2Fsites%2Fnew");
  await signIn(page, { email, password: "not the password" });
  await expect(page.getByRole("alert").filter({ hasText: "Wrong email address or password" })).toBeVisible();

  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("/sites/new");
  await expect(page.getByRole("heading", { name: "Add a site" })).toBeVisible();
});

test("every page returns after sign-in to its whole address, with the query", { tag: "@full" }, async ({
  siteOwner,
  fresh,
}) => {
  const { siteId, email, password } = siteOwner;
  const page = await fresh();
  const addresses = [
    "/sites?search=shop&sort=name",
    "/admin?people=2",
    "/agents/some-agent?before=12",
    `/sites/${siteId}?period=7d&filters=${encodeURIComponent('{"page":"/a&b"}')}`,
    `/sites/${siteId}/reports/events?event=Sign+up`,
    `/sites/${siteId}/settings/goals?from=palette`,
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page, address).toHaveURL(`/login?next=${encodeURIComponent(address)}`);
  }
  await page.goto("/sites?search=shop&sort=name");
  await signIn(page, { email, password });
  await page.waitForURL("/sites?search=shop&sort=name");
});

test("a tab that stayed open during a new sign-in still saves, but not for another account", async ({
  siteOwner: ann,
  owner,
  server,
}) => {
  const bob = await owner();
  const { page, siteId } = ann;
  const save = async (name: string) => {
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
  };
  const signInAgain = async (person: typeof bob) => {
    await page.context().clearCookies();
    await forms(page.request, server.url).signIn(person);
  };
  await page.goto(`/sites/${siteId}/settings/general`);
  await expect(page.getByRole("heading", { name: "General" })).toBeVisible();
  await signInAgain(ann);
  await save("Saved after all");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await signInAgain(bob);
  await save("Not Bob's to name");
  await expect(page.getByRole("alert").filter({ hasText: "Someone else signed in in this browser" })).toBeVisible();
  await signInAgain(ann);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Saved after all");
});

test("another owner's site is 404, the same as a missing one", async ({ owner, site }) => {
  const { siteId } = await site(await owner());
  const { page } = await owner();
  for (const path of [`/sites/${siteId}`, `/sites/${siteId}/install`, "/sites/2147483647"]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText("Page not found");
  }
});

test("sign-in never redirects to another host", async ({ owner, open, server }) => {
  const { email, password } = await owner();
  // More of them are in `lib/auth/next-path.test.ts`.
  for (const next of ["/.//evil.example/x", "/./\\evil.example"]) {
    const page = await open();
    const hosts: string[] = [];
    page.on("request", (request) => hosts.push(new URL(request.url()).hostname));
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await signIn(page, { email, password });
    await page.waitForURL("/sites");
    // With a session, the server redirects immediately.
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await expect(page).toHaveURL(`${server.url}/sites`);
    expect(new Set(hosts)).toEqual(new Set(["localhost"]));
  }
});

test("an account is created with the emailed link, and the page shows the same for an address with an account", async ({
  account,
  open,
  server,
}) => {
  const email = `${randomUUID()}@example.com`;
  const page = await open();
  const signUp = async (address: string) => {
    await page.goto("/login?next=%2Fdevice");
    await page.getByRole("link", { name: "Create an account" }).first().click();
    await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
    await page.getByLabel("Email", { exact: true }).fill(address);
    await page.getByRole("button", { name: "Create account" }).click();
    const message = page.getByRole("status").filter({ hasText: "Ask the operator for the link" });
    return ((await message.textContent()) ?? "").replace(address, "");
  };
  expect(await signUp(account.email)).toBe(await signUp(email));
  await findInEmail(server, account.email, /(You already have an account)/);

  const link = await findInEmail(server, email, /(http:\/\/\S+\/signup\/\S+)/);
  const answer = await page.goto(link);
  expect(answer?.headers()).toMatchObject({ "referrer-policy": "no-referrer" });
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "at least 12 characters" })).toBeVisible();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("/device");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("the first account needs the setup token from the log, unless the browser runs on the same machine", {
  tag: "@full",
}, async ({ fresh }) => {
  const own = await startServer();
  try {
    const [, token = ""] = /Setup token.*: ([\w-]{24})\n/.exec(own.output()) ?? [];
    const here = await fresh({ baseURL: own.url });
    await here.goto("/");
    await here.getByRole("link", { name: "Create an account" }).first().click();
    await expect(here.getByLabel("Email", { exact: true })).toBeVisible();
    await expect(here.getByLabel("Setup token")).toHaveCount(0);

    const away = await fresh({ baseURL: own.url, extraHTTPHeaders: { "x-forwarded-for": "203.0.113.7" } });
    await away.goto("/signup");
    await away.getByLabel("Setup token").fill("a guess");
    await away.getByLabel("Email", { exact: true }).fill("ann@example.com");
    await away.getByLabel("Password").fill(PASSWORD);
    await away.getByRole("button", { name: "Create account" }).click();
    await expect(away.getByRole("alert").filter({ hasText: "is not the setup token" })).toBeVisible();
    expect(await own.query("SELECT 1 FROM person")).toEqual([]);
    await away.getByLabel("Setup token").fill(token);
    await away.getByRole("button", { name: "Create account" }).click();
    await away.waitForURL("/sites");

    await here.goto("/signup");
    await expect(here.getByLabel("Password")).toHaveCount(0);
  } finally {
    await own.stop();
  }
});
