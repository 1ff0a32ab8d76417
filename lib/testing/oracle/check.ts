import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import type { Operation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { inDaysOf, questions } from "@/lib/testing/oracle/asking";
import { type Asked, type Known, type Range, rangeOf } from "@/lib/testing/oracle/question";
import { saveSegment, store } from "@/lib/testing/oracle/store";
import { type World, world } from "@/lib/testing/oracle/world";

/** An operation, what it is asked besides the common question, and what the oracle says to it. */
export interface Checked<Input extends z.ZodObject, Output extends z.ZodType, Own extends object> {
  operation: Operation<Input, Output>;
  own: fc.Arbitrary<Own>;
  /** Whether a question can be asked of this range at all. */
  suited?: (question: Asked & Own, range: Range) => boolean;
  /** How the question is sent, where that is not as it is. */
  input?: (question: Asked & Own) => object;
  /** The answer that is right; compared with the same fields of the real one. */
  expected: (asked: Asked & Own, known: Known) => object;
  /** What of the real answer is compared, where that is not simply the fields of the expected one. */
  told?: (data: z.output<Output>) => object;
  /** Turns a random world into one in which what is asked for happens more. */
  shape?: (world: World) => World;
  worlds: number;
}

/** Holds an operation against the oracle, on random worlds and random questions. */
export async function agrees<Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  checked: Checked<Input, Output, Own>,
): Promise<void> {
  const { worlds, own, shape = (same: World) => same } = checked;
  let failedAt = Number.POSITIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(world.map(shape), questions(own), async (world, asked) => {
      // A failure is made smaller for a while, and then told as small as it is.
      if (Date.now() - failedAt > SHRINK_MS) return;
      const site = await store(world);
      const known = { zone: world.zone, now: world.now, events: world.events, goals: world.goals };
      for (const one of asked) {
        const question = inDaysOf(world, one);
        if (checked.suited && !checked.suited(question, rangeOf(question, known))) continue;
        await compare(checked, { site, world, known, question }).catch((error) => {
          failedAt = Math.min(failedAt, Date.now());
          throw error;
        });
      }
    }),
    { numRuns: worlds, ...seeded() },
  );
}

const SHRINK_MS = 60_000;

/** `ORACLE_SEED` repeats a run. */
const seeded = () => (process.env.ORACLE_SEED ? { seed: Number(process.env.ORACLE_SEED) } : {});

interface Comparing<Own> {
  site: { id: number; ownerId: number };
  world: World;
  known: Known;
  question: Asked & Own;
}

async function compare<Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  { operation, expected, told, input: sent = (asked) => asked }: Checked<Input, Output, Own>,
  { site, world, known, question }: Comparing<Own>,
): Promise<void> {
  const { segment: saved, ...input } = sent(question) as Asked;
  const segment = saved && (await saveSegment({ ...site, host: "" }, saved));
  const principal = { kind: "owner" as const, personId: site.ownerId };
  const call = {
    principal,
    now: new Date(world.now),
    input: { site_id: site.id, ...input, ...(segment && { segment }) },
  };
  const { data } = await execute(operation, call);
  const right = expected(question, known);
  const answer = told ? told(data) : Object.fromEntries(Object.keys(right).map((key) => [key, (data as never)[key]]));
  expect(rounded(answer), JSON.stringify(question)).toEqual(rounded(right));
}

/** Without the last digits, which depend on the order in which numbers are added up. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}
