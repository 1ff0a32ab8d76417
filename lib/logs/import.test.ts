import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { measure } from "@/lib/ingest/api/measurement";
import { importFile } from "@/lib/logs/file";
import { type ImportOptions, ImportStopped, importLog } from "@/lib/logs/import";
import { identifyLines } from "@/lib/logs/line-ids";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { keyOf, SERVER_ADDRESS, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const NOW = new Date("2025-03-04T12:00:00Z");

const line = (target: string, { agent = GPTBOT, address = "198.51.100.4", status = 200, method = "GET" } = {}) =>
  `${address} - - [04/Mar/2025:11:58:03 +0000] "${method} ${target} HTTP/1.1" ${status} 5120 "-" "${agent}"`;

async function* linesOf(texts: Iterable<string>, ended = true) {
  let end = 0;
  for (const text of texts) {
    end += text.length + 1;
    yield { text, ended, end };
  }
}

const send = async (request: Request) =>
  toWeb(await measure(fromWeb(request), { address: SERVER_ADDRESS, now: NOW, path: "/api/v1/events" }));

async function importInto(site: TestSite, lines: Iterable<string>, more: Partial<ImportOptions> = {}) {
  const key = more.key ?? (await keyOf(site)).key;
  const options = { site: site.host, to: "http://localhost", all: false, from: 1, send, wait: async () => {} };
  return importLog(linesOf(lines), { ...options, now: () => NOW, ...more, key });
}

const viewsOf = (site: TestSite) =>
  rowsOf<{ path: string; views: number; traffic: number }[]>`
    SELECT page.path, count(*)::int AS views, min(traffic)::int AS traffic FROM facts.event
    JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
    WHERE event.site_id = ${site.id} GROUP BY 1 ORDER BY 1`;

test("pageviews of crawlers and errors of known readers are stored, and nothing else of the log", async () => {
  const site = await makeSite();
  const sums = await importInto(site, [
    line("/"),
    line("/guide?page=2"),
    line("/style.css"),
    line("/old", { status: 301 }),
    line("/missing", { status: 404 }),
    line("/.env", { status: 404, agent: "Mozilla/5.0 zgrab/0.x" }),
    line("/wp-login.php", { status: 404, agent: CHROME, address: "203.0.113.9" }),
    line("/form", { method: "POST" }),
    line("/", { agent: CHROME, address: "203.0.113.9" }),
    "no line of a log",
  ]);
  expect(sums).toMatchObject({ line: 10, unreadable: 1, sent: 3, stored: 3 });
  expect(await viewsOf(site)).toEqual([
    { path: "/", views: 1, traffic: 3 },
    { path: "/guide", views: 1, traffic: 3 },
    { path: "/missing", views: 1, traffic: 3 },
  ]);
});

test("importing a log again adds nothing, and of a log that has grown only the new lines", async () => {
  const site = await makeSite();
  const log = [line("/"), line("/"), line("/a", { address: "198.51.100.5" })];
  expect(await importInto(site, log)).toMatchObject({ sent: 3, stored: 3 });
  expect(await importInto(site, log)).toMatchObject({ sent: 3, stored: 0, duplicate: 3 });
  expect(await importInto(site, [...log, line("/")])).toMatchObject({ sent: 4, stored: 1, duplicate: 3 });
});

test("with --all people are imported too, each with their own address", async () => {
  const site = await makeSite();
  const people = ["203.0.113.9", "203.0.113.10"].map((address) => line("/", { agent: CHROME, address }));
  expect(await importInto(site, people, { all: true })).toMatchObject({ stored: 2 });
  const [{ visitors }] = (await rowsOf`
    SELECT count(DISTINCT visitor_id)::int AS visitors FROM facts.visit WHERE site_id = ${site.id}`) as [
    { visitors: number },
  ];
  expect(visitors).toBe(2);
});

test("a month of people's pages is imported at once, without pages that were opened too fast", async () => {
  const site = await makeSite();
  const minutes = [58, 59].flatMap((minute) =>
    Array.from({ length: 301 }, (_, i) =>
      line(`/${i}`, { agent: CHROME, address: "203.0.113.9" }).replace("11:58", `11:${minute}`),
    ),
  );
  const crawled = Array.from({ length: 301 }, (_, i) => line(`/${i}`));
  expect(await importInto(site, [...minutes, ...crawled], { all: true })).toMatchObject({ stored: 901, tooFast: 2 });
  const classes = await rowsOf`
    SELECT traffic::int, count(*)::int AS hits FROM facts.event WHERE site_id = ${site.id} GROUP BY 1 ORDER BY 1`;
  expect(classes).toEqual([
    { traffic: 1, hits: 600 },
    { traffic: 3, hits: 301 },
  ]);
});

test("an invalid line is reported with its number and reason, and its neighbours are stored", async () => {
  const site = await makeSite();
  const log = [line("/"), line("http://elsewhere.example/"), line("/b")];
  const sums = await importInto(site, log);
  expect(sums).toMatchObject({ sent: 3, stored: 2, invalid: 1 });
  expect(sums.faults).toEqual([{ line: 2, message: expect.stringMatching(/url is not on /) }]);
});

test("a monthly quota stops the import with the server's message and the line to resume at", async () => {
  const site = await makeSite();
  const log = [...Array.from({ length: 100 }, (_, i) => line(`/${i}`)), line("/late", { address: "198.51.100.9" })];
  let requests = 0;
  const full = async (request: Request) =>
    requests++ < 2
      ? send(request)
      : Response.json(
          { error: { code: "quota_exceeded", message: "This site has used its events." } },
          { status: 429, headers: { "retry-after": "2419200" } },
        );
  const stopped = await importInto(site, log, { send: full, wait: () => expect.unreachable() }).catch((error) => error);
  expect(stopped).toBeInstanceOf(ImportStopped);
  expect(stopped.message).toContain(
    "accepts no events before 2025-04-01T12:00:00.000Z: This site has used its events.",
  );
  expect(stopped.sums).toMatchObject({ stored: 100, next: 101 });
  expect(await importInto(site, log, { from: stopped.sums.next })).toMatchObject({ sent: 1, stored: 1 });
});

test("a briefly unreachable server is retried, and one that stays away stops the import", async () => {
  const site = await makeSite();
  const unreachable = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }));
  let requests = 0;
  const back = (request: Request) => (requests++ < 2 ? unreachable() : send(request));
  expect(await importInto(site, [line("/")], { send: back })).toMatchObject({ stored: 1 });
  await expect(importInto(site, [line("/")], { send: unreachable })).rejects.toThrow(
    /cannot be reached \(ECONNREFUSED\)/,
  );
});

