import { expect, test } from "vitest";
import { reopenDays, sealSite } from "@/lib/analytics/rollups";
import { reports } from "@/lib/db";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import overview from "@/lib/operations/analytics.overview";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import type { Service } from "@/lib/transfer/daily-sums";
import { GA4 } from "@/lib/transfer/ga4";
import { importSums } from "@/lib/transfer/import-sums";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { UMAMI } from "@/lib/transfer/umami";

const NOW = new Date("2025-03-20T12:00:00Z");
const TOTALS = `"date","visitors","pageviews","bounces","visits","visit_duration"
"2025-03-01",10,30,4,12,600
"2025-03-02",20,50,5,25,1500
"2025-03-10",99,99,9,99,99
`;
const SOURCES = `date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,pageviews,visitors,visits,visit_duration,bounces
2025-03-01,Google,google.com,,,,,,20,6,7,300,2
2025-03-01,Direct / None,,,,,,,8,3,4,200,1
2025-03-01,Newsletter,,letter,email,"may, the ""fourth""",,,2,1,1,100,1
`;
const PAGES = `date,hostname,page,visits,visitors,pageviews\n2025-03-01,a.example,/b,5,4,9\n2025-03-01,c.example,/b,1,1,2\n`;
const DEVICES = `date,device,visitors,visits,visit_duration,bounces,pageviews\n2025-03-02,Laptop,20,25,1500,5,50\n`;

async function* linesOf(text: string) {
  for (const line of text.split("\n")) yield { text: line };
}

const take = (site: TestSite, service: Service, files: Record<string, string>) =>
  importSums(
    service,
    Object.entries(files).map(([name, text]) => ({ name, lines: linesOf(text) })),
    { siteId: site.id, timezone: "UTC", host: site.host },
  );

async function asked(site: TestSite, more: Record<string, unknown> = {}) {
  const input = { site_id: site.id, from: "2025-02-20", to: "2025-03-19", ...more };
  const call = { principal: { kind: "owner" as const, personId: site.ownerId }, now: NOW, input };
  return (await execute(overview, call)).data;
}

/** A site that has counted itself since the tenth. */
async function siteWithPast(): Promise<TestSite> {
  const site = await makeSite();
  await send(site, "/b", { at: "2025-03-10T12:00:00Z" });
  return site;
}

test("Plausible's days come before the site's own, sealed anew as often as one likes, and are told as imported", async () => {
  const site = await siteWithPast();
  const files = { totals: TOTALS, sources: SOURCES, pages: PAGES, devices: DEVICES, other: "a,b\n1,2\n" };
  const imported = await take(site, PLAUSIBLE, files);
  expect(imported).toEqual({ rows: 9, days: 2, ownDays: 1, unknown: ["other"] });
  await sealSite(site.id, "UTC", NOW);
  const whole = await asked(site);
  expect(whole.metrics).toMatchObject({ visitors: 31, visits: 38, pageviews: 81, bounce_rate: 10 / 38 });
  expect(whole.metrics.visit_duration).toBeCloseTo(2100 / 38);
  expect(whole.meta.imported).toEqual({ from: "2025-03-01", to: "2025-03-02" });
  const told = JSON.stringify(whole);
  for (const word of ["Google", "Organic Search", "Newsletter", "Email", "Desktop"])
    expect(told).toContain(`"${word}"`);
  expect(told).toMatch(/"\/b"[^}]*"pageviews":12/);
  expect((await asked(site, { traffic: "bot" })).metrics.visitors).toBe(0);
  expect((await asked(site, { filters: { page: "/b" } })).metrics.visitors).toBe(1);
  expect((await asked(site, { from: "2025-03-05" })).meta.imported).toBeUndefined();
  expect((await asked(site, { from: null, to: null, period: "all" })).meta.from).toBe("2025-03-01");

  await take(site, PLAUSIBLE, files);
  await reopenDays(site.id);
  await sealSite(site.id, "UTC", NOW);
  expect(await asked(site)).toEqual(whole);
  // Days are dates: in another zone they are the same.
  await sealSite(site.id, "Pacific/Auckland", NOW);
  const zoned = await reports().$queryRaw`SELECT count(*)::int AS days FROM facts.sealed
    WHERE site_id = ${site.id} AND timezone = 'Pacific/Auckland' AND length = 1 AND traffic = 1 AND block IN (20148, 20149)`;
  expect(zoned).toEqual([{ days: 2 }]);
});

