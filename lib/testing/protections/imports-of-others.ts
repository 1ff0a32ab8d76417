import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const EVENTS = "lib/transfer/single-events.test.ts";
const FETCH = "lib/transfer/ga4-fetch.test.ts";

/** Imports of Simple Analytics, GoatCounter and the Data API of Google Analytics. */
export const IMPORTS_OF_OTHERS: readonly (Protection | Exempt)[] = [
  {
    case: 275,
    file: "lib/transfer/goatcounter.ts",
    find: "checkColumns(names, OF_VERSION[version] ?? (OF_VERSION[2] as string));",
    replace: "",
    test: { file: EVENTS, title: "hostile and incomplete files of GoatCounter" },
  },
  {
    case: 276,
    file: "lib/transfer/goatcounter-counts.ts",
    find: "checkColumns(header, table.columns, table.optional);",
    replace: "",
    test: { file: EVENTS, title: "hostile and incomplete files of GoatCounter" },
  },
  {
    case: 277,
    file: "lib/search/connect.ts",
    find: "const mine = { stateHash: hashOf(state), sidHash:",
    replace: "const mine = { sidHash:",
    test: { file: FETCH, title: "reading Google Analytics is asked for only by an import" },
  },
  {
    case: 278,
    file: "lib/transfer/ga4-fetch.ts",
    find: 'if (!year || text < from || text > to) throw new ProviderFault("malformed");',
    replace: "",
    test: { file: FETCH, title: "a day outside of the range, more metrics than asked for" },
  },
  {
    case: 279,
    file: "lib/transfer/ga4-fetch.ts",
    find: "const chosen = known.find((one) => one.property === property);",
    replace: 'const chosen = known[0] ?? { name: "" };',
    test: { file: FETCH, title: "only what the connected account has is fetched" },
  },
];
