import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyBudget, type HeldBody } from "@/lib/server/body-budget";

/** A budget whose ended bodies are released and listed, as their requests do. */
function recorded(maxBytes: number, maxBytesPerClient: number) {
  const budget = new BodyBudget(maxBytes, maxBytesPerClient);
  const ended: string[] = [];
  const open = (client: string, name = client): HeldBody => {
    const body = budget.open(client, (why) => {
      ended.push(`${name}: ${why}`);
      budget.release(body);
    });
    return body;
  };
  return { budget, ended, open };
}

test("bodies in memory never exceed the total limit or the limit of a client, and released bytes can be reserved again", () => {
  const steps = fc.array(
    fc.record({
      client: fc.constantFrom("a", "b", "c"),
      bytes: fc.integer({ min: 0, max: 60 }),
      isWhole: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(steps, (bodies) => {
      const budget = new BodyBudget(150, 100);
      const held = new Set<HeldBody>();
      for (const { client, bytes, isWhole } of bodies) {
        const body: HeldBody = budget.open(client, () => {
          held.delete(body);
          budget.release(body);
        });
        held.add(body);
        if (!budget.reserve(body, bytes)) {
          held.delete(body);
          budget.release(body);
        } else if (isWhole) {
          budget.finish(body);
        }
        const sum = (list: HeldBody[]) => list.reduce((all, one) => all + one.bytes, 0);
        expect(sum([...held])).toBeLessThanOrEqual(150);
        expect(sum([...held].filter((one) => one.client === client))).toBeLessThanOrEqual(100);
      }
      for (const body of held) budget.release(body);
      expect(budget.clients).toBe(0);
      const again = [budget.open("a", () => {}), budget.open("b", () => {})] as const;
      expect([budget.reserve(again[0], 100), budget.reserve(again[1], 50)]).toEqual([true, true]);
    }),
  );
});

test("a body that finds no room ends the oldest unfinished one, never one that has arrived", () => {
  const { budget, ended, open } = recorded(100, 100);
  const whole = open("a", "whole");
  budget.reserve(whole, 40);
  budget.finish(whole);
  for (const name of ["first", "second"]) budget.reserve(open(name), 30);
  const late = open("late");
  expect([budget.reserve(late, 10), ended]).toEqual([true, ["first: full"]]);
  expect([budget.reserve(late, 50), ended]).toEqual([true, ["first: full", "second: full"]]);
  expect([budget.reserve(late, 1), ended.length]).toEqual([false, 2]);
});

test("a client at its limit ends its own oldest unfinished body, not those of others", () => {
  const { budget, ended, open } = recorded(1_000, 100);
  budget.reserve(open("other"), 90);
  budget.reserve(open("a", "first"), 60);
  budget.reserve(open("a", "second"), 40);
  expect(budget.reserve(open("a", "third"), 50)).toBe(true);
  expect(ended).toEqual(["first: full"]);
});

test("a body ends when fewer bytes than the minimum arrive between two checks, not before it was there for one", () => {
  const { budget, ended, open } = recorded(1_000, 1_000);
  const [stalled, trickling, steady] = ["stalled", "trickling", "steady"].map((name) => open(name));
  for (const body of [stalled, trickling, steady]) budget.reserve(body as HeldBody, 10);
  budget.endSlow(5);
  expect(ended).toEqual([]);
  budget.reserve(trickling as HeldBody, 4);
  budget.reserve(steady as HeldBody, 5);
  budget.endSlow(5);
  expect(ended).toEqual(["stalled: slow", "trickling: slow"]);
});
