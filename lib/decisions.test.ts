import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Checks the decisions in docs/adr: the form of their headers, their links to each other, and the table of all. */

const HEADER =
  /^# (?<title>\d+\. .+)\n\n- Status: (?<status>accepted|superseded)\n- Date: (?<date>\d{4}-\d\d-\d\d)\n(?<links>(- (Supersedes|Superseded by): \[.+\]\(.+\)\n)*)\n## Context\n/;

const decisions = readdirSync("docs/adr")
  .filter((file) => file !== "README.md")
  .sort()
  .map((file) => {
    const { title, status, date, links = "" } = HEADER.exec(readFileSync(`docs/adr/${file}`, "utf8"))?.groups ?? {};
    return { file, title, status, date, links };
  });

/** The links of one kind, as `file -> linked title (linked file)`. */
const linked = (kind: "Supersedes" | "Superseded by") =>
  decisions.flatMap(({ file, title, links }) =>
    [...links.matchAll(/^- (.+?): \[(.+)\]\((.+)\)$/gm)]
      .filter((link) => link[1] === kind)
      .map((link) => ({ from: { file, title }, to: { file: link[3], title: link[2] } })),
  );

test("every decision has a file of its number, and begins with number, title, status, date and links", () => {
  const numbers = decisions.map(({ title }) => title?.split(".")[0]?.padStart(4, "0"));
  expect(numbers).toEqual(decisions.map(({ file }) => file.slice(0, 4)));
  expect(numbers.map(Number)).toEqual([...decisions.keys()].map((index) => index + 1));
});

test("a decision that supersedes another one is named by it, and the other way round", () => {
  const back = linked("Superseded by").map(({ from, to }) => ({ from: to, to: from }));
  expect(linked("Supersedes")).toEqual(expect.arrayContaining(back));
  expect(back).toEqual(expect.arrayContaining(linked("Supersedes")));
  const superseded = decisions.filter(({ status }) => status === "superseded").map(({ file }) => file);
  expect(linked("Superseded by").map(({ from }) => from.file)).toEqual(superseded);
  expect(superseded).not.toEqual([]);
});

test("the table of docs/adr lists every decision with its date and status", () => {
  const table = readFileSync("docs/adr/README.md", "utf8").match(/^\| \[.+\|$/gm);
  const successors = new Map(linked("Superseded by").map(({ from, to }) => [from.file, to]));
  const expected = decisions.map(({ file, title, date, status }) => {
    const by = successors.get(file);
    const state = by ? `superseded by [${by.title?.split(".")[0]}](${by.file})` : status;
    return `| [${title}](${file}) | ${date} | ${state} |`;
  });
  expect(table).toEqual(expected);
});
