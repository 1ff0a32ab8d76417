import { randomUUID } from "node:crypto";
import { type Client, UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueAccessToken, mcpResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { decide } from "@/lib/testing/approved";
import { damaged } from "@/lib/testing/damaged";
import {
  connect,
  type Era,
  MCP_TIME,
  type McpServerOfTest,
  postMessage,
  READING,
  serveMcp,
  siteWithAssistant,
} from "@/lib/testing/mcp";
import { callTool } from "@/lib/testing/mcp-client";
import { callApi } from "@/lib/testing/world";

/** Approvals over MCP: shown to a person by every kind of client, decided by the row, used once. */

let server: McpServerOfTest;
let patient: McpServerOfTest;
let later: McpServerOfTest;
let nextDay: McpServerOfTest;
beforeAll(async () => {
  server = await serveMcp();
  patient = await serveMcp({ waitMs: 60_000 });
  later = await serveMcp({ now: new Date(MCP_TIME.getTime() + 2 * 3600_000) });
  nextDay = await serveMcp({ now: new Date(MCP_TIME.getTime() + 25 * 3600_000) });
});
afterAll(() => Promise.all([server, patient, later, nextDay].map((one) => one.stop())));

const ERAS: Era[] = ["modern", "legacy"];
const TOOL = "operations_request_approval";
const URLS = { elicitation: { url: {} } };
const setup = () => siteWithAssistant([...READING, "sites:write", "sites:delete"]);
const retention = (siteId: number, months: number | null = 24) => ({
  operation: "sites.retention.update",
  input: { site_id: siteId, retention_months: months },
});

const monthsOf = async (siteId: number) => (await db().site.findUniqueOrThrow({ where: { id: siteId } })).keepMonths;
const approvalsOf = (clientId: string) =>
  db().approval.findMany({ where: { clientId }, orderBy: { requestedAt: "asc" } });

/** Connects a client that opens addresses as `open` does. */
async function opening(
  url: string,
  token: string,
  open: (params: { url: string; message: string }) => Promise<string>,
) {
  const client = await connect(url, token, "modern", URLS);
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: (await open(params as never)) as "accept",
  }));
  return client;
}

test("a client that opens addresses shows the page and its code, and the change is made once the person approves", async () => {
  const { site, token, clientId } = await setup();
  const shown: string[] = [];
  const client = await opening(patient.url, token, async ({ url, message }) => {
    const [approval] = await approvalsOf(clientId);
    shown.push(url, message);
    await decide(`${approval?.id}`, site.ownerId, "approved", MCP_TIME);
    return "accept";
  });
  const { isError, data } = await callTool(client, TOOL, retention(site.id));
  const [approval, ...more] = await approvalsOf(clientId);
  expect([isError ?? false, data.retention_months, more]).toEqual([false, 24, []]);
  expect(shown).toEqual([
    `http://localhost:3000/approvals/${approval?.id}`,
    expect.stringContaining(`the code ${approval?.bindingCode}`),
  ]);
  expect([approval?.status, await monthsOf(site.id)]).toEqual(["consumed", 24]);
  // What the person approved, and the gateway compared.
  expect(approval?.document).toMatchObject({ resource: mcpResource(), client_id: clientId });
  await client.close();
});

test("the row of the approval decides, not that the client says accept", async () => {
  const { site, token, clientId } = await setup();
  let asked = 0;
  const client = await opening(server.url, token, async () => {
    asked++;
    return "accept";
  });
  const refused = await callTool(client, TOOL, retention(site.id)).catch((error: Error) => error);
  expect([refused, asked]).toEqual([expect.any(Error), 1]);
  expect((await approvalsOf(clientId)).map(({ status }) => status)).toEqual(["pending"]);
  expect(await monthsOf(site.id)).not.toBe(24);
  await client.close();
});

test("a person who does not open the page changes nothing, and the request waits", async () => {
  const { site, token, clientId } = await setup();
  const client = await opening(server.url, token, async () => "decline");
  const { isError, text } = await callTool(client, TOOL, retention(site.id));
  expect([isError, text]).toEqual([true, expect.stringContaining("approval_id apr_")]);
  expect((await approvalsOf(clientId)).map(({ status }) => status)).toEqual(["pending"]);
  await client.close();
});

test("a client of 2025 that opens addresses gets them as an error, and repeats the same call", async () => {
  const { site, token, clientId } = await setup();
  const client = await connect(server.url, token, "legacy", URLS);
  const error = await callTool(client, TOOL, retention(site.id)).catch((thrown: unknown) => thrown);
  const [approval] = await approvalsOf(clientId);
  expect(error).toBeInstanceOf(UrlElicitationRequiredError);
  expect((error as UrlElicitationRequiredError).elicitations).toEqual([
    {
      mode: "url",
      elicitationId: approval?.id,
      url: `http://localhost:3000/approvals/${approval?.id}`,
      message: expect.stringContaining(`${approval?.bindingCode}`),
    },
  ]);
  await decide(`${approval?.id}`, site.ownerId, "approved", MCP_TIME);
  expect((await callTool(client, TOOL, retention(site.id))).data.retention_months).toBe(24);
  await client.close();
});

