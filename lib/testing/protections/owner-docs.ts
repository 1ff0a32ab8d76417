import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** The record of a site, and the search of the docs. */
export const OWNER_DOCS: readonly (Protection | Exempt)[] = [
  {
    case: 248,
    file: "lib/operations/sites.privacy.record.ts",
    find: 'role: "manager",',
    replace: 'role: "viewer",',
    test: {
      file: "lib/sites/record/record.test.ts",
      title: "the record is read by managers and their agents",
    },
  },
  {
    case: 249,
    file: "lib/publish/search/search.ts",
    find: ".slice(0, LONGEST_QUERY)",
    replace: "",
    test: { file: "lib/publish/search/search.test.ts", title: "a query is cut after its longest length" },
  },
];
