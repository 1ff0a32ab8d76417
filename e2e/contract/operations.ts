import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Client, inQuery, pageview, type Tier } from "@/e2e/contract/client";
import { decideApproval } from "@/lib/gateway/decide";
import type { Target } from "@/lib/testing/openapi-requests";
import { signedIn } from "@/lib/testing/owners";
import { makeSite } from "@/lib/testing/world";

const ACTIONS = "/api/v1/management/actions/";
const nothing = new Uint8Array();

/** The management API as described by /openapi.json. */
export function operations(client: () => Client, tier: Tier): void {
  test("each read operation answers its published example as documented", async () => {
    const { targets, check } = await client().published();
    const site = await makeSite();
    for (const path of ["/", "/pricing"]) await client().event(pageview(site, path));
    const token = await client().connect(site);
    const started = await client().write(token, "sites.installation.tests.start", { site_id: site.id });
    expect(started.status, started.text).toBe(200);
    const known = { site_id: site.id, id: started.body.data.id };
    const reading = targets.filter(({ path, method }) => path.startsWith(ACTIONS) && method === "GET");
    expect(reading.length).toBeGreaterThan(20);
    for (const target of reading) {
      const input = exampleOf(target, known);
      const { status, headers, text } = await client().read(token, target.operation.operationId, input);
      const response = {
        method: "GET",
        query: Object.entries(input).map(([name, value]): [string, string] => [name, inQuery(value)]),
        headers: { "x-request-id": "my-own.id_1" },
        body: nothing,
      };
      const fault = check(target, response, { status, headers: Object.fromEntries(headers), body: text });
      expect([status, fault], `${target.operation.operationId} ${text.slice(0, 300)}`).toEqual([200, null]);
    }
  });

  test("a repeated write with the same idempotency key is replayed, and a different one with that key is refused", async () => {
    const site = await makeSite();
    const token = await client().connect(site);
    const key = { "idempotency-key": randomUUID() };
    const start = () => client().write(token, "sites.tracking_test.start", { site_id: site.id }, key);
    const [first, second] = [await start(), await start()];
    expect([first.status, first.body.replayed, second.status, second.body.replayed]).toEqual([200, false, 200, true]);
    expect(second.body.data).toEqual(first.body.data);
    const other = await client().write(token, "sites.tracking_test.stop", { site_id: site.id }, key);
    expect([other.status, other.body.error.code]).toEqual([409, "idempotency_conflict"]);
    const none = await client().write(
      token,
      "sites.tracking_test.start",
      { site_id: site.id },
      { "idempotency-key": "" },
    );
    expect([none.status, none.body.error.code]).toEqual([422, "idempotency_key_required"]);
  });

  test("a wrong token is 401 and names the resource metadata", async () => {
    for (const token of ["ffa_wrong", ""]) {
      const { status, headers, body } = await client().read(token, "sites.list");
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toContain(
        `resource_metadata="${client().url}/.well-known/oauth-protected-resource/api/v1/management"`,
      );
      expect([headers.get("x-request-id"), body.request_id]).toEqual(["my-own.id_1", "my-own.id_1"]);
    }
  });

  test("a missing scope is 403, another site is 403, and an unknown operation is 404", async () => {
    const [site, other] = await Promise.all([makeSite(), makeSite()]);
    const token = await client().connect(site, ["sites:read"]);
    const code = async (operation: string, siteId: number) => {
      const { status, body } = await client().read(token, operation, { site_id: siteId });
      return [status, body.error.code];
    };
    expect(await code("analytics.overview", site.id)).toEqual([403, "insufficient_scope"]);
    expect(await code("sites.settings.get", other.id)).toEqual([403, "site_not_granted"]);
    expect(await code("sites.nothing", site.id)).toEqual([404, "operation_not_found"]);
  });

  test("invalid input is 422 and names each field", async () => {
    const token = await client().connect(await makeSite());
    const paths = ({ body }: { body: { error: { details: { issues: { path: string }[] } } } }) =>
      body.error.details.issues.map(({ path }) => path).sort();
    const read = await client().read(token, "analytics.overview", { site_id: "x", period: "never" });
    expect([read.status, paths(read)]).toEqual([422, ["period", "site_id"]]);
    const write = await client().write(token, "sites.create", { domain: 1, timezone: "UTC", public: 1 });
    expect([write.status, paths(write)]).toEqual([422, ["domain", "public"]]);
  });

  test("a wrong method is 405 with Allow, a wrong type 415, broken JSON 400 and a large body 413", async () => {
    const site = await makeSite();
    const token = await client().connect(site);
    const path = `${ACTIONS}sites.tracking_test.start`;
    const authorization = `Bearer ${token}`;
    const wrong = await client().call(path, { headers: { authorization } });
    expect([wrong.status, wrong.headers.get("allow"), wrong.body.error.code]).toEqual([
      405,
      "POST",
      "method_not_allowed",
    ]);
    const send = async (body: string, type = "application/json") => {
      const headers = { authorization, "content-type": type, "idempotency-key": randomUUID() };
      const answer = await client().call(path, { method: "POST", body, headers });
      return [answer.status, answer.body.error.code];
    };
    expect(await send("{}", "text/plain")).toEqual([415, "unsupported_media_type"]);
    expect(await send("{")).toEqual([400, "malformed_json"]);
    expect(await send(" ".repeat(300_000))).toEqual([413, "payload_too_large"]);
  });

  if (tier === "short") return;

  test("an operation that needs approval runs once, after this input was approved", async () => {
    const site = await makeSite();
    const token = await client().connect(site);
    const input = {
      site_id: site.id,
      name: "The shop",
      timezone: "UTC",
      reporting_currency: "USD",
      public: true,
    };
    const key = randomUUID();
    const send = (more: Record<string, string> = {}) =>
      client().write(token, "sites.settings.update", input, { "idempotency-key": key, ...more });
    const response = await send();
    expect([response.status, response.body.error.code]).toEqual([409, "approval_required"]);
    const { id } = response.body.error.details.approval;
    const now = new Date();
    const human = { ...(await signedIn(site.ownerId, now)), requestId: "test" };
    await decideApproval(id, "approved", human, now);
    const approved = { "x-agent-approval-id": id };
    const [done, again] = [await send(approved), await send(approved)];
    expect([done.status, done.body.replayed, again.status, again.body.replayed]).toEqual([200, false, 200, true]);
    const { body } = await client().read(token, "sites.settings.get", { site_id: site.id });
    expect(body.data).toMatchObject({ name: "The shop", public: true });
  });

  test("every path of /openapi.json uses the documented error format, and /llms-full.txt names every path", async () => {
    const { targets } = await client().published();
    const { text } = await client().call("/llms-full.txt");
    for (const { path, method, operation } of targets) {
      expect(text, operation.operationId).toContain(path.startsWith(ACTIONS) ? operation.operationId : path);
      const answer = await client().call(path, { method, ...(method === "GET" ? {} : { body: "" }) });
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expect(answer.body.error, `${path} ${answer.text}`).toBeTruthy();
    }
    const nothing = await client().call("/api/nothing");
    expect([nothing.status, nothing.body.error.code]).toEqual([404, "operation_not_found"]);
  });
}

/** Input of a published example, with `known` values instead of its ids. */
function exampleOf({ operation }: Target, known: Record<string, unknown>): Record<string, unknown> {
  const examples = (operation.parameters ?? [])
    .filter((one) => one.in === "query")
    .map(({ name, example, content }) => [name, known[name] ?? example ?? content?.["application/json"]?.example])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(examples);
}
