import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import type { Operation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { finishedSites } from "@/lib/testing/database";
import { type Asked, type Known, type Range, rangeOf } from "@/lib/testing/oracle/query";
import { inDaysOf, meant, type Question, questions } from "@/lib/testing/oracle/query-generator";
import { saveDashboard, saveSegment, store } from "@/lib/testing/oracle/store";
import { type World, world } from "@/lib/testing/oracle/world";
import type { TestSite } from "@/lib/testing/world";

/** An operation, what it is asked besides the common question, and what the oracle says to it. */
export interface Checked<Input extends z.ZodObject, Output extends z.ZodType, Own extends object> {
  operation: Operation<Input, Output>;
  own: fc.Arbitrary<Own>;
  /** Whether a question can be asked of this range at all. */
  suited?: (question: Asked & Own, range: Range, known: Known) => boolean;
  /** How the question is sent, where that is not as it is. */
  input?: (question: Question & Own) => object;
  /** The answer that is right; compared with the same fields of the real one. */
  expected: (asked: Asked & Own, known: Known) => object;
  /** What of the real answer is compared, where that is not simply the fields of the expected one. */
  told?: (data: z.output<Output>) => object;
}

/** How many worlds are tried, and what they are like. */
export interface Worlds {
  worlds: number;
  /** Turns a random world into one in which what is asked for happens more. */
  shape?: (world: World) => World;
}

/** A world that was brought into being, with all that is known of it. */
export interface Stored {
  site: TestSite;
  world: World;
  known: Known;
}

/** What of an answer is compared; null when the question cannot be asked. */
type Answer = Record<string, unknown> | null;

/** Questions to an operation, and what holds its answer to one of them against the oracle. */
export interface Held {
  questions: fc.Arbitrary<Question[]>;
  check(stored: Stored, question: Question): Promise<Answer>;
  answer(stored: Stored, question: Question): Promise<Answer>;
  /** How many questions were asked, and to how many the answer is another than where nothing ever happened. */
  tally: { operation: string; asked: number; telling: number };
}

export const held = <Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  checked: Checked<Input, Output, Own>,
): Held => {
  const tally = { operation: checked.operation.id, asked: 0, telling: 0 };
  return {
    questions: questions(checked.own),
    tally,
    answer: async (stored, question) =>
      (await answerOf(checked, stored, inDaysOf(stored.world, question as Question & Own)))?.answer ?? null,
    check: async (stored, question) => {
      const found = await compare(checked, stored, inDaysOf(stored.world, question as Question & Own));
      if (!found) return null;
      tally.asked++;
      if (found.isTelling) tally.telling++;
      return found.answer;
    },
  };
};

/** Holds operations against the oracle, on the same random worlds and random questions. */
export async function allAgree(all: readonly Held[], { worlds, shape = (same) => same }: Worlds): Promise<void> {
  let failedAt = Number.POSITIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(world.map(shape), fc.tuple(...all.map((one) => one.questions)), async (world, asked) => {
      // A failure is made smaller for a while, and then told as small as it is.
      if (Date.now() - failedAt > SHRINK_MS) return;
      const { sealed: _, cut: __, ...known } = world;
      const stored = { site: await store(world), world, known };
      finishedSites.add(stored.site.id);
      try {
        for (const [index, one] of all.entries())
          for (const question of asked[index] ?? []) await one.check(stored, question);
      } catch (error) {
        failedAt = Math.min(failedAt, Date.now());
        throw error;
      }
    }),
    { numRuns: worlds },
  );
  for (const { tally } of all) {
    const { operation, asked, telling } = tally;
    expect(telling / asked, `${operation}: ${telling} of ${asked} answers told anything`).toBeGreaterThan(0.1);
  }
}

const SHRINK_MS = 60_000;

/** @returns the answer, and whether there was anything to be told; null when the question cannot be asked. */
async function compare<Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  checked: Checked<Input, Output, Own>,
  stored: Stored,
  question: Question & Own,
): Promise<{ answer: Record<string, unknown>; isTelling: boolean } | null> {
  const found = await answerOf(checked, stored, question);
  if (!found) return null;
  const { asked, answer } = found;
  const right = checked.expected(asked, stored.known);
  const compared = checked.told ? answer : Object.fromEntries(Object.keys(right).map((key) => [key, answer[key]]));
  expect(compared, JSON.stringify(question)).toEqual(rounded(right));
  const isTelling = !isDeepStrictEqual(right, checked.expected(asked, { ...stored.known, events: [] }));
  return { answer, isTelling };
}

/** @returns what the question means and what of the answer is compared; null when it cannot be asked. */
async function answerOf<Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  { operation, told, suited, input: sent = (asked) => asked }: Checked<Input, Output, Own>,
  { site, world, known }: Stored,
  question: Question & Own,
): Promise<{ asked: Asked & Own; answer: Record<string, unknown> } | null> {
  const asked = meant(question) as Asked & Own;
  if (suited && !suited(asked, rangeOf(asked, known), known)) return null;
  const { segment, dashboard, ...input } = sent(question) as Question;
  const saved = {
    ...(segment && { segment: await saveSegment(site.id, segment) }),
    ...(dashboard && { dashboard: await saveDashboard(site.id, dashboard) }),
  };
  const principal = { kind: "owner" as const, personId: site.ownerId };
  const call = {
    principal,
    now: new Date(world.now),
    input: { site_id: site.id, ...input, ...saved },
  };
  const { data } = await execute(operation, call);
  const answer = told ? told(data) : withoutMeta(data as object);
  return { asked, answer: rounded(answer) as Record<string, unknown> };
}

const withoutMeta = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== "meta"));

/** Without the last digits, which depend on the order in which numbers are added up. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}
