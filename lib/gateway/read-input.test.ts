import { expect, test } from "vitest";
import { z } from "zod";
import { decodeQuery } from "@/lib/api/decode";
import type { AnyOperation } from "@/lib/contract/define";
import { nameText } from "@/lib/contract/fields";
import { readInput } from "@/lib/gateway/read-input";
import { Refusal } from "@/lib/platform/errors";

const input = z.strictObject({
  name: nameText(20).optional(),
  filters: z.record(z.string(), z.unknown()).nullish(),
});

/** Returns the message of the refusal; null for valid input. */
function refusalOf(read: () => unknown): string | null {
  try {
    readInput({ input }, read());
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === "invalid_input") return error.message;
    throw error;
  }
}

test("a key called __proto__ is refused by its path, in query strings, brackets and JSON, and not left out", () => {
  const json = '{"__proto__":{"is":"x"}}';
  for (const query of [`filters=${encodeURIComponent(json)}`, "filters[__proto__]=x", "filters[__proto__][is][]=x"]) {
    const decoded = () => decodeQuery({ input } as unknown as AnyOperation, new URLSearchParams(query));
    expect(refusalOf(decoded), query).toMatch(/^filters\.__proto__ is not a name that can be used/);
  }
  expect(refusalOf(() => JSON.parse(`{"filters":${json}}`))).toMatch(/^filters\.__proto__ /);
  expect(refusalOf(() => JSON.parse(`{"filters":{"page":[${json}]}}`))).toMatch(/^filters\.page\.0\.__proto__ /);
  expect(refusalOf(() => JSON.parse(json))).toMatch(/^__proto__ /);
  expect(refusalOf(() => ({ filters: { constructor: "x", page: "__proto__" } }))).toBeNull();
});

test("a name that holds what cannot be seen is refused by its field", () => {
  for (const name of ["Sh\u200bop", "Shop\u2060s", "Sh\u202eop", "Sh\nop"]) {
    expect(refusalOf(() => ({ name }))).toMatch(/^name must not contain invisible characters/);
  }
  expect(refusalOf(() => ({ name: " Шоп 👩‍💻 " }))).toBeNull();
});
