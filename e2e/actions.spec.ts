import { randomUUID } from "node:crypto";
import type { Page, Request } from "@playwright/test";
import { expect, findInEmail, test } from "./support/fixtures";
import { actionId } from "./support/forms";
import type { Server } from "./support/server";
import { signIn } from "./support/sign-in";

/** Server Actions of forms, called over HTTP by someone other than their page. */

/** Submits a form, aborts its request and returns it. */
async function captureRequest(page: Page, submit: string): Promise<Request> {
  const isAction = (request: Request) => request.method() === "POST" && "next-action" in request.headers();
  await page.route("**", (route) => (isAction(route.request()) ? route.abort() : route.fallback()));
  const [request] = await Promise.all([
    page.waitForRequest(isAction),
    page.getByRole("button", { name: submit, exact: true }).click(),
  ]);
  return request;
}

/** Sends a captured request without cookies. @param replacements texts of the body to replace */
async function replay(
  server: Server,
  request: Request,
  replacements: Record<string, string> = {},
  origin = server.url,
): Promise<Response> {
  const { "next-action": action = "", "content-type": type = "" } = request.headers();
  const body = Object.entries(replacements).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, request.postData() ?? "");
  const headers = { "next-action": action, "content-type": type, accept: "text/x-component", origin };
  return fetch(request.url(), { method: "POST", headers, body, redirect: "manual" });
}

test("a form that another site submits is refused as cross-site and has no effect", async ({ open, server }) => {
  const page = await open();
  await page.goto("/signup");
  const email = `${randomUUID()}@example.com`;
  await page.getByLabel("E-mail").fill(email);
  const request = await captureRequest(page, "Create account");
  for (const origin of ["https://evil.example", "null"]) {
    const answer = await replay(server, request, {}, origin);
    expect([answer.status, (await answer.json()).error.code], origin).toEqual([403, "cross_site"]);
  }
  const pending = () => server.query("SELECT 1 FROM pending_signup WHERE email = $1", [email]);
  expect(await pending()).toEqual([]);
  expect((await replay(server, request)).status).toBe(200);
  expect(await pending()).toHaveLength(1);
});

test("the action that adds a site refuses callers who are not signed in", async ({ owner, server }) => {
  const { page } = await owner();
  const host = `${randomUUID()}.example`;
  await page.goto("/sites/new");
  await page.getByLabel("Domain").fill(host);
  const answer = await replay(server, await captureRequest(page, "Add site"));
  expect(answer.headers.get("x-action-redirect")).toContain("/login");
  expect(await server.query("SELECT 1 FROM site_domain WHERE host = $1", [host])).toEqual([]);
});

test("the sign-up action answers the same for an address with an account and for a new one", async ({
  owner,
  open,
  server,
}) => {
  const ann = await owner();
  const page = await open();
  await page.goto("/signup");
  const email = `${randomUUID()}@example.com`;
  await page.getByLabel("E-mail").fill(email);
  const request = await captureRequest(page, "Create account");
  const [known, unknown] = [await replay(server, request, { [email]: ann.email }), await replay(server, request)];
  const shape = async (answer: Response) => [answer.status, (await answer.text()).replace(/"b":"[^"]*"/, "")];
  expect(await shape(known)).toEqual(await shape(unknown));
  await findInEmail(server, ann.email, /(You already have an account)/);
  await findInEmail(server, email, /(Confirm your email address)/);
});

test("the action that creates the first account creates no second one, from this machine or with any token", async ({
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

test("the action that joins with an invitation refuses a forged one, and does not reveal who has an account", async ({
  siteOwner: ann,
  open,
  server,
}) => {
  await ann.page.goto(`/sites/${ann.siteId}/settings/people`);
  const email = `${randomUUID()}@example.com`;
  await ann.page.getByLabel("E-mail").fill(email);
  await ann.page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await findInEmail(server, email, /(http:\/\/\S+\/invite\/\S+)/);
  const token = link.split("/").at(-1) ?? "";

  const ben = await open();
  await ben.goto(link);
  await ben.getByLabel("Password").fill("a password of ben's");
  const request = await captureRequest(ben, "Create account and join");
  const forged = token.split("").reverse().join("");
  const unknown = await replay(server, request, { [token]: forged });
  const known = await replay(server, request, { [token]: forged, [email]: ann.email });
  const other = await replay(server, request, { [email]: ann.email });
  expect([unknown.status, known.status]).toEqual([200, 200]);
  const [textOfUnknown, textOfKnown, textOfOther] = await Promise.all(
    [unknown, known, other].map((each) => each.text()),
  );
  expect(textOfUnknown).toContain("This invitation was accepted, withdrawn or has expired.");
  expect(textOfKnown).toContain("This invitation was accepted, withdrawn or has expired.");
  expect(textOfOther).toContain("This invitation is for another email address");
  expect(await server.query("SELECT 1 FROM person WHERE email = $1", [email])).toEqual([]);
});

test("the action that sets a new password refuses a forged link", async ({ owner, open, server }) => {
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
  const request = await captureRequest(page, "Change password");
  const answer = await replay(server, request, { [token]: token.split("").reverse().join("") });
  expect(await answer.text()).toContain("This link has been used or has expired.");
  expect(await hash()).toEqual(before);

  await page.goto("/login");
  await signIn(page, { email, password });
  await page.waitForURL("/sites");
});
