import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** What reports say first, and how they are asked. */
export const REPORT_VIEWS: readonly (Protection | Exempt)[] = [
  {
    case: 285,
    file: "components/reports/sentences.ts",
    find: 'text.replaceAll(DIRECTIONS, "")',
    replace: "text",
    test: { file: "components/reports/says.test.ts", title: "a name cannot reorder" },
  },
  {
    case: 286,
    file: "lib/analytics/reports/retention.ts",
    find: "if (chosen && range.days > MOST_DAYS[chosen]) {",
    replace: "if (chosen && range.days > 1_000_000) {",
    test: {
      file: "lib/operations/analytics.retention.test.ts",
      title: "a range that is too long for the chosen width is refused",
    },
  },
];
