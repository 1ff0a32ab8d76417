import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyBudget } from "@/lib/server/body-budget";

test("bodies in memory never exceed the total limit or the limit of a client, and released bytes can be reserved again", () => {
  const steps = fc.array(fc.record({ client: fc.constantFrom("a", "b", "c"), bytes: fc.integer({ min: 0, max: 60 }) }));
  fc.assert(
    fc.property(steps, (bodies) => {
      const budget = new BodyBudget(150, 100);
      const held: typeof bodies = [];
      for (const body of bodies) {
        const sum = (list: typeof held) => list.reduce((bytes, one) => bytes + one.bytes, body.bytes);
        const fits = sum(held) <= 150 && sum(held.filter(({ client }) => client === body.client)) <= 100;
        expect(budget.reserve(body.client, body.bytes)).toBe(fits);
        if (fits) held.push(body);
      }
      for (const { client, bytes } of held) budget.release(client, bytes);
      expect(budget.clients).toBe(0);
      expect([budget.reserve("a", 100), budget.reserve("b", 50)]).toEqual([true, true]);
    }),
  );
});
