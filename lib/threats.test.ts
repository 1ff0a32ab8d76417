import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CASES, PROTECTIONS } from "@/lib/testing/protections/all";

const LISTED = 86;

/** The rows of docs/threats.md: the number of the case, and its tests by file and title. */
const rows = readFileSync("docs/threats.md", "utf8")
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => ({
    number: Number(line.split("|")[1]),
    tests: [...(line.split(" | ").at(-1) ?? "").matchAll(/`([^`]+)`: "([^"]+)"/g)].map(([, file = "", title = ""]) => ({
      file,
      title: title.replaceAll("&#124;", "|"),
    })),
  }));

test("docs/threats.md names an existing test for each of the 86 hostile cases", () => {
  const numbers = rows.map(({ number }) => number);
  expect(numbers.length).toBeGreaterThanOrEqual(LISTED);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const missing = rows.flatMap(({ number, tests }) =>
    (tests.length > 0 ? tests : [{ file: "", title: "" }])
      .filter(({ file, title }) => !existsSync(file) || !readFileSync(file, "utf8").includes(title))
      .map(({ file, title }) => `${number} ${file}: ${title}`),
  );
  expect(missing).toEqual([]);
});

test("each case of docs/threats.md has its protection, or the reason why no single place holds it", () => {
  expect(CASES.map((entry) => entry.case)).toEqual(rows.map(({ number }) => number));
});

test("each protection is code that occurs once, and its test is one of its row in docs/threats.md", () => {
  const wrong = PROTECTIONS.flatMap((protection) => {
    const { case: number, test, also = [] } = protection;
    const absent = [protection, ...also]
      .filter(({ file, find }) => !existsSync(file) || readFileSync(file, "utf8").split(find).length !== 2)
      .map(({ file, find }) => `${number}: not once in ${file}: ${find}`);
    const tests = rows.find((row) => row.number === number)?.tests ?? [];
    const isNamed = tests.some(({ file, title }) => file === test.file && title === test.title);
    return isNamed ? absent : [...absent, `${number}: not in its row: ${test.file}: ${test.title}`];
  });
  expect(wrong).toEqual([]);
});
