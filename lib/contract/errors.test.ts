import { expect, test, vi } from "vitest";
import { TooManyGroups } from "@/lib/analytics/packed/tally";
import { LastingRefusal, Refusal } from "@/lib/contract/errors";

test("a refusal of another copy of the module, as the server and Next have them, is recognized as one", async () => {
  vi.resetModules();
  const copy = await import("@/lib/contract/errors");
  const tally = await import("@/lib/analytics/packed/tally");
  expect(copy.Refusal).not.toBe(Refusal);
  for (const refusal of [new copy.Refusal("rate_limited", "Wait."), new tally.TooManyGroups(), new TooManyGroups()]) {
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).not.toBeInstanceOf(LastingRefusal);
  }
  expect(new tally.TooManyGroups()).toBeInstanceOf(TooManyGroups);
  for (const other of [new copy.Refusal("rate_limited", "Wait."), new Refusal("rate_limited", "Wait."), new Error("x")])
    expect(other).not.toBeInstanceOf(TooManyGroups);
  for (const other of [new Error("x"), null, undefined, "x", {}]) expect(other instanceof Refusal).toBe(false);
});
