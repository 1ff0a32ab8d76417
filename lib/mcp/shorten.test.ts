import { expect, test } from "vitest";
import { shorten } from "@/lib/mcp/shorten";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("an answer has at most 45,000 bytes, also of long titles in other scripts, and says what it leaves out", () => {
  const rows = Array.from({ length: 400 }, (_, index) => ({ title: "訪問者".repeat(60), visitors: index }));
  const { data, cut } = shorten({ rows }, 400);
  expect(bytesOf(data)).toBeLessThanOrEqual(45_000);
  expect(cut["rows[]"]?.of).toBe(400);
});

test("long texts are clipped where one row of each list is still too much", () => {
  const { data } = shorten({ about: { text: "x".repeat(100_000) }, rows: [{ text: "ü".repeat(50_000) }] }, 50);
  expect(bytesOf(data)).toBeLessThan(2_000);
});
