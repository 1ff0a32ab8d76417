import { analytics } from "@/lib/analytics/engine/analytics";
import type { Condition } from "@/lib/analytics/query/conditions";
import { boundedMap } from "@/lib/platform/bounded-map";
import { DAY_MS } from "@/lib/platform/durations";
import { type Issue, invalidInput } from "@/lib/platform/errors";

/** Regular expressions of callers, judged by the engine that runs them (github.com/google/re2/wiki/Syntax). */

/** The verdicts on patterns, because every report of a dashboard asks for the same ones. */
const verdicts = boundedMap<string, { fault: string | null }>("patterns", { max: 1_000, ttl: DAY_MS });

/** @throws Refusal `invalid_input` that names each condition whose regular expression DuckDB does not take. */
export async function checkPatterns(conditions: readonly Condition[]): Promise<void> {
  const issues: Issue[] = [];
  for (const { operator, values, path } of conditions) {
    const fault = operator === "matches" ? await faultOfPattern(values[0] ?? "") : null;
    if (fault) issues.push({ path, message: sentenceOf(fault) });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

async function faultOfPattern(pattern: string): Promise<string | null> {
  const known = verdicts.get(pattern);
  if (known) return known.fault;
  const fault = await analytics().patternFault(pattern);
  verdicts.set(pattern, { fault });
  return fault;
}

const TOO_LARGE = /^invalid repetition size|^pattern too large/;

const sentenceOf = (fault: string): string =>
  TOO_LARGE.test(fault)
    ? `repeats too much (${fault}); lower the numbers in braces`
    : `is not an RE2 regular expression (${fault}); see github.com/google/re2/wiki/Syntax`;
