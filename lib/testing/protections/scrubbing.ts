import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Scrubbing of personal data, and the rules of sites. */

const CASES = "lib/ingest/scrubbing/scrub-cases.test.ts";
const RULES = "lib/sites/scrub-rules.test.ts";

export const SCRUBBING: readonly (Protection | Exempt)[] = [
  {
    case: 206,
    file: "lib/ingest/scrubbing/scrub.ts",
    find: "const inner = scrubAll(plain, note, context, depth + 1);",
    replace: "const inner = plain;",
    test: { file: CASES, title: "personal data and secrets are replaced, wherever they stand" },
  },
  { case: 207, because: "the form of each regular expression holds it: there is no code to remove" },
  {
    case: 208,
    file: "lib/ingest/scrubbing/scrub.ts",
    find: "if (ANNOUNCING.has(text)) return true;",
    replace: "return false;",
    test: { file: CASES, title: "personal data and secrets are replaced, wherever they stand" },
  },
  {
    case: 209,
    file: "lib/operations/sites.scrubbing.add.ts",
    find: 'risk: "configuration",',
    replace: 'risk: "write",',
    test: { file: RULES, title: "an agent cannot weaken or strengthen scrubbing" },
  },
  {
    case: 210,
    file: "lib/contract/scrub-rules.ts",
    find: 'if (typed.replaceAll("*", "").length < FEWEST_CHARACTERS)',
    replace: "if (false)",
    test: { file: RULES, title: "is refused with a sentence" },
  },
  {
    case: 211,
    file: "lib/operations/sites.scrubbing.report.ts",
    find: 'role: "manager",',
    replace: 'role: "viewer",',
    test: { file: RULES, title: "viewers and members of other sites cannot" },
  },
  {
    case: 212,
    file: "lib/ingest/store/ingest-stats.ts",
    find: "known.has(name) || known.size < MAX_NAMES",
    replace: "true",
    test: { file: RULES, title: "the report counts what was replaced by kind" },
  },
  { case: 213, because: "Object.fromEntries defines properties instead of setting them: there is no code to remove" },
];
