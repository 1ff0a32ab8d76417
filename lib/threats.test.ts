import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CASES = 86;

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
  expect(numbers).toEqual([...Array(Math.max(CASES, numbers.length)).keys()].map((index) => index + 1));
  const missing = rows.flatMap(({ number, tests }) =>
    (tests.length > 0 ? tests : [{ file: "", title: "" }])
      .filter(({ file, title }) => !existsSync(file) || !readFileSync(file, "utf8").includes(title))
      .map(({ file, title }) => `${number} ${file}: ${title}`),
  );
  expect(missing).toEqual([]);
});
