import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commerceKindOf } from "@/lib/contract/commerce";

/** The names of events in the code that empty reports and docs give people to copy. */

const FOLDERS = ["components/reports", "lib/publish/articles"];

const taught = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
    .flatMap((name) => {
      const source = readFileSync(join(folder, name), "utf8");
      return [...source.matchAll(/footfall\("([^"]+)"/g)].map(([, event = ""]) => ({ name, event }));
    }),
);

test("the empty commerce report teaches an event that counts as an order", () => {
  expect(taught.filter(({ name }) => name === "commerce/body.tsx")).toEqual([
    { name: "commerce/body.tsx", event: "purchase" },
  ]);
  expect(commerceKindOf("purchase")).toBe("purchase");
});

test("every commerce event that is taught has its standard name", () => {
  expect(taught.length).toBeGreaterThan(5);
  for (const { name, event } of taught) expect([name, commerceKindOf(event) ?? event]).toEqual([name, event]);
});
