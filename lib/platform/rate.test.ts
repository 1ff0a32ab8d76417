import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { clearRate, takeRate } from "@/lib/platform/rate";

const at = (seconds: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, seconds));

test("of forty concurrent calls against a limit of five, five are allowed", async () => {
  const key = randomUUID();
  const results = await Promise.all(Array.from({ length: 40 }, () => takeRate(key, 5, 60_000, at(0))));
  expect(results.filter((one) => one.allowed)).toHaveLength(5);
});

test("a window begins with its first call and ends after its length; Retry-After is a whole number, at least 1", async () => {
  const key = randomUUID();
  expect(await takeRate(key, 1, 60_000, at(0))).toEqual({ allowed: true, retryAfter: 60 });
  expect(await takeRate(key, 1, 60_000, at(30))).toEqual({ allowed: false, retryAfter: 30 });
  expect((await takeRate(key, 1, 60_000, new Date(at(59).getTime() + 999))).retryAfter).toBe(1);
  expect(await takeRate(key, 1, 60_000, at(60))).toEqual({ allowed: true, retryAfter: 60 });
});

test("a cleared count starts again from zero", async () => {
  const key = randomUUID();
  await takeRate(key, 1, 60_000, at(0));
  await clearRate(key);
  expect((await takeRate(key, 1, 60_000, at(1))).allowed).toBe(true);
});
