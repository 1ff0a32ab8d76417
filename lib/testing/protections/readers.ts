import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** What logs and servers say of robots. */
export const READERS: readonly (Protection | Exempt)[] = [
  {
    case: 218,
    file: "lib/ingest/api/measured-event.ts",
    find: "z.int(STATUS).min(200, STATUS).max(599, STATUS)",
    replace: "z.number()",
    test: { file: "lib/operations/analytics.ai.test.ts", title: "a status that no page is answered with" },
  },
  {
    case: 219,
    file: "lib/logs/import.ts",
    find: "gotError(line) && robot !== null && isReader(robot)",
    replace: "gotError(line)",
    test: {
      file: "lib/logs/import.test.ts",
      title: "pageviews of crawlers and errors of known readers",
    },
  },
];
