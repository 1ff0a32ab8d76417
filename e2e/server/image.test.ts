import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** End-of-life dates of Node's LTS releases: https://github.com/nodejs/release#release-schedule */
const END_OF_LIFE: Record<string, string> = { 20: "2026-04-30", 22: "2027-04-30", 24: "2028-04-30", 26: "2029-04-30" };

test("the image is built and run with one supported Node release, which matches package.json and README", () => {
  const stages = [...readFileSync("Dockerfile", "utf8").matchAll(/^FROM node:(\d+)[\d.]*-slim/gm)].map(
    ([, major]) => major,
  );
  expect(stages).toHaveLength(2);
  expect(new Set(stages).size).toBe(1);
  const [major = ""] = stages;
  expect(Date.parse(END_OF_LIFE[major] ?? "1970-01-01"), `Node ${major}`).toBeGreaterThan(Date.now());
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(engines.node).toBe(">=20.19");
  expect(readFileSync("README.md", "utf8")).toContain("Node 20.19 or newer");
});
