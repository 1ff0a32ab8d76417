import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const HOSTILE_ROWS = {
  file: "lib/transfer/matomo.test.ts",
  title: "hostile rows of Matomo are refused by file and record",
};

/** Reports of other services in an import. */
export const REPORTS_OF_OTHERS: readonly (Protection | Exempt)[] = [
  {
    case: 270,
    file: "lib/transfer/json-records.ts",
    find: "if (this.#part.length > MAX_RECORD_LENGTH)",
    replace: "if (false)",
    test: {
      file: "lib/transfer/json-records.test.ts",
      title: "what is no list of records, is cut off or nested without end",
    },
  },
  {
    case: 271,
    file: "lib/transfer/archive.ts",
    find: "new TextDecoder(encoding, { fatal: true })",
    replace: "new TextDecoder(encoding)",
    test: HOSTILE_ROWS,
  },
  {
    case: 272,
    file: "lib/transfer/numbers.ts",
    find: "if (!/^\\d{1,15}$/.test(digits))",
    replace: "if (false)",
    test: HOSTILE_ROWS,
  },
  {
    case: 273,
    file: "lib/transfer/sums-files.ts",
    find: "reader = inRow(head, row, () => readerAgain(service, file));",
    replace: "",
    test: HOSTILE_ROWS,
  },
  {
    case: 274,
    file: "lib/transfer/fathom.ts",
    find: 'return [dateOf(text), hour ?? "00"];',
    replace: "return [dateOf(text), String(Math.random())];",
    test: {
      file: "lib/transfer/fathom.test.ts",
      title: "exports of Fathom with several dimensions, unknown columns, months or an hour twice",
    },
  },
];
