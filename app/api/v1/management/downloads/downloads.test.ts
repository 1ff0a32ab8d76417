import { expect, test } from "vitest";
import { principalOf } from "@/app/(owner)/access";
import { reportAt } from "@/app/(owner)/sites/[siteId]/reports/registry";
import { reportFile } from "@/app/(owner)/sites/[siteId]/reports/report-file";
import type { Report } from "@/components/reports/definition";
import { execute } from "@/lib/gateway/execute";
import sitesExportDownload from "@/lib/operations/sites.export.download";
import { db } from "@/lib/platform/db";
import { describeSite } from "@/lib/sites/access";
import { damaged } from "@/lib/testing/damaged";
import { readPdf } from "@/lib/testing/pdf-text";
import { importFiles } from "@/lib/testing/transfer";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";
import { zoneAtHour } from "@/lib/testing/zone";
import { exportEvents } from "@/lib/transfer/export";
import type { Format } from "@/lib/transfer/line";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { GET, POST } from "./[ticket]/route";

/** Files for agents: an operation answers an address, which needs no token. */

const EVENTS = "sites.export.download";
const REPORT = "sites.export.report";

async function siteWithVisits(): Promise<TestSite> {
  // It is noon there: the visits, an hour ago, are of today.
  const site = await makeSite({ timezone: zoneAtHour(12) });
  const at = new Date(Date.now() - 3600_000);
  await send(site, { name: "pageview", url: `https://${site.host}/?utm_campaign=launch&utm_source=news` }, { at });
  await send(site, { name: "Signup", url: `https://${site.host}/`, props: { plan: "=pro, Zoë" } }, { at });
  return site;
}

const agentOf = (site: TestSite, more: object = {}) =>
  makeClient({ scopes: ["events:read", "analytics:read"], sites: [site], personId: site.ownerId, ...more });
type Agent = Awaited<ReturnType<typeof agentOf>>;

const addressFor = async ({ token }: Agent, operation: string, input: Record<string, unknown>, now = new Date()) => {
  const { status, body } = await callApi(operation, { token, input, now });
  expect([status, body.error]).toEqual([200, undefined]);
  return `${body.data.url}`;
};

const fetched = (address: string) =>
  GET(new Request(address, { headers: { host: "localhost:3000" } }), {
    params: Promise.resolve({ ticket: address.split("/").at(-1) ?? "" }),
  });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test("an agent downloads all events in each format by an address, with the bytes that its owner downloads, and each download is recorded", async () => {
  const site = await siteWithVisits();
  const agent = await agentOf(site);
  for (const format of ["csv", "ndjson", "parquet"] as Format[]) {
    const response = await fetched(await addressFor(agent, EVENTS, { site_id: site.id, format }));
    expect(response.headers.get("content-disposition")).toMatch(new RegExp(`${site.host}-events-.*\\.${format}"$`));
    expect(response.headers.get("cache-control")).toBe("no-store");
    const by = { principal: principalOf({ personId: site.ownerId }), siteId: site.id, requestId: "t", now: new Date() };
    const chunks: (string | Uint8Array)[] = [];
    for await (const chunk of (await exportEvents(by, { format, after: null })).chunks) chunks.push(chunk);
    expect((await bytesOf(response)).equals(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))))).toBe(true);
  }
  const where = { siteId: site.id, operation: EVENTS, clientId: agent.id };
  expect(await db().audit.count({ where })).toBe(3);
});

test("an agent downloads the totals that imports brought by an address, which its lost scope closes", async () => {
  const site = await makeSite();
  const totals = "date,visitors,pageviews,bounces,visits,visit_duration\n2025-03-01,10,30,4,12,600\n";
  await importFiles(site, PLAUSIBLE, { "imported_visitors_20250301_20250301.csv": totals });
  const agent = await agentOf(site);
  const address = await addressFor(agent, EVENTS, { site_id: site.id, format: "csv", content: "imported" });
  const response = await fetched(address);
  expect(response.headers.get("content-disposition")).toMatch(new RegExp(`${site.host}-imported-.*\\.csv"$`));
  expect((await response.text()).split("\r\n")[1]).toBe('"2025-03-01","all","",10,12,4,600000,30,,"plausible"');
  await db().client.update({ where: { id: agent.id }, data: { grantedScopes: ["analytics:read"] } });
  expect((await fetched(address)).status).toBe(403);
});

test("an agent downloads a report as its page does, as CSV, JSON and PDF", async () => {
  const site = await siteWithVisits();
  const agent = await agentOf(site);
  const principal = principalOf({ personId: site.ownerId });
  const shape = await describeSite(db(), site.id, principal);
  const asOwner = async (key: string, query: Record<string, string>) =>
    reportFile({
      ...{ principal, site: shape, key, query },
      report: (await reportAt(key)) as Report,
      segments: async () => [],
      signal: new AbortController().signal,
    });
  const asked = { site_id: site.id, report: "campaigns", period: "7d", filters: { page: "/" } };
  const csv = await fetched(await addressFor(agent, REPORT, { ...asked, format: "csv" }));
  const query = { period: "7d", filters: '{"page":"/"}', compare: "none" };
  const own = await asOwner("campaigns", { ...query, format: "csv", table: "campaigns" });
  expect(csv.headers.get("content-disposition")).toBe(own.headers.get("content-disposition"));
  const text = await csv.text();
  expect([text, text.includes("launch")]).toEqual([await own.text(), true]);
  const parameters = { dimensions: "country" };
  const json = await fetched(
    await addressFor(agent, REPORT, { ...asked, report: "explore", format: "json", parameters }),
  );
  expect(await json.json()).toMatchObject({ meta: { filters: { page: expect.anything() } } });
  const pdf = await fetched(await addressFor(agent, REPORT, { ...asked, format: "pdf" }));
  expect(JSON.stringify(readPdf(await bytesOf(pdf)))).toContain("launch");
});

