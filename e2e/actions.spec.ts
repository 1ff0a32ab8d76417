import { randomUUID } from "node:crypto";
import type { Page, Request } from "@playwright/test";
import { expect, findInEmail, test } from "./support/fixtures";
import { actionId } from "./support/forms";
import type { Server } from "./support/server";

/** The forms whose Server Actions anybody can call over HTTP, sent by somebody else than their page. */

/** Submits a form and takes its request away before the server has it. */
async function captured(page: Page, submit: string): Promise<Request> {
  const isAction = (request: Request) => request.method() === "POST" && "next-action" in request.headers();
  await page.route("**", (route) => (isAction(route.request()) ? route.abort() : route.fallback()));
  const [request] = await Promise.all([
    page.waitForRequest(isAction),
    page.getByRole("button", { name: submit, exact: true }).click(),
  ]);
  return request;
}

/** Sends it as a stranger would: no cookie, and with other words in place of some of its own. */
async function replay(
  server: Server,
  request: Request,
  words: Record<string, string> = {},
  origin = server.url,
): Promise<Response> {
  const { "next-action": action = "", "content-type": type = "" } = request.headers();
  const body = Object.entries(words).reduce((text, [own, other]) => {
    expect(text).toContain(own);
    return text.replaceAll(own, other);
  }, request.postData() ?? "");
  const headers = { "next-action": action, "content-type": type, accept: "text/x-component", origin };
  return fetch(request.url(), { method: "POST", headers, body, redirect: "manual" });
}

test("a form that another site has sent is refused as such, and does nothing", async ({
  sharedOwner: _,
  open,
  server,
}) => {
  const page = await open();
  await page.goto("/signup");
  const email = `${randomUUID()}@example.com`;
  await page.getByLabel("E-mail").fill(email);
  const request = await captured(page, "Create account");
  for (const origin of ["https://evil.example", "null"]) {
    const answer = await replay(server, request, {}, origin);
    expect([answer.status, (await answer.json()).error.code], origin).toEqual([403, "cross_site"]);
  }
  const pending = () => server.query("SELECT 1 FROM pending_signup WHERE email = $1", [email]);
  expect(await pending()).toEqual([]);
  expect((await replay(server, request)).status).toBe(200);
  expect(await pending()).toHaveLength(1);
});

test("the action that adds a site adds none for who is not signed in", async ({ owner, server }) => {
  const { page } = await owner();
  const host = `${randomUUID()}.example`;
  await page.goto("/sites/new");
  await page.getByLabel("Domain").fill(host);
  const answer = await replay(server, await captured(page, "Add site"));
  expect(answer.headers.get("x-action-redirect")).toContain("/login");
  expect(await server.query("SELECT 1 FROM site_domain WHERE host = $1", [host])).toEqual([]);
});

test("the action that asks for a sign-up answers alike for an address with an account and for a new one", async ({
  owner,
  open,
  server,
}) => {
  const ann = await owner();
  const page = await open();
  await page.goto("/signup");
  const email = `${randomUUID()}@example.com`;
  await page.getByLabel("E-mail").fill(email);
  const request = await captured(page, "Create account");
  const [known, unknown] = [await replay(server, request, { [email]: ann.email }), await replay(server, request)];
  const shape = async (answer: Response) => [answer.status, (await answer.text()).replace(/"b":"[^"]*"/, "")];
  expect(await shape(known)).toEqual(await shape(unknown));
  await findInEmail(server, ann.email, /(You already have an account)/);
  await findInEmail(server, email, /(Confirm your email address)/);
});

test("the action that makes the first account makes no second one, from this machine or with any token", async ({
  sharedOwner: _,
  server,
}) => {
  const email = `${randomUUID()}@example.com`;
  const before = await server.query("SELECT id FROM person ORDER BY id");
  for (const token of [undefined, "a guess"]) {
    const sent = new FormData();
    for (const [name, value] of Object.entries({ email, password: "a password of eve's", token }))
      if (value !== undefined) sent.append(`_1_${name}`, value);
    sent.append("0", '["$K1"]');
    const headers = { "next-action": actionId("signUpFirst"), accept: "text/x-component", origin: server.url };
    const answer = await fetch(`${server.url}/signup`, { method: "POST", headers, body: sent });
    expect(await answer.text()).toContain("The first account has been created meanwhile.");
  }
  expect(await server.query("SELECT id FROM person ORDER BY id")).toEqual(before);
});

test("the action that joins with an invitation makes no account for a made-up one, and tells no one who has one", async ({
  owner,
  site,
  open,
  server,
}) => {
  const ann = await owner();
  const { siteId } = await site(ann);
  await ann.page.goto(`/sites/${siteId}/settings/people`);
  const email = `${randomUUID()}@example.com`;
  await ann.page.getByLabel("E-mail").fill(email);
  await ann.page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await findInEmail(server, email, /(http:\/\/\S+\/invite\/\S+)/);
  const token = link.split("/").at(-1) ?? "";

  const ben = await open();
  await ben.goto(link);
  await ben.getByLabel("Password").fill("a password of ben's");
  const request = await captured(ben, "Create account and join");
  const madeUp = token.split("").reverse().join("");
  const unknown = await replay(server, request, { [token]: madeUp });
  const known = await replay(server, request, { [token]: madeUp, [email]: ann.email });
  const another = await replay(server, request, { [email]: ann.email });
  expect([unknown.status, known.status]).toEqual([200, 200]);
  const [said, saidOfKnown, saidOfAnother] = await Promise.all([unknown, known, another].map((each) => each.text()));
  expect(said).toContain("This invitation was accepted, taken back or is too old.");
  expect(saidOfKnown).toContain("This invitation was accepted, taken back or is too old.");
  expect(saidOfAnother).toContain("This invitation is for another e-mail address");
  expect(await server.query("SELECT 1 FROM person WHERE email = $1", [email])).toEqual([]);
});

test("the action that chooses a new password changes none with a made-up link", async ({ owner, open, server }) => {
  const { email, password } = await owner();
  const page = await open();
  await page.goto("/reset");
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send" }).click();
  const link = await findInEmail(server, email, /(http:\/\/\S+\/reset\/\S+)/);
  const token = link.split("/").at(-1) ?? "";
  const hash = () => server.query("SELECT password_hash FROM person WHERE email = $1", [email]);
  const before = await hash();

  await page.goto(link);
  await page.getByLabel("New password").fill("a password of somebody else");
  const request = await captured(page, "Change password");
  const answer = await replay(server, request, { [token]: token.split("").reverse().join("") });
  expect(await answer.text()).toContain("This link has been used or has expired.");
  expect(await hash()).toEqual(before);

  await page.goto("/login");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("/sites");
});
