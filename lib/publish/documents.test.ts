import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, `${name}`))
    .filter((file) => ending.test(file));

/** Documents of the repository, and what its host shows to contributors or runs for them. */
const DOCUMENTS = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...filesIn("docs", /\.md$/),
  ...filesIn(".github", /\.(md|yml)$/),
];
const FOLDERS = "\\.github|app|assets|bench|components|docs|e2e|lib|prisma";

/** The commands and names in the code of a document: of fenced blocks and of spans in backticks. */
const codeOf = (text: string) =>
  [...text.matchAll(/^```\w*\n([\s\S]*?)^```$|`([^`\n]+)`/gm)].map(([, block, span]) => block ?? span ?? "");

test.each(DOCUMENTS)("every link of %s leads to a file", (document) => {
  const links = [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)];
  const missing = links
    .map(([, link]) => `${link}`)
    .filter((link) => !existsSync(path.join(path.dirname(document), link)));
  expect(missing).toEqual([]);
});

// Decisions name the files of their time; the other documents describe the current ones.
test.each(DOCUMENTS.filter((file) => !file.startsWith("docs/adr/0")))("every path that %s names exists", (document) => {
  const isPath = new RegExp(`^(${FOLDERS})/[\\w./()[\\]-]+$`);
  const paths = codeOf(readFileSync(document, "utf8"))
    .flatMap((code) => code.split(/\s+/))
    .filter((name) => isPath.test(name) && name !== "lib/operations/sites.domains.count.ts");
  expect(paths.filter((name) => !existsSync(name))).toEqual([]);
});

test.each(DOCUMENTS)("every npm script that %s names is in package.json", (document) => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = [...readFileSync(document, "utf8").matchAll(/\bnpm (?:run ([\w:-]*\w)|(start|test)\b)/g)];
  expect(named.map(([, run, short]) => run ?? short).filter((name) => !Object.hasOwn(scripts, `${name}`))).toEqual([]);
});

test("the README has at most 150 lines and 900 words", () => {
  const text = readFileSync("README.md", "utf8");
  expect(text.split("\n").length).toBeLessThanOrEqual(150);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(900);
});
