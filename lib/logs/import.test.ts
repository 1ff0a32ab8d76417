import { expect, test } from "vitest";
import { reports } from "@/lib/db";
import { fromWeb, toWeb } from "@/lib/gateway/http";
import { measure } from "@/lib/ingest/measurement";
import { readLogLine } from "@/lib/logs/combined";
import { importLog } from "@/lib/logs/import";
import { keyOf, SERVER_ADDRESS } from "@/lib/testing/measuring";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const NOW = new Date("2025-03-04T12:00:00Z");

const line = (target: string, { agent = GPTBOT, address = "198.51.100.4", status = 200, method = "GET" } = {}) =>
  `${address} - - [04/Mar/2025:11:58:03 +0000] "${method} ${target} HTTP/1.1" ${status} 5120 "-" "${agent}"`;

async function importInto(site: TestSite, lines: string[], more: { all?: boolean; key?: string } = {}) {
  const key = more.key ?? (await keyOf(site)).key;
  return importLog(
    (async function* () {
      yield* lines;
    })(),
    {
      site: site.host,
      key,
      to: "http://localhost",
      all: more.all ?? false,
      send: async (request) => toWeb(await measure(fromWeb(request), { address: SERVER_ADDRESS, now: NOW })),
      wait: async () => {},
      now: () => NOW,
    },
  );
}

const viewsOf = (site: TestSite) =>
  reports().$queryRaw<{ path: string; views: number; traffic: number }[]>`
    SELECT page.path, count(*)::int AS views, min(traffic)::int AS traffic FROM facts.event
    JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
    WHERE event.site_id = ${site.id} GROUP BY 1 ORDER BY 1`;

test("the pages that crawlers read are stored, and nothing else of the log is", async () => {
  const site = await makeSite();
  const sums = await importInto(site, [
    line("/"),
    line("/guide?page=2"),
    line("/style.css"),
    line("/old", { status: 301 }),
    line("/gone", { status: 404 }),
    line("/form", { method: "POST" }),
    line("/", { agent: CHROME, address: "203.0.113.9" }),
    "no line of a log",
  ]);
  expect(sums).toMatchObject({ lines: 8, unreadable: 1, sent: 2, stored: 2 });
  expect(await viewsOf(site)).toEqual([
    { path: "/", views: 1, traffic: 3 },
    { path: "/guide", views: 1, traffic: 3 },
  ]);
});

test("a second run of the same log adds nothing, and of a log that has grown only what is new", async () => {
  const site = await makeSite();
  const log = [line("/"), line("/"), line("/a", { address: "198.51.100.5" })];
  expect(await importInto(site, log)).toMatchObject({ sent: 3, stored: 3 });
  expect(await importInto(site, log)).toMatchObject({ sent: 3, stored: 0, duplicate: 3 });
  expect(await importInto(site, [...log, line("/")])).toMatchObject({ sent: 4, stored: 1, duplicate: 3 });
});

test("with the flag people are imported too, each with an address of their own", async () => {
  const site = await makeSite();
  const people = ["203.0.113.9", "203.0.113.10"].map((address) => line("/", { agent: CHROME, address }));
  expect(await importInto(site, people, { all: true })).toMatchObject({ stored: 2 });
  const [{ visitors }] = (await reports().$queryRaw`
    SELECT count(DISTINCT visitor_id)::int AS visitors FROM facts.visit WHERE site_id = ${site.id}`) as [
    { visitors: number },
  ];
  expect(visitors).toBe(2);
});

test("a key that is not good stops the import with the server's words", async () => {
  const site = await makeSite();
  await expect(importInto(site, [line("/")], { key: `ffk_${"x".repeat(43)}` })).rejects.toThrow(/key/);
});

test("a line is read with a host in front, fields behind, and quotes within", () => {
  const text = String.raw`example.com:443 2001:db8::1 - al "x" [04/Mar/2025:11:58:03 +0000] "GET /a?b=1 HTTP/2.0" 200 12 "https://a.example/\"q\"" "Bot \x22x\x22/1.0" 0.003`;
  expect(readLogLine(text)).toEqual({
    address: "2001:db8::1",
    method: "GET",
    target: "/a?b=1",
    status: 200,
    referrer: 'https://a.example/"q"',
    userAgent: 'Bot "x"/1.0',
  });
  expect(readLogLine('198.51.100.4 - - [04/Mar/2025:11:58:03 +0000] "\\x16\\x03" 400 0 "-" "-"')).toBeNull();
});