test("a client of 2025 that opens addresses learns of a denial by the same call, and later it asks again", async () => {
  const { site, token, clientId } = await setup();
  const client = await connect(server.url, token, "legacy", URLS);
  await callTool(client, TOOL, retention(site.id)).catch(() => undefined);
  const [approval] = await approvalsOf(clientId);
  await decide(`${approval?.id}`, site.ownerId, "denied", MCP_TIME);
  const { isError, text } = await callTool(client, TOOL, retention(site.id));
  expect([isError, text]).toEqual([true, expect.stringMatching(/^approval_denied: Nothing was changed/)]);
  expect(await approvalsOf(clientId)).toHaveLength(1);
  await db().approval.updateMany({ where: { clientId }, data: { decidedAt: new Date(MCP_TIME.getTime() - 121_000) } });
  const again = await callTool(client, TOOL, retention(site.id)).catch((thrown: unknown) => thrown);
  expect(again).toBeInstanceOf(UrlElicitationRequiredError);
  await client.close();
});

async function asked(client: Client, siteId: number) {
  const { isError, text, structuredContent } = await callTool(client, TOOL, retention(siteId));
  const { approval, approval_id } = structuredContent;
  expect([isError, approval.id]).toEqual([true, approval_id]);
  expect(text).toContain(approval.approval_url);
  expect(text).toContain(approval.binding_code);
  expect(text).toContain(approval_id);
  return approval_id as string;
}

test.each(ERAS)(
  "any other client of the %s revisions gets address, code and id as text, and resumes with the id, once",
  async (era) => {
    const { site, token, clientId } = await setup();
    const client = await connect(server.url, token, era);
    const approval_id = await asked(client, site.id);
    const waiting = await callTool(client, TOOL, { ...retention(site.id), approval_id });
    expect([waiting.isError, waiting.structuredContent.approval_id]).toEqual([true, approval_id]);
    await decide(approval_id, site.ownerId, "approved", MCP_TIME);
    const done = await callTool(client, TOOL, { ...retention(site.id), approval_id });
    expect([done.isError ?? false, done.data.retention_months]).toEqual([false, 24]);
    const again = await callTool(client, TOOL, { ...retention(site.id), approval_id });
    expect([again.structuredContent.replayed, again.data.retention_months]).toEqual([true, 24]);
    // One row for the decision, and one for the change.
    expect(await db().audit.count({ where: { clientId, approvalId: approval_id } })).toBe(2);
    await client.close();
  },
);

test("an approval is for one input: another input needs its own", async () => {
  const { site, token } = await setup();
  const client = await connect(server.url, token, "modern");
  const approval_id = await asked(client, site.id);
  await decide(approval_id, site.ownerId, "approved", MCP_TIME);
  const other = await callTool(client, TOOL, { ...retention(site.id, 12), approval_id });
  expect([other.isError, other.text]).toEqual([true, expect.stringContaining("for another input")]);
  expect(other.structuredContent.approval_id).not.toBe(approval_id);
  expect(await monthsOf(site.id)).not.toBe(12);
  await client.close();
});

test("an approval that was used is worth nothing for another input, which asks anew", async () => {
  const { site, token } = await setup();
  const client = await connect(server.url, token, "modern");
  const approval_id = await asked(client, site.id);
  await decide(approval_id, site.ownerId, "approved", MCP_TIME);
  expect((await callTool(client, TOOL, { ...retention(site.id), approval_id })).isError ?? false).toBe(false);
  const other = await callTool(client, TOOL, { ...retention(site.id, 12), approval_id });
  expect([other.isError, other.text]).toEqual([true, expect.stringContaining("A person must approve")]);
  expect(other.structuredContent.approval_id).not.toBe(approval_id);
  await client.close();
});

test("an approval of another client is worth nothing", async () => {
  const [mine, theirs] = [await setup(), await setup()];
  const [client, other] = [
    await connect(server.url, mine.token, "modern"),
    await connect(server.url, theirs.token, "modern"),
  ];
  const approval_id = await asked(other, theirs.site.id);
  await decide(approval_id, theirs.site.ownerId, "approved", MCP_TIME);
  const answer = await callTool(client, TOOL, { ...retention(mine.site.id), approval_id });
  expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining("no such approval")]);
  await Promise.all([client.close(), other.close()]);
});

