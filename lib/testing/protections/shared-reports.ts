import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Reports behind a private link. */
export const SHARED_REPORT_FILTERS: readonly (Protection | Exempt)[] = [
  {
    case: 323,
    file: "lib/sites/share-limits.ts",
    find: "if (report && LISTED[report]?.some((listed) => listed === key)) return true;",
    replace: "if (Object.values(LISTED).some((keys) => keys.some((listed) => listed === key))) return true;",
    test: {
      file: "app/(public)/_shared/links.test.ts",
      title: "a reader filters a shared report by what it lists whole",
    },
  },
];
