import type { ScrubRuleKind } from "@/lib/contract/scrub-rule-kinds";
import { type ReadPattern, readPath } from "@/lib/platform/path-patterns";

/** A site's own rules of scrubbing, normalised for the comparison with events. */

const LONGEST = 253;
const LONGEST_KEY = 100;
/** Fewer would match words by chance. */
const FEWEST_CHARACTERS = 3;
const MAX_STARS = 10;

/** Returns the normalised pattern, or the fault as the predicate of a sentence. */
export function readScrubRule(kind: ScrubRuleKind, typed: string): ReadPattern {
  switch (kind) {
    case "pattern":
      return readWord(typed);
    case "key":
    case "kept_key":
      return readKey(typed);
    case "kept_path":
      if (typed.includes("?")) return { fault: "must be a path without ?: it covers the page with any query" };
      if (/^\/[*/]*$/.test(typed)) return { fault: "must name a part of the site, such as /products/**" };
      return readPath(typed, LONGEST);
  }
}

function readWord(typed: string): ReadPattern {
  if (/[\s/?&=#;,:"'()<>[\]{}|!%]/.test(typed))
    return { fault: "must be one word without spaces or any of / ? & = # ; , : % and brackets, such as CUST-*" };
  if (/\*\*/.test(typed) || typed.split("*").length > MAX_STARS + 1)
    return { fault: `may have up to ${MAX_STARS} single *, each for any part of the word` };
  if (typed.replaceAll("*", "").length < FEWEST_CHARACTERS)
    return { fault: `must have at least ${FEWEST_CHARACTERS} characters besides *` };
  if (typed.length > LONGEST) return { fault: `must have at most ${LONGEST} characters` };
  return { pattern: typed.toLowerCase() };
}

function readKey(typed: string): ReadPattern {
  if (typed.length > LONGEST_KEY) return { fault: `must have at most ${LONGEST_KEY} characters` };
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_.[\]-]*$/u.test(typed))
    return { fault: "must be the name of a property or query parameter, such as customer_ref" };
  return { pattern: typed };
}
