import { expect, test } from "vitest";
import { GET } from "@/app/icons/[kind]/[name]/route";
import { iconOf } from "@/components/icons/icon-of";
import { countriesNamed } from "@/lib/analytics/query/value-names";
import assistants from "@/lib/ingest/enrich/data/ai-assistants.json";
import own from "@/lib/ingest/enrich/data/traffic-sources.json";

/** Regions of `Intl` without a flag of their own, where hardly anybody lives. */
const NO_FLAG = ["CP", "CQ", "DG", "EA"];
const countries = countriesNamed("").filter((code) => !NO_FLAG.includes(code));

const answerOf = (kind: string, name: string) =>
  GET(new Request("https://footfall.example/icons"), { params: Promise.resolve({ kind, name }) });

const fileOf = async (path: string) => {
  const [kind = "", name = ""] = path.split("/");
  return answerOf(kind, `${name}.svg`);
};

test("every country has a flag, and the values that owners see most have an icon that is served as an image", async () => {
  const values = [
    ...countries.map((code) => ["country", code]),
    ...["Google", "Bing", "DuckDuckGo", "Reddit", "X", "LinkedIn", "ChatGPT", "Perplexity", "Hacker News"].map(
      (name) => ["source", name],
    ),
    ...["Chrome", "Safari", "Mobile Safari", "Firefox", "Edge", "Samsung Internet"].map((name) => ["browser", name]),
    ...["Windows", "Mac OS", "iOS", "Android", "Linux"].map((name) => ["os", name]),
  ] as [string, string][];
  for (const [dimension, value] of values) {
    const icon = iconOf(dimension, value) ?? "";
    expect(icon, value).toMatch(/^(?:flags|brands|plain)\/[\w-]+$/);
    const answer = await fileOf(icon);
    expect(answer.status, value).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expect(await answer.text(), value).toMatch(/^<svg [^>]*viewBox="[-\d. ]+"[^>]*>.*<\/svg>$/s);
  }
});

test("no bundled icon runs a script or loads anything", async () => {
  const icons = [
    ...countries.map((code) => iconOf("country", code)),
    ...[...own.entries, ...assistants.entries].map(({ name }) => iconOf("source", name)),
  ].filter((icon) => icon?.includes("/"));
  for (const icon of new Set(icons)) {
    const text = await (await fileOf(icon as string)).text();
    expect(text, icon).not.toMatch(/<script|\son\w+=|<foreignObject|<image|href="(?!#)|url\((?!#)|@import/i);
  }
  expect(icons.length).toBeGreaterThan(300);
});

test("a value from outside never becomes an address: it is a bundled icon, a glyph or its own letter", async () => {
  const hostile = [
    "../../api/v1",
    "brands/chrome",
    "constructor",
    "__proto__",
    "https://evil.example/x",
    '"><img src=x>',
    "DE/../x",
    "de",
    "GB_ENG",
  ];
  for (const value of hostile) {
    for (const dimension of ["source", "utm_source", "browser", "os", "bot_operator"]) {
      expect(iconOf(dimension, value), value).toBe("letter");
    }
    expect(iconOf("country", value), value).toBe("glyph-unknown");
    expect(iconOf("device", value), value).toBe("glyph-unknown");
  }
  expect(iconOf("source", null)).toBe("glyph-direct");
  expect(iconOf("page", "Google")).toBeUndefined();
});

test("an address without an icon answers 404, whatever it names", async () => {
  const addresses = [
    ["flags", "de.svg"],
    ["flags", "GB_ENG.svg"],
    ["flags", "constructor.svg"],
    ["brands", "__proto__.svg"],
    ["brands", "apple.svg"],
    ["plain", "chrome.svg"],
    ["brands", "chrome"],
    ["brands", "../brands.json"],
    ["toString", "chrome.svg"],
  ] as const;
  for (const [kind, name] of addresses) expect((await answerOf(kind, name)).status, name).toBe(404);
});
