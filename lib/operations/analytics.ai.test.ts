import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import { measure } from "@/lib/ingest/api/measurement";
import { importLog } from "@/lib/logs/import";
import ai from "@/lib/operations/analytics.ai";
import explore from "@/lib/operations/analytics.explore";
import { db } from "@/lib/platform/db";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { keyOf, postEvents, SERVER_ADDRESS, siteWithKey } from "@/lib/testing/measuring";
import { asOwner } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = "2026-03-12T15:30:00Z";

const ask = async (site: TestSite, input: object = {}) =>
  (await execute(ai, asOwner(site, { period: "7d", ...input }, NOW))).data;

const AGENTS = {
  GPTBot: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  ClaudeBot: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  PerplexityBot:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
  "ChatGPT-User":
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  Googlebot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  AhrefsBot: "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
  Chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
} as const;

/** An address that Google publishes for Googlebot, and one that nobody does. */
const [GOOGLES, NOBODYS] = ["66.249.66.1", "198.51.100.4"];

/** A line of nginx in the format "combined". */
const line = (agent: keyof typeof AGENTS, target: string, status = 200, { address = NOBODYS, method = "GET" } = {}) =>
  `${address} - - [12/Mar/2026:09:58:03 +0000] "${method} ${target} HTTP/1.1" ${status} 5120 "-" "${AGENTS[agent]}"`;

async function* linesOf(texts: Iterable<string>) {
  let end = 0;
  for (const text of texts) {
    end += text.length + 1;
    yield { text, ended: true, end };
  }
}

async function importLines(site: TestSite, lines: string[]) {
  const now = () => new Date("2026-03-12T10:00:00Z");
  const send = async (request: Request) =>
    toWeb(await measure(fromWeb(request), { address: SERVER_ADDRESS, now: now(), path: "/api/v1/events" }));
  const { key } = await keyOf(site);
  const from = { site: site.host, to: "http://localhost", all: false, from: 1 };
  return importLog(linesOf(lines), { ...from, key, send, now, wait: async () => {} });
}

let people = 0;
/** A visit of a person who opens these pages. */
async function personOpens(site: TestSite, paths: string[], referrer: string | null = null, more: object[] = []) {
  people++;
  const sending = { at: "2026-03-11T09:00:00Z", address: `10.9.${people >> 8}.${people & 255}` };
  for (const path of paths)
    await send(site, { name: "pageview", url: `https://${site.host}${path}`, referrer }, sending);
  for (const event of more) await send(site, event, sending);
}

