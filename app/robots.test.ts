import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import robots from "./robots";

const { rules } = robots();
const disallowed = [rules].flat().flatMap(({ disallow = [] }) => disallow);
/** Whether a crawler that follows RFC 9309 leaves a path alone; none of our rules has a longer allow. */
const isLeftAlone = (path: string) => disallowed.some((rule) => path.startsWith(rule));

const PUBLIC_ENTRIES = ["/signup"];
const foldersOf = (group: string) =>
  readdirSync(`app/${group}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `/${name}`);

test("crawlers leave every page alone that needs a sign-in or has a secret in its address", () => {
  const pages = [...foldersOf("(owner)"), ...foldersOf("(auth)"), "/actions", "/api", "/oauth"];
  expect(pages.length).toBeGreaterThan(12);
  expect(pages.filter((path) => !PUBLIC_ENTRIES.includes(path) && !isLeftAlone(`${path}/1`))).toEqual([]);
});

test("crawlers may read the landing page, the docs, texts for agents, the tracker and public dashboards", () => {
  const open = [
    "/",
    "/docs",
    "/docs/privacy",
    "/docs/api/sites.list",
    "/llms.txt",
    "/auth.md",
    "/signup",
    "/script.js",
  ];
  expect([...open, "/share/example.com", "/_next/static/a.js"].filter(isLeftAlone)).toEqual([]);
});
