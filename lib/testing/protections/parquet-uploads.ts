import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const FILE = "lib/analytics/engine/parquet-reader.test.ts";

/** Uploaded files of Parquet. */
export const PARQUET_UPLOADS: readonly (Protection | Exempt)[] = [
  {
    case: 328,
    file: "lib/analytics/engine/parquet-reader.ts",
    find: "    refuseNested(types, present);",
    replace: "",
    test: { file: FILE, title: "a small file whose rows would fill the memory is refused before they do" },
  },
  {
    case: 329,
    file: "lib/analytics/engine/parquet-reader.ts",
    find: "    await checkFooter(file);",
    replace: "",
    test: {
      file: FILE,
      title:
        "a file that is cut off, damaged or describes too much is refused with the reason, without its place on the server",
    },
  },
];
