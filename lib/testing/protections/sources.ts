import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Traffic sources and addresses. */
export const SOURCES: readonly (Protection | Exempt)[] = [
  {
    case: 203,
    file: "lib/ingest/enrich/sources.ts",
    find: 'kind === "none" ? null : {',
    replace: 'kind === "none" ? undefined : {',
    test: { file: "lib/ingest/enrich/sources.test.ts", title: "a host that only looks like a source is none" },
  },
  {
    case: 204,
    file: "lib/ingest/enrich/referrer.ts",
    find: "referrer && (isWeb(referrer) ? knownSource(host) : knownApp(host))",
    replace: "referrer && (knownSource(host) ?? knownApp(host))",
    test: {
      file: "lib/ingest/enrich/referrer.test.ts",
      title: "a web host and an app of the same name are not taken for each other",
    },
  },
  {
    case: 205,
    file: "lib/platform/canonical.ts",
    find: "TOO_MANY_MARKS.test(text) ? piece : ",
    replace: "",
    test: { file: "lib/platform/canonical.test.ts", title: "more marks on a letter than any text has" },
  },
];
