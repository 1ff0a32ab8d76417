import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { SAID } from "@/components/deeds/said";

test("whatever is said of a deed is said of one that there is", () => {
  expect(Object.keys(SAID).filter((id) => !existsSync(`lib/deeds/${id}.ts`))).toEqual([]);
});
