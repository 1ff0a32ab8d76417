import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Late events, and clients of other products. */
export const FOREIGN: readonly (Protection | Exempt)[] = [
  {
    case: 232,
    file: "lib/ingest/api/measured-event.ts",
    find: "timestamp: sentTime.nullish(),",
    replace: "timestamp: z.any(),",
    test: { file: "lib/ingest/api/late-events.test.ts", title: "a time that is none makes its event invalid" },
  },
  {
    case: 233,
    file: "lib/ingest/store/timed-commit.ts",
    find: "if (placed) assignAgain(group, placed, near, result);\n  else assignAfter",
    replace: "assignAfter",
    test: { file: "lib/ingest/api/late-events.test.ts", title: "a late event between two visits makes them one" },
  },
  {
    case: 234,
    file: "lib/ingest/compat/plausible.ts",
    find: "status: foreignStatus(answer), body };",
    replace: "body };",
    test: {
      file: "lib/ingest/compat/plausible.test.ts",
      title:
        "a hostile event of a Plausible client is refused with 400 and the field, and never stored or a server error",
    },
  },
  {
    case: 235,
    file: "lib/ingest/api/umami.ts",
    find: "refuseFaults(sent);",
    replace: "",
    test: {
      file: "lib/ingest/compat/umami.test.ts",
      title: "a hostile event of an Umami client is refused in Umami's form, and never stored or a server error",
    },
  },
  {
    case: 236,
    file: "lib/ingest/api/page-events.ts",
    find: "  checkOrigin(request, site);",
    replace: "",
    test: {
      file: "lib/ingest/compat/umami.test.ts",
      title: "a page of another site cannot send events to a site by its website id",
    },
  },
  {
    case: 237,
    file: "lib/ingest/api/segment.ts",
    find: "const unstorable = findFault(sent, MAX_DEPTH);",
    replace: "const unstorable = null as ReturnType<typeof findFault>;",
    test: {
      file: "lib/ingest/compat/segment.test.ts",
      title: "a hostile Segment call is refused with its own field, and never stored or a server error",
    },
  },
  {
    case: 238,
    file: "lib/ingest/api/keys.ts",
    find: "if (!secret || !row || !isLive(row, caller.now)) throw invalidKey();",
    replace: "",
    test: {
      file: "lib/ingest/compat/segment.test.ts",
      title: "without the ingest key of a site no Segment call is stored, and the answer has no key",
    },
  },
  {
    case: 239,
    file: "lib/sites/aliases.ts",
    find: 'if (!taken) throw invalid("is mapped to another site; it has to be removed there first");',
    replace: "if (!taken) return { alias, createdAt: now };",
    test: { file: "lib/operations/sites.aliases.test.ts", title: "a website id of another site cannot be mapped" },
  },
];
