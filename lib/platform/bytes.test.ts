import { expect, test } from "vitest";
import { formatBytes } from "@/lib/platform/bytes";

test("sizes are shown in the unit that leaves one to three digits", () => {
  const formatted = [0, 999, 1000, 9_940, 123_456, 1_400_000_000, 5e15].map(formatBytes);
  expect(formatted).toEqual(["0 B", "999 B", "1.0 kB", "9.9 kB", "123 kB", "1.4 GB", "5000 TB"]);
});
