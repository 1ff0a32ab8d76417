import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Signatures of agents, and lists. */
const TEST = "lib/ingest/enrich/own-lists.test.ts";
const VERIFIES = { file: TEST, title: "verifies an agent in the form of a browser" };
const CHECK = "lib/ingest/enrich/web-bot-auth.ts";

export const SIGNED_AGENTS: (Protection | Exempt)[] = [
  {
    case: 193,
    file: CHECK,
    find: 'if (created > now + SKEW_S || expires < now || expires - created > MAX_LIFETIME_S) return "spoofed";',
    replace: "",
    test: VERIFIES,
  },
  {
    case: 194,
    file: CHECK,
    find: 'if (!names.includes("@authority") || !names.includes("signature-agent")) return "spoofed";',
    replace: "",
    test: VERIFIES,
  },
  {
    case: 195,
    file: CHECK,
    find: "if (verify(null, Buffer.from(base), key, parsed.signature)) return",
    replace: "return",
    test: VERIFIES,
  },
  {
    case: 196,
    file: "lib/ingest/enrich/classify.ts",
    find: 'verified: named.operator === operator ? state : "spoofed"',
    replace: "verified: state",
    test: { file: TEST, title: "names another operator than its signature" },
  },
  {
    case: 197,
    file: CHECK,
    find: "// The library throws a ParseError for text that is no structured field (RFC 9651).\n    return null;",
    replace: "throw new Error();",
    test: { file: TEST, title: "headers that are no signature never change" },
  },
  {
    case: 198,
    file: CHECK,
    find: "if (agent === null) return null;",
    replace:
      'if (agent === null) return { agent: { host: "", token: "x", operator: "x", purpose: "agent" }, state: "claimed" };',
    test: { file: TEST, title: "names another operator than its signature" },
  },
  {
    case: 199,
    file: "lib/jobs/signature-directories.ts",
    find: "status === 200 && complete ? Directory",
    replace: "true ? Directory",
    also: [
      { file: "lib/jobs/signature-directories.ts", find: "limitBytes: 64 * 1024", replace: "limitBytes: 2 ** 20" },
    ],
    test: { file: TEST, title: "a directory that is large, redirects" },
  },
  {
    case: 200,
    file: "lib/cli/lists/update.ts",
    find: "if (after.size === 0 || (!mayShrink && after.size < before.size * LEAST_PART)) {",
    replace: "if (false) {",
    test: { file: "lib/cli/lists/update.test.ts", title: "is refused with the way out" },
  },
  {
    case: 201,
    file: "lib/ingest/enrich/own-lists.ts",
    find: "if (parsed.success) return parsed.data;",
    replace: "if (true) return parsed.data as OwnEntries;",
    test: { file: TEST, title: "own lists that are wrong are refused" },
  },
  { case: 202, because: "each pattern is held by its own form" },
];
