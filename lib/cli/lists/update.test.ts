import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { aiAgents } from "@/lib/cli/lists/ai-agents";
import { crawlerAddresses } from "@/lib/cli/lists/crawler-addresses";
import { dataCentres } from "@/lib/cli/lists/data-centres";
import { referrerSpam } from "@/lib/cli/lists/referrer-spam";
import { updateLists } from "@/lib/cli/lists/update";
import { isOutdated, LISTS } from "@/lib/ingest/enrich/lists";
import { DAY_MS } from "@/lib/platform/durations";
import { temporaryDir } from "@/lib/testing/temporary-dir";

const SOURCES = [aiAgents, crawlerAddresses, dataCentres, referrerSpam];

const ROBOTS = {
  "ExampleBot/1.0": { operator: "[Example Labs](https://example.com)", function: "LLM training." },
  "Example-User": { operator: "Example that fetches pages for its users", function: "AI Assistants" },
  "Example-Search": { operator: "Unclear at this time.", function: "AI Search Crawlers" },
  "Example Agent": { operator: "Example Labs, a company", function: "AI Agents" },
  facebookexternalhit: { operator: "Meta/Facebook", function: "Ostensibly only for sharing" },
};
const CRAWLERS = {
  services: {
    Example: {
      source_url: "https://example.com/ips.json",
      last_changed_at: "2026-08-20T10:00:00Z",
      user_agent_patterns: ["*ExampleBot*"],
      ip_list_authoritative: true,
      ipv4: ["192.0.2.0/28"],
      ipv6: ["2001:db8::/48"],
    },
    Uncertain: {
      source_url: "https://example.org/as.json",
      last_changed_at: "2026-08-20T10:00:00Z",
      user_agent_patterns: ["*OtherBot*"],
      ip_list_authoritative: false,
      ipv4: ["198.51.100.0/24"],
      ipv6: [],
    },
  },
};
const NETWORK = { asn: 24940, prefixes: { ipv4: ["5.9.0.0/16", "5.10.0.0/24"], ipv6: ["2a01:4f8::/32"] } };
const SPAM = ["zz-spam.example", "ПРИМЕР.рф", "aa-spam.example", "bb-spam.example", "cc-spam.example"];