test("an access log tells who read which page, for what, how it was answered, and which pages nobody read", async () => {
  const site = await makeSite();
  await personOpens(site, ["/", "/pricing", "/new"]);
  await personOpens(site, ["/new"]);
  const sums = await importLines(site, [
    line("GPTBot", "/"),
    line("GPTBot", "/"),
    line("GPTBot", "/old", 404),
    line("ClaudeBot", "/", 304),
    line("ClaudeBot", "/broken", 500),
    line("PerplexityBot", "/guide"),
    line("PerplexityBot", "/old", 404),
    line("Googlebot", "/", 200, { address: GOOGLES }),
    line("Googlebot", "/guide"),
    line("Googlebot", "/moved", 301),
    line("GPTBot", "/form", 200, { method: "POST" }),
    line("GPTBot", "/style.css"),
    line("AhrefsBot", "/guide"),
    line("AhrefsBot", "/.env", 404),
    line("Chrome", "/pricing", 404),
  ]);
  expect(sums).toMatchObject({ sent: 10, stored: 10, invalid: 0, error: 0 });

  const found = await ask(site);
  expect(found.totals).toEqual({
    ai: { agents: 3, reads: 4, errors: 3, pages: 2, visits: 3 },
    search_engines: { agents: 1, reads: 2, errors: 0, pages: 2, visits: 2 },
  });
  expect(found.purposes).toEqual([
    { purpose: "training", reads: 3, errors: 2 },
    { purpose: "search", reads: 1, errors: 1 },
  ]);
  const none = { verified: 0, claimed: 0, spoofed: 0 };
  expect(found.agents.map(({ trend: _, last_seen: __, ...row }) => row)).toEqual([
    {
      ...{ agent: "GPTBot", operator: "OpenAI", purpose: "training", traffic: "ai" },
      ...{ reads: 2, errors: 1, visits: 1, pages: 1, verification: { ...none, spoofed: 1 }, verified_share: 0 },
    },
    {
      ...{ agent: "Googlebot", operator: "Google", purpose: "search", traffic: "bot" },
      ...{ reads: 2, errors: 0, visits: 2, pages: 2 },
      ...{ verification: { ...none, verified: 1, spoofed: 1 }, verified_share: 0.5 },
    },
    {
      ...{ agent: "ClaudeBot", operator: "Anthropic", purpose: "training", traffic: "ai" },
      ...{ reads: 1, errors: 1, visits: 1, pages: 1, verification: { ...none, spoofed: 1 }, verified_share: 0 },
    },
    {
      ...{ agent: "PerplexityBot", operator: "Perplexity", purpose: "search", traffic: "ai" },
      ...{ reads: 1, errors: 1, visits: 1, pages: 1, verification: { ...none, spoofed: 1 }, verified_share: 0 },
    },
  ]);
  expect(found.agents[0]?.last_seen).toMatch(/^2026-03-12T10:00:00\.\d{3}Z$/);
  expect(found.agents[0]?.trend).toEqual([0, 0, 0, 0, 0, 0, 2]);
  expect(found.pages.map(({ last_read: _, ...row }) => row)).toEqual([
    {
      ...{ page: "/", reads: 4, agents: 3, statuses: { "2xx": 3, "3xx": 1, "4xx": 0, "5xx": 0, unknown: 0 } },
      purposes: [
        { purpose: "training", reads: 3 },
        { purpose: "search", reads: 1 },
      ],
    },
    {
      ...{ page: "/guide", reads: 2, agents: 2, statuses: { "2xx": 2, "3xx": 0, "4xx": 0, "5xx": 0, unknown: 0 } },
      purposes: [{ purpose: "search", reads: 2 }],
    },
  ]);
  expect(found.errors.map(({ last_seen: _, ...row }) => row)).toEqual([
    { page: "/old", status: 404, requests: 2, agents: ["GPTBot", "PerplexityBot"] },
    { page: "/broken", status: 500, requests: 1, agents: ["ClaudeBot"] },
  ]);
  expect(found.unread).toEqual([
    { page: "/new", pageviews: 2, visitors: 2 },
    { page: "/pricing", pageviews: 1, visitors: 1 },
  ]);
});

test("a page that answered agents with errors only counts as unread, and one read at least once does not", async () => {
  const site = await makeSite();
  await personOpens(site, ["/a", "/b"]);
  await importLines(site, [line("GPTBot", "/a", 503), line("GPTBot", "/b", 503), line("GPTBot", "/b")]);
  const { unread, pages } = await ask(site);
  expect(unread?.map(({ page }) => page)).toEqual(["/a"]);
  expect(pages).toMatchObject([{ page: "/b", reads: 1, statuses: { "2xx": 1, "5xx": 1 } }]);
});

test("without a known request of any agent nobody can tell what they have not read, so it is null", async () => {
  const site = await makeSite();
  await personOpens(site, ["/"]);
  expect((await ask(site)).unread).toBeNull();
  await importLines(site, [line("AhrefsBot", "/")]);
  expect((await ask(site)).unread).toBeNull();
  await importLines(site, [line("GPTBot", "/x", 404)]);
  expect((await ask(site)).unread).toMatchObject([{ page: "/" }]);
});

test("a server sends page views of agents with or without a status; without one it is null and never zero", async () => {
  const { site, key } = await siteWithKey();
  const view = (path: string, status?: number) => ({
    type: "page",
    context: { page: { url: `https://${site.host}${path}`, status }, user_agent: AGENTS["ChatGPT-User"] },
  });
  const { body } = await postEvents([view("/a"), view("/b", 200), view("/c", 410)], {
    key,
    at: "2026-03-11T09:00:00Z",
  });
  expect(body.counts).toMatchObject({ stored: 3 });
  const { agents, pages, errors } = await ask(site);
  expect(agents).toMatchObject([{ agent: "ChatGPT-User", purpose: "assistant", reads: 2, errors: 1 }]);
  expect(pages.map(({ page, statuses }) => [page, statuses])).toEqual([
    ["/a", null],
    ["/b", { "2xx": 1, "3xx": 0, "4xx": 0, "5xx": 0, unknown: 0 }],
  ]);
  expect(errors).toMatchObject([{ page: "/c", status: 410, agents: ["ChatGPT-User"] }]);
});