test("a wrong clock stops the import at its first event, before visitors lose their addresses", async () => {
  const site = await makeSite();
  const now = () => new Date(NOW.getTime() - 3600_000);
  const log = Array.from({ length: 100 }, (_, i) => line(`/${i}`));
  const stopped = await importInto(site, log, { now }).catch((error) => error);
  expect(stopped.message).toMatch(/stale.*set the clock/);
  expect(stopped.sums.next).toBe(1);
  expect(await viewsOf(site)).toHaveLength(1);
});

test("with a state file each run sends only new lines, also after a stop, and a rotated or truncated log from its start", async () => {
  const { site, key } = await siteWithKey();
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-logs-"));
  const [log, state] = [path.join(dir, "access.log"), path.join(dir, "state")];
  const base = {
    site: site.host,
    to: "http://localhost",
    all: false,
    from: 1,
    wait: async () => {},
    now: () => NOW,
    key,
  };
  const run = (sender = send) => importFile(log, state, { ...base, send: sender });
  const write = (...lines: string[]) => appendFileSync(log, lines.map((text) => `${text}\n`).join(""));
  const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => line(`/${from + i}`));

  write(...numbered(0, 2_600), line("/same"));
  expect(await run()).toMatchObject({ sent: 2_601, stored: 2_601, next: 2_602 });
  const { offset, lines } = JSON.parse(readFileSync(state, "utf8"));
  expect([lines, offset]).toEqual([1_000, numbered(0, 1_000).join("\n").length + 1]);
  expect(await run()).toMatchObject({ sent: 0, next: 2_602 });
  // Equal to an earlier line, but a separate pageview.
  write(line("/same"), line("/é"));
  appendFileSync(log, line("/half"));
  expect(await run()).toMatchObject({ sent: 2, stored: 2, next: 2_604, unfinished: true });
  write("");
  const refused = async () => Response.json({ error: { message: "No." } }, { status: 401 });
  await expect(run(refused)).rejects.toThrow("No.");
  expect(await run()).toMatchObject({ sent: 1, stored: 1, next: 2_605 });

  renameSync(log, `${log}.1`);
  write(line("/rotated"));
  expect(await run()).toMatchObject({ sent: 1, stored: 1, next: 2 });
  truncateSync(log);
  write(line("/cut"));
  expect(await run()).toMatchObject({ sent: 1, stored: 1, next: 2 });
  writeFileSync(state, "{");
  await expect(run()).rejects.toThrow(/remove it to start again/);
  rmSync(dir, { recursive: true });
});

