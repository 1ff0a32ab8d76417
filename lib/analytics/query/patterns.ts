import { RE2JS, RE2JSSyntaxException } from "re2js";
import { invalidInput } from "@/lib/platform/errors";

/** Regular expressions of callers, with the syntax and linear time of RE2 (github.com/google/re2/wiki/Syntax). */

/** Characters, classes and groups of a pattern with its repeats written out: `(ab){0,9}` has 18. */
const MOST_PARTS = 1_000;

/**
 * Reads a pattern. Its size is estimated before it is compiled, because compiling takes time in proportion to it.
 *
 * @param path the parameter that holds the pattern, for the error.
 * @throws Refusal `invalid_input` when RE2 does not understand it, or when its repeats make it too large.
 */
export function compilePattern(pattern: string, path: string): RE2JS {
  if (partsOf(pattern) > MOST_PARTS) {
    throw invalidInput([
      { path, message: `repeats too much; lower the numbers in braces, to ${MOST_PARTS} characters written out` },
    ]);
  }
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const reason = error.getDescription();
    throw invalidInput([
      { path, message: `is not an RE2 regular expression (${reason}); see github.com/google/re2/wiki/Syntax` },
    ]);
  }
}

/** One part of a pattern, or a token that opens, closes or repeats parts. */
const TOKENS =
  /\\Q.*?(?:\\E|$)|\\x\{[0-9a-f]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gisu;

/** At least as many parts as the pattern has once its repeats are written out. */
function partsOf(pattern: string): number {
  const open = [0];
  let last = 0;
  const add = (parts: number) => open.push((open.pop() ?? 0) + parts);
  for (const { 0: token, groups } of pattern.matchAll(TOKENS)) {
    if (token === "(") {
      open.push(0);
    } else if (token === ")" && open.length > 1) {
      last = 1 + (open.pop() as number);
      add(last);
    } else if (groups?.least !== undefined) {
      const times = Math.max(Number(groups.least), Number(groups.most ?? 0), 1);
      add(last * (times - 1));
      last *= times;
    } else {
      last = token.startsWith("\\Q") ? token.length : 1;
      add(last);
    }
  }
  return open.reduce((sum, parts) => sum + parts, 0);
}
