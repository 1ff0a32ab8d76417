import { expect, test } from "vitest";
import { FreshIds, wasStored } from "@/lib/ingest/event-id";

test("an id given to a stored event is known again by its site alone, and no other id is", () => {
  const ids = new FreshIds(7);
  const [first, last] = [ids.stored(0), ids.stored(99)];
  expect(first).not.toBe(last);
  for (const id of [first, last]) {
    expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect([wasStored(id, 7), wasStored(id, 8)]).toEqual([true, false]);
  }
  const changed = `${first.slice(0, 20)}${first[20] === "A" ? "B" : "A"}${first.slice(21)}`;
  for (const id of [ids.other(), changed, "order-0123456789", "0".repeat(32)]) expect(wasStored(id, 7), id).toBe(false);
  expect(ids.other()).toMatch(/^[A-Za-z0-9_-]{32}$/);
});
