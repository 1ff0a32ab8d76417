import type { ClientCapabilities } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { UrlElicitationRequiredError as FirstElicitationRequired } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOOLS } from "@/lib/mcp/tools";
import { revokeConnection } from "@/lib/oauth/disconnect";
import { managementResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { decide } from "@/lib/testing/approved";
import {
  connect,
  type Era,
  MCP_TIME,
  type McpServerOfTest,
  READING,
  serveMcp,
  siteWithAssistant,
} from "@/lib/testing/mcp";
import { callTool } from "@/lib/testing/mcp-client";
import { makeClient, send } from "@/lib/testing/world";

/** The MCP endpoint with clients that others wrote, over HTTP. */

let server: McpServerOfTest;
beforeAll(async () => {
  server = await serveMcp();
});
afterAll(() => server.stop());

const ERAS: Era[] = ["modern", "legacy"];
/** The official client in both eras, and the one of the first SDK. */
const CLIENTS = [...ERAS, "first SDK's"] as const;

async function connectAs(kind: (typeof CLIENTS)[number], token: string, capabilities: ClientCapabilities = {}) {
  if (kind !== "first SDK's") return connect(server.url, token, kind, capabilities);
  const client = new FirstClient({ name: "a-test", version: "1.0.0" }, { capabilities: capabilities as never });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new FirstTransport(new URL(server.url), { requestInit: { headers } }) as never);
  return client;
}
const NAMES = [...TOOLS.map(({ name }) => name), "operations_find"];

test.each(ERAS)("a client of the %s revisions connects and lists all tools", async (era) => {
  const { token } = await siteWithAssistant();
  const client = await connect(server.url, token, era);
  expect(client.getNegotiatedProtocolVersion()).toBe(era === "modern" ? "2026-07-28" : "2025-11-25");
  expect(client.getServerVersion()?.name).toBe("footfall");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  await client.close();
});

const REPORTS: [string, object][] = [
  ["analytics_overview", {}],
  ["analytics_chart", { interval: "day" }],
  ["analytics_explore", { dimensions: "page" }],
  ["analytics_changes", {}],
  ["analytics_filter_options", { field: "page" }],
  ["analytics_events", {}],
  ["analytics_realtime", {}],
  ["analytics_funnels", { funnel: "/ > /pricing" }],
  ["analytics_journeys", {}],
  ["analytics_retention", {}],
  ["analytics_campaigns", {}],
];

test.each(CLIENTS)(
  "a client of the %s revisions lists the tools and reads every report, with its range in the text",
  async (kind) => {
    const { site, token } = await siteWithAssistant();
    await send(site, "/", { at: "2026-03-11T10:00:00Z" });
    await send(site, "/pricing", { at: "2026-03-11T10:01:00Z" });
    const client = await connectAs(kind, token);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
    expect(REPORTS.map(([name]) => name)).toEqual(NAMES.filter((name) => name.startsWith("analytics_")));
    for (const [name, more] of REPORTS) {
      const { text, data, isError } = await callTool(client, name, { site_id: site.id, period: "7d", ...more });
      expect([name, isError ?? false, data?.meta?.site_id]).toEqual([name, false, site.id]);
      if (name !== "analytics_realtime") expect(text).toContain("2026-03-06 to 2026-03-12, UTC");
    }
    const { text } = await callTool(client, "analytics_overview", { site_id: site.id, period: "7d" });
    expect(text).toContain("Visitors: 1, Visits: 1, Pageviews: 2");
    const { data } = await callTool(client, "sites_list");
    expect(data.sites.map(({ site_id }: { site_id: number }) => site_id)).toEqual([site.id]);
    await client.close();
  },
);

test.each(CLIENTS)(
  "a client of the %s revisions creates a site once, however often it repeats the call",
  async (kind) => {
    const { site, token } = await siteWithAssistant([...READING, "sites:create"]);
    const client = await connectAs(kind, token);
    const input = { domain: `new-${site.host}`, timezone: "UTC", public: false, idempotency_key: `new-${site.host}` };
    const first = await callTool(client, "sites_create", input);
    const again = await callTool(client, "sites_create", input);
    expect(first.data.domain).toBe(`new-${site.host}`);
    expect([again.data.site_id, again.structuredContent.replayed]).toEqual([first.data.site_id, true]);
    await client.close();
  },
);