test("a status that no page is answered with is refused with its place, and nothing is stored", async () => {
  const { site, key } = await siteWithKey();
  for (const status of [0, 99, 100, 600, 200.5, "200", -404, 1e9]) {
    const page = { url: `https://${site.host}/a`, status };
    const { body } = await postEvents([{ type: "page", context: { page } }], { key, at: "2026-03-11T09:00:00Z" });
    const fault = { status: "invalid", pointer: "/events/0/context/page/status" };
    expect(body.results, `${status}`).toMatchObject([fault]);
    expect(body.results[0]?.message).toMatch(/must be the HTTP status/);
  }
});

test("visits that assistants sent are listed by source with their conversions, revenue and landing pages", async () => {
  const site = await makeSite();
  const order = { name: "purchase", path: "/pricing", revenue: { amount: "49", currency: "EUR" } };
  await personOpens(site, ["/pricing"], "https://chatgpt.com/", [order]);
  await personOpens(site, ["/pricing"], "https://chatgpt.com/");
  await personOpens(site, ["/", "/pricing"], "https://chatgpt.com/");
  await personOpens(site, ["/"], "https://www.perplexity.ai/search/x");
  await personOpens(site, ["/"], "https://www.google.com/");
  const { referred, series, comparison } = await ask(site, { compare: "previous_period" });
  const { sources, ...total } = referred;
  expect(total).toEqual({
    ...{ visitors: 4, visits: 4, bounce_rate: 0.5, conversions: 1, conversion_rate: 0.25 },
    revenue: { amount: "49.00", currency: "EUR" },
  });
  expect(sources).toEqual([
    {
      ...{ source: "ChatGPT", visitors: 3, visits: 3, bounce_rate: 1 / 3, conversions: 1, conversion_rate: 1 / 3 },
      revenue: { amount: "49.00", currency: "EUR" },
      landing_pages: [
        { page: "/pricing", visits: 2 },
        { page: "/", visits: 1 },
      ],
    },
    {
      ...{ source: "Perplexity", visitors: 1, visits: 1, bounce_rate: 1, conversions: 0, conversion_rate: 0 },
      revenue: { amount: "0.00", currency: "EUR" },
      landing_pages: [{ page: "/", visits: 1 }],
    },
  ]);
  expect(series.map((bucket) => bucket.referred)).toEqual([0, 0, 0, 0, 0, 4, 0]);
  expect(comparison?.referred).toMatchObject({ visits: 0, bounce_rate: null, conversion_rate: null });
});

test("filters by robot, operator and purpose choose agents and leave people alone, also those of a segment", async () => {
  const site = await makeSite();
  await personOpens(site, ["/", "/guide"], "https://chatgpt.com/");
  await importLines(site, [line("GPTBot", "/"), line("ClaudeBot", "/guide"), line("Googlebot", "/")]);
  const names = async (input: object) => (await ask(site, input)).agents.map(({ agent }) => agent);
  expect(await names({ filters: { bot_operator: "OpenAI" } })).toEqual(["GPTBot"]);
  expect(await names({ filters: { bot_purpose: "training" } })).toEqual(["ClaudeBot", "GPTBot"]);
  expect(await names({ filters: { bot: "Googlebot" } })).toEqual(["Googlebot"]);
  expect(await names({ traffic: "ai" })).toEqual(["ClaudeBot", "GPTBot"]);
  expect(await names({ traffic: "bot" })).toEqual(["Googlebot"]);
  const at = { createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  const { id: segment } = await db().segment.create({
    data: { siteId: site.id, name: "OpenAI", filters: { bot_operator: "OpenAI" }, ...at },
  });
  for (const input of [{ filters: { bot_operator: "OpenAI" } }, { segment }]) {
    const { unread, referred } = await ask(site, input);
    expect(unread?.map(({ page }) => page)).toEqual(["/guide"]);
    expect(referred.visits).toBe(1);
  }
});

test("explore lists robots by operator and purpose, for visits and events alike", async () => {
  const site = await makeSite();
  await importLines(site, [line("GPTBot", "/"), line("GPTBot", "/b"), line("ClaudeBot", "/"), line("AhrefsBot", "/")]);
  const query = { traffic: "all", dimensions: "bot_operator,bot_purpose", metrics: "visits,pageviews" };
  const { rows } = (await execute(explore, asOwner(site, { period: "7d", ...query }, NOW))).data;
  expect(rows.map(({ values, visits, pageviews }) => [...values, visits, pageviews])).toEqual(
    expect.arrayContaining([
      ["OpenAI", "training", 1, 2],
      ["Anthropic", "training", 1, 1],
    ]),
  );
});
