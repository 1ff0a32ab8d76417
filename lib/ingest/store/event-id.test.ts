import { expect, test } from "vitest";
import { doubtOf, FreshIds, isPageId, wasStored } from "@/lib/ingest/store/event-id";
import { damaged } from "@/lib/testing/damaged";

test("an id generated for a stored event is recognised by its site only, and no other id is", () => {
  const ids = new FreshIds(7);
  const stored = Array.from({ length: 100 }, (_, index) => ids.stored(index));
  expect(new Set(stored.map((id) => id.slice(-10))).size).toBe(100);
  for (const id of stored) {
    expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect([wasStored(id, 7), wasStored(id, 8), doubtOf(id, 7)]).toEqual([true, false, null]);
  }
  for (const id of [ids.other(), "order-0123456789", "0".repeat(32)]) expect(wasStored(id, 7), id).toBe(false);
  expect(ids.other()).toMatch(/^[A-Za-z0-9_-]{32}$/);
});

test("an id with any character changed, including its index, is not recognised", () => {
  const ids = new FreshIds(7);
  const [stored, inDoubt] = [ids.stored(3), ids.inDoubt({ xid: "1", place: 2, at: new Date(3) })];
  for (let at = 0; at < 32; at++) {
    expect(wasStored(damaged(stored, at), 7), `${at}`).toBe(false);
    expect(doubtOf(damaged(inDoubt, at), 7), `${at}`).toBeNull();
  }
});

test("an id of an in-doubt event contains transaction, position and time, for its own site only", () => {
  const doubt = { xid: `${2 ** 40 + 5}`, place: 999, at: new Date("2026-11-20T10:00:00.123Z") };
  const id = new FreshIds(7).inDoubt(doubt);
  expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect([doubtOf(id, 7), doubtOf(id, 8), wasStored(id, 7)]).toEqual([doubt, null, false]);
});

test("ids chosen by people are not in the browser script's format, including numbers and dashes", () => {
  expect(isPageId("65535__0__7__12345")).toBe(true);
  for (const id of ["028-1234567-7654321", "4294967295-7-1234567890", "2026_11_20_10_30", "1001_20261120_42"]) {
    expect(isPageId(id), id).toBe(false);
  }
});
