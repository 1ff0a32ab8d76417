import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** What conversions and revenue are given to. */
export const ATTRIBUTION: readonly (Protection | Exempt)[] = [
  {
    case: 319,
    file: "lib/sites/share-limits.ts",
    find: 'if (limits.period && input.attribution === "first") {',
    replace: "if (false) {",
    test: {
      file: "lib/sites/share-limits.test.ts",
      title: "a link to one period does not look back at earlier days by first touch",
    },
  },
];