function downloads(files: Record<string, string>): string {
  const folder = temporaryDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
const ALL = {
  "robots.json": JSON.stringify(ROBOTS),
  "crawlers.json": JSON.stringify(CRAWLERS),
  "as-ip-blocks/as/24940/aggregated.json": JSON.stringify(NETWORK),
  "spammers.txt": SPAM.join("\n"),
};
const read = (data: string, name: string) => JSON.parse(readFileSync(path.join(data, `${name}.json`), "utf8"));
const DATE = "2026-11-27";

test("downloads become sorted data files with source, licence and date, and the same downloads change nothing", () => {
  const [data, folder] = [temporaryDir(), downloads(ALL)];
  const update = () => updateLists(folder, { data, sources: SOURCES, date: DATE });
  expect(update().map(({ name, entries, added }) => [name, entries, added?.length])).toEqual([
    ["ai-agents", 4, 4],
    ["crawler-addresses", 1, 1],
    ["data-centres", 1, 1],
    ["referrer-spam", 5, 5],
  ]);
  expect(read(data, "ai-agents")).toEqual({
    source: aiAgents.source,
    licence: "MIT",
    date: DATE,
    entries: [
      { token: "Example Agent", operator: "Example Labs", purpose: "agent" },
      { token: "Example-Search", operator: "", purpose: "search" },
      { token: "Example-User", operator: "Example", purpose: "assistant" },
      { token: "ExampleBot", operator: "Example Labs", purpose: "training" },
    ],
  });
  const [crawler] = read(data, "crawler-addresses").entries;
  expect(crawler).toMatchObject({
    agents: ["ExampleBot"],
    date: "2026-08-20",
    ranges: ["192.0.2.0/28", "2001:db8::/48"],
  });
  expect(read(data, "data-centres").entries).toEqual([
    { asn: 24940, network: "Hetzner", ranges: ["5.9.0.0/16", "2a01:4f8::/32"] },
  ]);
  expect(read(data, "referrer-spam").entries).toContain("xn--e1afmkfd.xn--p1ai");
  const files = () => readdirSync(data).map((name) => readFileSync(path.join(data, name), "utf8"));
  const before = files();
  expect(update().flatMap(({ added = [], removed = [] }) => [...added, ...removed])).toEqual([]);
  expect(files()).toEqual(before);
});

test("an update says what was added and removed, and leaves lists without a download alone", () => {
  const data = temporaryDir();
  updateLists(downloads(ALL), { data, sources: SOURCES, date: DATE });
  const later = downloads({ "spammers.txt": [...SPAM.slice(1), "new-spam.example"].join("\r\n") });
  const changes = updateLists(later, { data, sources: SOURCES, date: "2026-12-01" });
  expect(changes).toEqual([
    { name: "ai-agents" },
    { name: "crawler-addresses" },
    { name: "data-centres" },
    {
      name: "referrer-spam",
      entries: 5,
      date: "2026-12-01",
      added: ["new-spam.example"],
      removed: ["zz-spam.example"],
    },
  ]);
  expect(read(data, "ai-agents").date).toBe(DATE);
});

test.each([
  ["cut off", { "spammers.txt": SPAM.slice(0, 3).join("\n") }, "3 entries instead of 5"],
  ["empty", { "spammers.txt": "" }, "0 entries instead of 5"],
  ["a page of an error", { "spammers.txt": "<html>Not found</html>" }, "expected one domain a line"],
  ["cut off within JSON", { "robots.json": JSON.stringify(ROBOTS).slice(0, 90) }, "robots.json is not what"],
  ["of another form", { "crawlers.json": "{}" }, "crawlers.json is not what"],
  [
    "with a range that is none",
    { "as-ip-blocks/a.json": JSON.stringify({ ...NETWORK, prefixes: { ipv4: ["5.9.0.0/99"], ipv6: [] } }) },
    "is not what",
  ],
  ["absent", { "other.txt": "" }, "none of the downloads"],
])("a download that is %s is refused with the way out, and no list changes", (_, files, reason) => {
  const data = temporaryDir();
  updateLists(downloads(ALL), { data, sources: SOURCES, date: DATE });
  const before = readdirSync(data).map((name) => readFileSync(path.join(data, name), "utf8"));
  const good = { "robots.json": JSON.stringify({ ...ROBOTS, New: ROBOTS["Example-User"] }) };
  const folder = downloads("other.txt" in files ? files : { ...good, ...files });
  expect(() => updateLists(folder, { data, sources: SOURCES, date: "2026-12-01" })).toThrow(reason);
  expect(readdirSync(data).map((name) => readFileSync(path.join(data, name), "utf8"))).toEqual(before);
});

test("a list that really became shorter is accepted on request", () => {
  const data = temporaryDir();
  updateLists(downloads(ALL), { data, sources: SOURCES, date: DATE });
  const folder = downloads({ "spammers.txt": "aa-spam.example" });
  updateLists(folder, { data, sources: SOURCES, date: DATE, mayShrink: true });
  expect(read(data, "referrer-spam").entries).toEqual(["aa-spam.example"]);
});

test("every bundled list has a source, a licence and a date, and is outdated a year after it", () => {
  const files = readdirSync("lib/ingest/enrich/data").map((name) => name.replace(/\.json$/, ""));
  expect(LISTS.map(({ name }) => name).sort()).toEqual(files.sort());
  for (const list of LISTS) {
    expect([list.name, list.source, list.licence]).toEqual([
      list.name,
      expect.stringMatching(/./),
      expect.stringMatching(/^(MIT|CC0-1\.0)$/),
    ]);
    const at = (days: number) => new Date(Date.parse(list.date) + days * DAY_MS);
    expect([isOutdated(list, at(300)), isOutdated(list, at(400))]).toEqual([false, true]);
  }
});