test("an event that failed is sent again by the next run", async () => {
  const site = await makeSite();
  const failing = async (request: Request) => {
    const { events } = await request.json();
    const results = (events as object[]).map((_, index) => ({ index, status: index === 0 ? "stored" : "error" }));
    const counts = { stored: 1, duplicate: 0, filtered: 0, invalid: 0, error: events.length - 1 };
    return Response.json({ results, counts }, { status: 207 });
  };
  const sums = await importInto(site, [line("/a"), line("/b"), line("/c")], { send: failing });
  expect(sums).toMatchObject({ stored: 2, error: 1, next: 3 });
});

test("pages opened too fast are counted per minute, also when lines of two minutes are mixed", async () => {
  const site = await makeSite();
  const at = (minute: number, i: number) =>
    line(`/${i}`, { agent: CHROME, address: "203.0.113.9" }).replace("11:58", `11:${minute}`);
  const mixed = Array.from({ length: 310 }, (_, i) => [at(58, i), at(59, i)]).flat();
  expect(await importInto(site, mixed, { all: true })).toMatchObject({ stored: 600, tooFast: 20 });
});

test("of a log with host names only pages of the domain and its subdomains are imported", async () => {
  const site = await makeSite();
  const hosts = [`${site.host}:443`, `www.${site.host}:443`, "other.example:443"];
  const sums = await importInto(
    site,
    hosts.map((host) => `${host} ${line("/")}`),
  );
  expect(sums).toMatchObject({ stored: 2, otherHosts: 1 });
});

test("a last line without a line break is left for the next import", async () => {
  const { site, key } = await siteWithKey();
  const options = { site: site.host, key, to: "http://localhost", all: false, from: 1, send, wait: async () => {} };
  const sums = await importLog(linesOf([line("/")], false), { ...options, now: () => NOW });
  expect(sums).toMatchObject({ line: 0, sent: 0, unfinished: true });
});

test("pages that are more than a day old are counted, because they count at the time of the import", async () => {
  const site = await makeSite();
  const old = line("/").replace("04/Mar", "02/Mar");
  expect(await importInto(site, [old, line("/")])).toMatchObject({ stored: 2, late: 1 });
});

test("equal lines get different ids in constant memory", () => {
  const idOf = identifyLines("example.com");
  const ids = new Set(Array.from({ length: 200_000 }, (_, i) => idOf(`line ${i >> 1}`)));
  expect(ids.size).toBe(200_000);
  expect([...ids].every((id) => /^[A-Za-z0-9_-]{12,32}$/.test(id))).toBe(true);
});

test("an invalid key stops the import with the server's message", async () => {
  const site = await makeSite();
  await expect(importInto(site, [line("/")], { key: `ffk_${"x".repeat(43)}` })).rejects.toThrow(/key/);
});
