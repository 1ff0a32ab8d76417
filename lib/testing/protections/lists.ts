import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** What lists of a dashboard show. */
export const LISTS: readonly (Protection | Exempt)[] = [
  {
    case: 297,
    file: "components/icons/icon-of.ts",
    find: '  return key === undefined ? "letter" :',
    replace: "  return key === undefined ? (value as string) :",
    test: {
      file: "components/icons/icon-of.test.ts",
      title: "a value from outside never becomes an address",
    },
  },
  {
    case: 298,
    file: "components/icons/icon-of.ts",
    find: 'return brand && kind === (brand.plain ? "plain" : "brands") ? brand.svg : undefined;',
    replace: "return brand?.svg;",
    test: { file: "components/icons/icon-of.test.ts", title: "an address without an icon answers 404" },
  },
];
