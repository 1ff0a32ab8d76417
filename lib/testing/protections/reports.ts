import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Text of visitors in what reports say in sentences. */
export const REPORT_TEXTS: readonly (Protection | Exempt)[] = [
  {
    case: 214,
    file: "lib/mcp/untrusted.ts",
    find: 'if (typeof value === "object" && value !== null) return Object.values(value).some(isText);',
    replace: "",
    test: { file: "lib/mcp/endpoint.test.ts", title: "a source in the sentences and calls of a report is data" },
  },
  {
    case: 215,
    file: "lib/sites/reports/write.ts",
    find: "changes.slice(0, CHANGES).map((sentence) => unlink(sentence))",
    replace: "changes.slice(0, CHANGES)",
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "what explains the change of visits, without links or markup",
    },
  },
  {
    case: 216,
    file: "lib/operations/analytics.explore.ts",
    find: "isPublicViewer(principal) && (outcomes",
    replace: "false && (outcomes",
    also: [
      {
        file: "lib/sites/share-limits.ts",
        find: "if (!asksOnlyShown(limits, op.id, input, report ? CHOICES : OF_DASHBOARD)) {",
        replace: "if (limits === null) {",
      },
    ],
    test: {
      file: "lib/operations/analytics.outcomes.test.ts",
      title: "a public dashboard has no conversions, revenue or custom properties, whoever asks for them",
    },
  },
  {
    case: 217,
    file: "lib/analytics/query/dimension-sql.ts",
    find: "=> sql`coalesce(fact.props[",
    replace: '=> name.includes("\'") ? raw(name) : sql`coalesce(fact.props[',
    test: {
      file: "lib/operations/analytics.explore.test.ts",
      title: "a custom property is a dimension whose rows are of the events that have it",
    },
  },
];
