import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOOLS } from "@/lib/mcp/tools";
import { connect, type Era, type McpServerOfTest, READING, serveMcp, siteWithAssistant } from "@/lib/testing/mcp";
import { callTool } from "@/lib/testing/mcp-client";
import { send } from "@/lib/testing/world";

/** The MCP endpoint with clients that others wrote, over HTTP. */

let server: McpServerOfTest;
beforeAll(async () => {
  server = await serveMcp();
});
afterAll(() => server.stop());

const ERAS: Era[] = ["modern", "legacy"];
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

test("the client of the first SDK lists the tools and reads a report", async () => {
  const { site, token } = await siteWithAssistant();
  await send(site, "/", { at: "2026-03-11T10:00:00Z" });
  const client = new FirstClient({ name: "a-test", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new FirstTransport(new URL(server.url), { requestInit: { headers } }) as never);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
  const result = await client.callTool({ name: "analytics_overview", arguments: { site_id: site.id } });
  expect(result.structuredContent).toMatchObject({ data: { metrics: { visitors: 1 } } });
  await client.close();
});

const REPORTS: [string, object][] = [
  ["analytics_overview", {}],
  ["analytics_chart", { interval: "day" }],
  ["analytics_explore", { dimensions: "page" }],
  ["analytics_filter_options", { field: "page" }],
  ["analytics_events", {}],
  ["analytics_realtime", {}],
  ["analytics_funnels", { funnel: "/ > /pricing" }],
  ["analytics_journeys", {}],
  ["analytics_retention", {}],
  ["analytics_campaigns", {}],
  ["analytics_changes", {}],
];

test.each(ERAS)("a client of the %s revisions reads every report, with its range in the text", async (era) => {
  const { site, token } = await siteWithAssistant();
  await send(site, "/", { at: "2026-03-11T10:00:00Z" });
  await send(site, "/pricing", { at: "2026-03-11T10:01:00Z" });
  const client = await connect(server.url, token, era);
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
});

test.each(ERAS)("a client of the %s revisions creates a site once, however often it repeats the call", async (era) => {
  const { site, token } = await siteWithAssistant([...READING, "sites:create"]);
  const client = await connect(server.url, token, era);
  const input = { domain: `new-${site.host}`, timezone: "UTC", public: false, idempotency_key: `new-${site.host}` };
  const first = await callTool(client, "sites_create", input);
  const again = await callTool(client, "sites_create", input);
  expect(first.data.domain).toBe(`new-${site.host}`);
  expect([again.data.site_id, again.structuredContent.replayed]).toEqual([first.data.site_id, true]);
  await client.close();
});

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
