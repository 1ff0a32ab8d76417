import type { Protection } from "@/lib/testing/protections/protection";

/** Text of visitors and damaged files on the way out of the service and back into it. */
export const EXPORTS: readonly Protection[] = [
  {
    case: 240,
    file: "components/reports/pdf/paper.ts",
    find: '.replace(/[\\p{Cc}\\p{Cf}]/gu, "")',
    replace: "",
    test: { file: "components/reports/pdf/report-pdf.test.ts", title: "what visitors wrote is only drawn" },
  },
  {
    case: 241,
    file: "lib/analytics/engine/parquet-pages.ts",
    find: "        if (error instanceof OperatorError) return { fault: error.message };\n",
    replace: "",
    test: { file: "lib/transfer/transfer.test.ts", title: "a compressed and a damaged Parquet file are refused" },
  },
  {
    case: 242,
    file: "lib/analytics/engine/parquet.ts",
    find: 'type.startsWith("DECIMAL");',
    replace: "type === null;",
    test: { file: "lib/transfer/parquet-file.test.ts", title: "an amount that Parquet cannot hold is null" },
  },
];
