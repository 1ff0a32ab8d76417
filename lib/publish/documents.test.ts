import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const DOCUMENTS = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...readdirSync("docs", { recursive: true })
    .map((name) => path.join("docs", `${name}`))
    .filter((file) => file.endsWith(".md")),
];
const FOLDERS = "app|assets|bench|components|docs|e2e|lib|prisma";

test.each(DOCUMENTS)("every link of %s leads to a file", (document) => {
  const links = [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)];
  const missing = links
    .map(([, link]) => `${link}`)
    .filter((link) => !existsSync(path.join(path.dirname(document), link)));
  expect(missing).toEqual([]);
});

// Decisions name the files of their time; the other documents describe the current ones.
test.each(DOCUMENTS.filter((file) => !file.startsWith("docs/adr/")))("every path that %s names exists", (document) => {
  const text = readFileSync(document, "utf8").replaceAll("lib/operations/sites.domains.count.ts", "");
  const paths = [...text.matchAll(new RegExp(`\`((?:${FOLDERS})/[\\w./()-]+)\``, "g"))].map(([, name]) => `${name}`);
  expect(paths.filter((name) => !existsSync(name))).toEqual([]);
});

test("the README has at most 150 lines and 900 words", () => {
  const text = readFileSync("README.md", "utf8");
  expect(text.split("\n").length).toBeLessThanOrEqual(150);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(900);
});
