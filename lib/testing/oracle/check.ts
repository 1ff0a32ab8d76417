import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import type { Operation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { sharesOf } from "@/lib/platform/report-shares";
import { reportTime } from "@/lib/platform/report-time";
import { finishedSites } from "@/lib/testing/database";
import { checkInWorlds, type Worlds } from "@/lib/testing/oracle/in-worlds";
import { type Known, metaOf, type Query, type Range, rangeOf } from "@/lib/testing/oracle/query";
import { resolved, type SentQuery, sentQueries, withDates } from "@/lib/testing/oracle/query-generator";
import { saveDashboard, saveSegment, store } from "@/lib/testing/oracle/store";
import { type World, world } from "@/lib/testing/oracle/world";
import { isFull } from "@/lib/testing/tier";
import type { TestSite } from "@/lib/testing/world";

/** A report to check: its operation, its own parameters, and its expected answer. */
export interface ReportSpec<Input extends z.ZodObject, Output extends z.ZodType, Own extends object> {
  operation: Operation<Input, Output>;
  own: fc.Arbitrary<Own>;
  /** Returns whether the report supports this query and range. */
  supports?: (sentQuery: Query & Own, range: Range, known: Known) => boolean;
  /** Converts the query to the input of the operation; unchanged by default. */
  input?: (sentQuery: SentQuery & Own) => object;
  /** Returns the expected answer, which is compared with the same fields of the actual answer. */
  expected: (query: Query & Own, known: Known) => object;
  /** Returns the part of the actual answer to compare; the fields of the expected answer by default. */
  comparable?: (data: z.output<Output>, known: Known) => object;
  /** Whether the report has a range of its own, whatever the range of the query. */
  hasOwnRange?: boolean;
}

interface ShapedWorlds extends Worlds {
  /** Transforms a random world so that more events are relevant to the report. */
  shape?: (world: World) => World;
}

/** A stored world with the data that the oracle expects. */
export interface Stored {
  site: TestSite;
  world: World;
  known: Known;
}

/** The compared part of an answer; null when the report does not support the query. */
type Answer = Record<string, unknown> | null;

/** Random queries of a report, and functions that check its answers. */
export interface ReportCheck {
  sentQueries: fc.Arbitrary<SentQuery[]>;
  check(stored: Stored, sentQuery: SentQuery): Promise<Answer>;
  answer(stored: Stored, sentQuery: SentQuery): Promise<Answer>;
  /** The number of spec queries, and how many of their answers differ from those of an empty site. */
  tally: { operation: string; queries: number; informative: number };
}

export const reportCheck = <Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  spec: ReportSpec<Input, Output, Own>,
): ReportCheck => {
  const tally = { operation: spec.operation.id, queries: 0, informative: 0 };
  return {
    sentQueries: sentQueries(spec.own),
    tally,
    answer: async (stored, sentQuery) =>
      (await answerOf(spec, stored, withDates(stored.world, sentQuery as SentQuery & Own)))?.answer ?? null,
    check: async (stored, sentQuery) => {
      const found = await compare(spec, stored, withDates(stored.world, sentQuery as SentQuery & Own));
      if (!found) return null;
      tally.queries++;
      if (found.isInformative) tally.informative++;
      return found.answer;
    },
  };
};

/** Checks reports against the oracle with the same random worlds and random queries. */
export async function checkReports(
  all: readonly ReportCheck[],
  { shape = (same) => same, ...worlds }: ShapedWorlds,
): Promise<void> {
  let failedAt = Number.POSITIVE_INFINITY;
  await checkInWorlds(
    fc.asyncProperty(world.map(shape), fc.tuple(...all.map((one) => one.sentQueries)), async (world, query) => {
      // Shrinks a failure for a limited time.
      if (Date.now() - failedAt > SHRINK_MS) return;
      const { rolledUp: _, cut: __, ...known } = world;
      const stored = { site: await store(world), world, known };
      finishedSites.add(stored.site.id);
      try {
        for (const [index, one] of all.entries())
          for (const sentQuery of query[index] ?? []) await one.check(stored, sentQuery);
      } catch (error) {
        failedAt = Math.min(failedAt, Date.now());
        throw error;
      }
    }),
    worlds,
  );
  // A few worlds can be without a matching event by chance.
  if (!isFull) return;
  for (const { tally } of all) {
    const { operation, queries, informative } = tally;
    expect(informative / queries, `${operation}: ${informative} of ${queries} answers are informative`).toBeGreaterThan(
      0.1,
    );
  }
}

const SHRINK_MS = 60_000;

/** @returns the answer, and whether it differs from that of an empty site; null for an unsupported query. */
async function compare<Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  spec: ReportSpec<Input, Output, Own>,
  stored: Stored,
  sentQuery: SentQuery & Own,
): Promise<{ answer: Record<string, unknown>; isInformative: boolean } | null> {
  const found = await answerOf(spec, stored, sentQuery);
  if (!found) return null;
  const { query, meta, answer } = found;
  const right = spec.expected(query, stored.known);
  if (!spec.hasOwnRange) expect(meta, JSON.stringify(sentQuery)).toMatchObject(metaOf(query, stored.known));
  const compared = spec.comparable ? answer : Object.fromEntries(Object.keys(right).map((key) => [key, answer[key]]));
  expect(compared, JSON.stringify(sentQuery)).toEqual(rounded(right));
  const isInformative = isFull && !isDeepStrictEqual(right, spec.expected(query, { ...stored.known, events: [] }));
  return { answer, isInformative };
}

/** @returns the resolved query and the compared part of the answer; null for an unsupported query. */
async function answerOf<Input extends z.ZodObject, Output extends z.ZodType, Own extends object>(
  { operation, comparable, supports, input: sent = (query) => query }: ReportSpec<Input, Output, Own>,
  { site, world, known }: Stored,
  sentQuery: SentQuery & Own,
): Promise<{ query: Query & Own; meta: object; answer: Record<string, unknown> } | null> {
  const query = resolved(sentQuery) as Query & Own;
  if (supports && !supports(query, rangeOf(query, known), known)) return null;
  const { segment, dashboard, ...input } = sent(sentQuery) as SentQuery;
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
  // Refunds what earlier reports used: on a slow and busy machine they use more than a person may.
  reportTime().charge(sharesOf(principal), Number.NEGATIVE_INFINITY);
  const { data } = await execute(operation, call);
  const { meta, ...rest } = data as { meta: object };
  const answer = comparable ? comparable(data, known) : rest;
  return { query, meta, answer: rounded(answer) as Record<string, unknown> };
}

/** Rounds numbers to nine digits, because the last digits depend on the order of summation. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}