test("an approval of a call over MCP is worth nothing at the management API", async () => {
  const { site, token, clientId } = await setup();
  const client = await connect(server.url, token, "modern");
  const approval_id = await asked(client, site.id);
  await decide(approval_id, site.ownerId, "approved", MCP_TIME);
  const agent = { clientId, ownerId: site.ownerId, scopes: ["sites:write"] as const, now: MCP_TIME };
  const elsewhere = await issueAccessToken(db(), agent);
  const { input, operation } = retention(site.id);
  const headers = { "x-agent-approval-id": approval_id };
  const { body } = await callApi(operation, { token: elsewhere, input, headers, now: MCP_TIME });
  expect(body.error).toMatchObject({ code: "approval_required", details: { reason: "context_changed" } });
  expect((await callTool(client, TOOL, { ...retention(site.id), approval_id })).data.retention_months).toBe(24);
  await client.close();
});

test.each(ERAS)("a denied request of a client of the %s revisions says so, and changes nothing", async (era) => {
  const { site, token } = await setup();
  const client = await connect(server.url, token, era);
  const approval_id = await asked(client, site.id);
  await decide(approval_id, site.ownerId, "denied", MCP_TIME);
  const { isError, text } = await callTool(client, TOOL, { ...retention(site.id), approval_id });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^approval_denied: Nothing was changed/)]);
  expect(await monthsOf(site.id)).not.toBe(24);
  await client.close();
});

test.each([
  ["approved, and not used within an hour", "modern"],
  ["approved, and not used within an hour", "legacy"],
  ["never decided within a day", "modern"],
  ["never decided within a day", "legacy"],
] as const)("an approval that was %s is asked for again by a client of the %s revisions", async (what, era) => {
  const { site, token, clientId } = await setup();
  const client = await connect(server.url, token, era);
  const approval_id = await asked(client, site.id);
  const isDecided = what.startsWith("approved");
  if (isDecided) await decide(approval_id, site.ownerId, "approved", MCP_TIME);
  await client.close();
  await db().accessToken.updateMany({ where: { clientId }, data: { expiresAt: new Date("2026-04-01T00:00:00Z") } });
  const again = await connect(isDecided ? later.url : nextDay.url, token, era);
  const answer = await callTool(again, TOOL, { ...retention(site.id), approval_id });
  expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining("has expired")]);
  expect(answer.structuredContent.approval_id).not.toBe(approval_id);
  await again.close();
});

test("a repeated call waits for the decision", async () => {
  const { site, token } = await setup();
  const [quick, client] = [await connect(server.url, token, "modern"), await connect(patient.url, token, "modern")];
  const approval_id = await asked(quick, site.id);
  const answer = callTool(client, TOOL, { ...retention(site.id), approval_id });
  await decide(approval_id, site.ownerId, "approved", MCP_TIME);
  expect((await answer).data.retention_months).toBe(24);
  await Promise.all([quick.close(), client.close()]);
});

/** Asks for approval without a client, and returns the state that it must send back. */
async function stateOf(token: string, siteId: number): Promise<string> {
  const { body } = await callRaw(token, retention(siteId), {});
  expect(body.result).toMatchObject({
    resultType: "input_required",
    inputRequests: { approval: { method: "elicitation/create" } },
  });
  return body.result.requestState;
}

async function callRaw(token: string, args: object, more: object) {
  const params = { name: TOOL, arguments: args, ...more };
  const response = await postMessage(server.url, { method: "tools/call", params, token, capabilities: URLS });
  return { status: response.status, body: await response.json() };
}

const accepted = { inputResponses: { approval: { action: "accept" } } };

test("the state of a request is sealed: a changed one, and that of another client, are refused", async () => {
  const { site, token, clientId } = await setup();
  const other = await setup();
  const requestState = await stateOf(token, site.id);
  for (const state of [damaged(requestState), "x", randomUUID(), await stateOf(other.token, other.site.id)]) {
    const { body } = await callRaw(token, retention(site.id), { requestState: state, ...accepted });
    expect(body.error).toMatchObject({ code: -32602, message: "Invalid or expired requestState" });
  }
  const [approval] = await approvalsOf(clientId);
  for (const text of [requestState, Buffer.from(requestState, "base64url").toString("latin1")])
    expect(text).not.toContain(approval?.id);
});

test("the state of a request belongs to one call: another input with it is refused", async () => {
  const { site, token, clientId } = await setup();
  const requestState = await stateOf(token, site.id);
  const [approval] = await approvalsOf(clientId);
  await decide(`${approval?.id}`, site.ownerId, "approved", MCP_TIME);
  const other = await callRaw(token, retention(site.id, 12), { requestState, ...accepted });
  expect(other.body.result).toMatchObject({ isError: true, structuredContent: { error: { code: "invalid_input" } } });
  const right = await callRaw(token, retention(site.id), { requestState, ...accepted });
  expect(right.body.result).toMatchObject({ structuredContent: { data: { retention_months: 24 } } });
});
