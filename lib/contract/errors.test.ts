import { expect, test, vi } from "vitest";
import { NotWritten } from "@/lib/ingest/store/event-id";
import { Refusal, RefusalWithEffect } from "@/lib/platform/errors";

test("a Refusal of another copy of the module (server and Next load separate copies) is an instance", async () => {
  vi.resetModules();
  const copy = await import("@/lib/platform/errors");
  const ingest = await import("@/lib/ingest/store/event-id");
  expect(copy.Refusal).not.toBe(Refusal);
  for (const refusal of [
    new copy.Refusal("rate_limited", "Wait."),
    new ingest.NotWritten(null),
    new NotWritten(null),
  ]) {
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).not.toBeInstanceOf(RefusalWithEffect);
  }
  for (const other of [new Error("x"), null, undefined, "x", {}]) expect(other instanceof Refusal).toBe(false);
});