test("what has no tool of its own is found, described and called", async () => {
  const { site, token } = await siteWithAssistant([...READING, "sites:write"]);
  const client = await connect(server.url, token, "modern");
  const found = await callTool(client, "operations_find", { query: "goals save" });
  const [operation] = found.structuredContent.operations;
  expect(operation).toMatchObject({ operation: "sites.goals.save", tool: "operations_write" });
  expect(Object.keys(operation.input.properties)).toContain("site_id");
  const input = { ...operation.example, site_id: site.id };
  const saved = await callTool(client, "operations_write", { operation: "sites.goals.save", input });
  expect(saved.isError ?? false).toBe(false);
  const list = { operation: "sites.goals.list", input: { site_id: site.id } };
  expect((await callTool(client, "operations_read", list)).data.goals).toHaveLength(1);
  await client.close();
});

test("a tool of one kind refuses operations of another, and names the tool that runs them", async () => {
  const { site, token } = await siteWithAssistant([...READING, "sites:delete"]);
  const client = await connect(server.url, token, "modern");
  for (const tool of ["operations_read", "operations_write"]) {
    const answer = await callTool(client, tool, { operation: "sites.delete", input: { site_id: site.id } });
    expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining("operations_request_approval")]);
  }
  await client.close();
});

test("concurrent calls of one client each get their own answer", async () => {
  const { site, token } = await siteWithAssistant();
  const client = await connect(server.url, token, "modern");
  const days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"];
  const answers = await Promise.all(
    days.map((day) => callTool(client, "analytics_overview", { site_id: site.id, from: day, to: day })),
  );
  expect(answers.map(({ data }) => data.meta.from)).toEqual(days);
  await client.close();
});

test("the client of the first SDK gets addresses as an error, and repeats the call once a person has decided", async () => {
  const { site, token, clientId } = await siteWithAssistant([...READING, "sites:write"]);
  const client = await connectAs("first SDK's", token, { elicitation: { url: {} } });
  const ask = (retention_months: number) =>
    callTool(client, "operations_request_approval", {
      operation: "sites.retention.update",
      input: { site_id: site.id, retention_months },
    });
  for (const [months, decision] of [
    [24, "denied"],
    [12, "approved"],
  ] as const) {
    const error = await ask(months).catch((thrown: unknown) => thrown);
    const [approval] = await db().approval.findMany({ where: { clientId, status: "pending" } });
    expect(error).toBeInstanceOf(FirstElicitationRequired);
    expect((error as FirstElicitationRequired).elicitations).toMatchObject([
      { mode: "url", url: `http://localhost:3000/approvals/${approval?.id}` },
    ]);
    await decide(`${approval?.id}`, site.ownerId, decision, MCP_TIME);
    const { isError, text, data } = await ask(months);
    if (decision === "denied") expect([isError, text]).toEqual([true, expect.stringMatching(/^approval_denied/)]);
    else expect(data.retention_months).toBe(12);
  }
  await client.close();
});

test.each(CLIENTS)("a client of the %s revisions with a token for another resource cannot connect", async (kind) => {
  const { site } = await siteWithAssistant();
  const agent = {
    scopes: READING,
    sites: [site],
    personId: site.ownerId,
    now: MCP_TIME,
    audience: managementResource(),
  };
  const { token } = await makeClient(agent);
  await expect(connectAs(kind, token)).rejects.toThrow(/401|invalid_token|access token is invalid/i);
});

test.each(CLIENTS)(
  "a client of the %s revisions that is disconnected, or lacks a scope, learns it at the call",
  async (kind) => {
    const { site, token, clientId } = await siteWithAssistant(["sites:read"]);
    const client = await connectAs(kind, token);
    await expect(callTool(client, "analytics_overview", { site_id: site.id })).rejects.toThrow(/403|scope/i);
    expect((await callTool(client, "sites_list")).isError ?? false).toBe(false);
    await revokeConnection({ personId: site.ownerId, clientId, requestId: "test" }, MCP_TIME);
    await expect(callTool(client, "sites_list")).rejects.toThrow(/401|invalid_token|access token is invalid/i);
    await client.close();
  },
);
