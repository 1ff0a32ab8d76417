import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Pages. */
export const PAGES: readonly (Protection | Exempt)[] = [
  { case: 80, because: "only a browser shows whether text is markup" },
  {
    case: 81,
    file: "lib/platform/csv.ts",
    find: `.replace(FORMULA, "'$&")`,
    replace: "",
    test: { file: "components/reports/parts/csv.test.ts", title: "text that a spreadsheet would run as a formula" },
  },
  {
    case: 82,
    file: "lib/auth/next-path.ts",
    find: String.raw`if (origin !== BASE.origin || /^\/(?:[/\\]|%2f|%5c)/i.test(pathname)) return DEFAULT;`,
    replace: "",
    test: { file: "lib/auth/next-path.test.ts", title: "is refused as a redirect path" },
  },
  {
    case: 83,
    file: "lib/auth/sign-in.ts",
    find: "for (const limit of limits) await take(limit, now);",
    replace: "",
    test: { file: "lib/auth/sign-in.test.ts", title: "after five wrong passwords" },
  },
  {
    case: 84,
    file: "lib/account/change-password.ts",
    find: "await endSessions(tx, personId, now, keptSid);",
    replace: "",
    test: { file: "lib/auth/account.test.ts", title: "signs out every other browser" },
  },
  {
    case: 85,
    file: "lib/gateway/decide.ts",
    find: "if (obstacle) throw obstacle;",
    replace: "",
    test: { file: "lib/api/actions.test.ts", title: "operations on objects of other people answer not_found" },
  },
  {
    case: 86,
    file: "lib/sites/share-limits.ts",
    find: "if (!isShown(limits, filter.key, report)) {",
    replace: "if (false) {",
    test: {
      file: "app/(public)/share/[domain]/shared.test.ts",
      title: "a public dashboard answers nothing about fields",
    },
  },
];