test("an address serves its own file for ten minutes, and only as long as its agent may read it", async () => {
  const site = await siteWithVisits();
  const codeOf = async (address: string) => {
    const response = await fetched(address);
    return [response.status, response.ok ? "answered" : (await response.json()).error.code];
  };
  const early = new Date(Date.now() - 10 * 60_000 - 1);
  const past = await agentOf(site, { now: early });
  const input = { site_id: site.id, format: "ndjson" };
  expect(await codeOf(await addressFor(past, EVENTS, input, early))).toEqual([404, "not_found"]);
  const agent = await agentOf(site);
  const address = await addressFor(agent, EVENTS, input);
  const ticket = address.split("/").at(-1) ?? "";
  for (const wrong of [damaged(ticket), ticket.slice(0, 40), "x", ""])
    expect(await codeOf(address.replace(ticket, wrong))).toEqual([404, "not_found"]);
  expect((await fetched(address)).status).toBe(200);
  const refusals: [change: () => Promise<unknown>, refused: unknown[]][] = [
    [
      () => db().client.update({ where: { id: agent.id }, data: { grantedScopes: ["analytics:read"] } }),
      [403, "insufficient_scope"],
    ],
    [() => db().client.update({ where: { id: agent.id }, data: { grantedScopes: ["events:read"] } }), [200]],
    [() => db().membership.updateMany({ where: { siteId: site.id }, data: { role: "viewer" } }), [403, "role_denied"]],
    [() => db().clientSite.deleteMany({ where: { clientId: agent.id } }), [403, "site_not_granted"]],
    [() => db().client.update({ where: { id: agent.id }, data: { revokedAt: new Date() } }), [404, "not_found"]],
  ];
  for (const [change, refused] of refusals) {
    await change();
    expect(refused[0] === 200 ? [(await fetched(address)).status] : await codeOf(address)).toEqual(refused);
  }
});

test("an address of a disabled person, or of an agent of theirs, downloads nothing", async () => {
  const site = await siteWithVisits();
  const input = { site_id: site.id, format: "ndjson" };
  const principal = principalOf({ personId: site.ownerId });
  const now = new Date();
  const own = await execute(sitesExportDownload, { principal, input, now });
  const addresses = [own.data.url, await addressFor(await agentOf(site), EVENTS, input)];
  const statuses = () => Promise.all(addresses.map(async (address) => (await fetched(address)).status));
  expect(await statuses()).toEqual([200, 200]);
  await db().person.update({ where: { id: site.ownerId }, data: { disabledAt: now } });
  expect(await statuses()).toEqual([404, 404]);
});

test("what cannot be downloaded is refused by name, before the address or at it", async () => {
  const site = await siteWithVisits();
  const agent = await agentOf(site);
  const viewer = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  const refusalOf = async ({ token }: Agent, operation: string, input: object) => {
    const { status, body } = await callApi(operation, { token, input: { site_id: site.id, ...input } });
    return [status, body.error?.details?.issues?.[0]?.path ?? body.error?.code];
  };
  const csv = { report: "campaigns", format: "csv" };
  expect(await refusalOf(viewer, EVENTS, { format: "csv" })).toEqual([403, "insufficient_scope"]);
  expect(await refusalOf(agent, EVENTS, { format: "xls" })).toEqual([422, "format"]);
  expect(await refusalOf(agent, EVENTS, { format: "csv", after: "1; DROP" })).toEqual([422, "after"]);
  expect(await refusalOf(agent, EVENTS, { format: "csv", site_id: site.id + 100_000 })).toEqual([
    403,
    "site_not_granted",
  ]);
  expect(await refusalOf(agent, REPORT, { ...csv, report: "../campaigns" })).toEqual([422, "report"]);
  expect(await refusalOf(agent, REPORT, { ...csv, to: "2026-11-01" })).toEqual([422, "to"]);
  expect(await refusalOf(agent, REPORT, { ...csv, filters: { page: "x".repeat(6_000) } })).toEqual([422, "filters"]);
  expect(await refusalOf(agent, REPORT, { ...csv, parameters: { period: "never", site_id: 1 } })).toEqual([
    422,
    "parameters.period",
  ]);
  const at = async (input: object) => {
    const response = await fetched(await addressFor(agent, REPORT, { site_id: site.id, ...csv, ...input }));
    return [response.status, response.ok ? "answered" : (await response.json()).error.message];
  };
  expect(await at({ table: "secrets" })).toEqual([404, expect.stringContaining("table must be one of campaigns")]);
  expect(await at({ parameters: { color: 1 } })).toEqual([422, expect.stringContaining("parameters.color")]);
  expect(await at({ filters: { planet: "Mars" } })).toEqual([422, expect.stringContaining("planet")]);
  const posted = POST(new Request("http://localhost:3000/api/v1/management/downloads/x", { method: "POST" }));
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
});
