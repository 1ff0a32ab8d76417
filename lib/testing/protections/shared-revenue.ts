import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const FILE = "app/(public)/_shared/links.test.ts";

/** Money on shared dashboards. */
export const SHARED_REVENUE: readonly (Protection | Exempt)[] = [
  {
    case: 326,
    file: "lib/gateway/execute.ts",
    find: "isPublic ? site.publicRevenue : limits.revenue",
    replace: "site.publicRevenue",
    test: { file: FILE, title: "a link shows revenue only if its owner chose so" },
  },
  {
    case: 327,
    file: "lib/operations/analytics.explore.ts",
    find: "!seesRevenue(principal) || !isOfMoney(outcome)",
    replace: "!seesRevenue(principal)",
    test: { file: FILE, title: "a link with revenue shows no goals and conversions" },
  },
];
