import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyBudget } from "@/lib/server/body-budget";

test("bodies in memory never exceed the limit in all or that of one client, and what is given back can be taken again", () => {
  const steps = fc.array(fc.record({ client: fc.constantFrom("a", "b", "c"), bytes: fc.integer({ min: 0, max: 60 }) }));
  fc.assert(
    fc.property(steps, (taken) => {
      const budget = new BodyBudget(150, 100);
      const held: typeof taken = [];
      for (const body of taken) {
        const sum = (of: typeof held) => of.reduce((bytes, one) => bytes + one.bytes, body.bytes);
        const fits = sum(held) <= 150 && sum(held.filter(({ client }) => client === body.client)) <= 100;
        expect(budget.take(body.client, body.bytes)).toBe(fits);
        if (fits) held.push(body);
      }
      for (const { client, bytes } of held) budget.giveBack(client, bytes);
      expect(budget.clients).toBe(0);
      expect([budget.take("a", 100), budget.take("b", 50)]).toEqual([true, true]);
    }),
  );
});