test("a day that gets facts of its own counts these alone", async () => {
  const site = await makeSite();
  await take(site, PLAUSIBLE, { totals: TOTALS });
  await sealSite(site.id, "UTC", NOW);
  expect((await asked(site)).metrics.visitors).toBe(129);
  await send(site, "/", { at: "2025-03-02T12:00:00Z" });
  await reopenDays(site.id);
  await sealSite(site.id, "UTC", NOW);
  expect((await asked(site)).metrics.visitors).toBe(110);
});

test("days without whole sums, without a day before the site's own, or with a broken line are refused, and nothing of them is kept", async () => {
  const site = await siteWithPast();
  await expect(take(site, PLAUSIBLE, { pages: PAGES })).rejects.toThrow(/1 whole days are missing, of 2025-03-01/);
  const late = TOTALS.split("\n").toSpliced(1, 2).join("\n");
  await expect(take(site, PLAUSIBLE, { totals: late })).rejects.toThrow(/before the site's own first event/);
  const broken = TOTALS.replace('"2025-03-02",20', '"2025-03-02",many');
  await expect(take(site, PLAUSIBLE, { totals: broken })).rejects.toThrow(
    /^totals, line 3: visitors is no number: many/,
  );
  expect(await reports().$queryRaw`SELECT FROM facts.imported WHERE site_id = ${site.id}`).toEqual([]);
  const unclosed = `${TOTALS}"2025-03-03,1\n${"2025-03-03,1\n".repeat(100_000)}`;
  await expect(take(site, PLAUSIBLE, { totals: unclosed })).rejects.toThrow("Line 5: it has a quote");
});

test("Google Analytics' reports are read below their comments, rates and averages as sums", async () => {
  const site = await makeSite();
  const head = "# ----\n# Free form 1\n# 20250301-20250302\n# ----\n\n";
  const totals = `${head}Date,Total users,Sessions,Views,Bounce rate,Average session duration\n20250301,8,10,25,0.4,30.5\n`;
  const countries = `${head}Date,Country ID,Total users,Sessions,Views\n20250301,DE,5,6,20\n20250301,(not set),3,4,5\n`;
  await take(site, GA4, { totals, countries });
  await sealSite(site.id, "UTC", NOW);
  const call = { principal: { kind: "owner" as const, personId: site.ownerId }, now: NOW };
  const input = { site_id: site.id, from: "2025-02-28", to: "2025-03-02", interval: "day" };
  const { data } = await execute(chart, { ...call, input });
  expect(JSON.stringify(data)).toMatch(/"visitors":8.*"pageviews":25/);
  const { metrics } = await asked(site);
  expect(metrics).toMatchObject({ visitors: 8, visits: 10, pageviews: 25, bounce_rate: 0.4, visit_duration: 30.5 });
  expect(JSON.stringify(await asked(site))).toMatch(/"DE"[^}]*"visitors":5/);
});

test("Umami's events become days of visits, with what its sessions tell of browsers; those of two websites are refused", async () => {
  const site = await makeSite();
  const head =
    "event_id,website_id,session_id,visit_id,created_at,url_path,referrer_domain,event_type,event_name,hostname,utm_source";
  const hit = (visit: string, at: string, path: string, more = "1,,a.example,") =>
    `e,w1,s${visit[0]},v${visit},2025-03-01 ${at},${path},www.google.com,${more}`;
  const events = [
    ...[head, hit("1a", "10:00:00.5+00", "/"), hit("1a", "10:02:00.5+00", "/b"), hit("1b", "15:00:00+00", "/b")],
    ...[hit("2a", "11:00:00Z", "/"), hit("2a", "11:00:10", "/", "2,Signup,a.example,"), ""],
  ].join("\n");
  const sessions =
    "session_id,website_id,browser,os,device,country\ns1,w1,ios,iOS,mobile,FR\ns2,w1,edge-chromium,Windows 10,laptop,DE\n";
  await expect(take(site, UMAMI, { events: events.replace("w1", "w2"), sessions })).rejects.toThrow(/2 websites/);
  expect(await take(site, UMAMI, { events, sessions })).toMatchObject({ rows: 7, days: 1, unknown: [] });
  await sealSite(site.id, "UTC", NOW);
  const { metrics, ...rest } = await asked(site);
  expect(metrics).toMatchObject({ visitors: 2, visits: 3, pageviews: 4, events: 1, bounce_rate: 1 / 3 });
  expect(metrics.visit_duration).toBeCloseTo(130 / 3);
  const told = JSON.stringify(rest);
  for (const word of ["Google", "Organic Search", "Mobile Safari", "Edge", "Windows", "Desktop", "FR"])
    expect(told).toContain(`"${word}"`);
});
