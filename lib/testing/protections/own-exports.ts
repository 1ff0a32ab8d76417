import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const FILE = "lib/transfer/own-events.test.ts";

/** Exports of Footfall itself that are uploaded. */
export const OWN_EXPORTS: readonly (Protection | Exempt)[] = [
  {
    case: 324,
    file: "lib/transfer/own-events.ts",
    find: "if (Temporal.PlainDate.compare(day, oldest) < 0)",
    replace: "if (false)",
    test: { file: FILE, title: "events of so many months that their tables would burden the server are refused" },
  },
  {
    case: 325,
    file: "lib/transfer/own-events.ts",
    find: "hosts.refuseForeign();",
    replace: "",
    test: { file: FILE, title: "the export of another site is refused with its hosts" },
  },
];
