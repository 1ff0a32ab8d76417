import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** The snippet and its trial on the owner's machine. */
export const FIRST_HOUR: readonly (Protection | Exempt)[] = [
  {
    case: 299,
    file: "lib/operations/sites.installation.ts",
    find: "searchNames(text).every((name) => SEARCH_PARAMETER.test(name))",
    replace: "searchNames(text).every((name) => name !== undefined)",
    test: {
      file: "lib/operations/sites.installation.test.ts",
      title: "nothing that ends an attribute or is code gets into a snippet",
    },
  },
  {
    case: 300,
    file: "lib/ingest/site/sites.ts",
    find: "(site.localPages && isThisMachine(hostname))",
    replace: "isThisMachine(hostname)",
    test: {
      file: "lib/ingest/api/local-pages.test.ts",
      title: "pages on localhost are refused unless the owner counts them, and then reports tell them apart",
    },
  },
  {
    case: 301,
    file: "components/reports/zoom.ts",
    find: "Object.fromEntries(RANGE.map((name) => [name, range.get(name)]))",
    replace: "Object.fromEntries(range)",
    test: {
      file: "components/reports/zoom.test.ts",
      title: "the way back from a zoom changes only the range, whatever a link says",
    },
  },
];
