import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** What clients of other products and agents send, and what agents download. */
export const CLIENTS: readonly (Protection | Exempt)[] = [
  {
    case: 280,
    file: "lib/ingest/enrich/web-bot-auth.ts",
    find: 'if (names.includes("content-digest") && parsed.digest?.isRight === false) return "spoofed";',
    replace: "",
    test: { file: "lib/ingest/enrich/own-lists.test.ts", title: "the signature of an agent is checked on every path" },
  },
  {
    case: 281,
    file: "lib/ingest/api/page-events.ts",
    find: "const address = keyed ? publicAddress(ip) : null;",
    replace: "const address = publicAddress(ip);",
    test: {
      file: "lib/ingest/compat/umami.test.ts",
      title: "the address and the browser of a visitor that a server sends",
    },
  },
  {
    case: 282,
    file: "lib/sites/check/tags.ts",
    find: '...(hasKey ? [finding("key_in_page", null, KEY_FIX)] : []),',
    replace: "",
    test: { file: "lib/sites/check/inspect.test.ts", title: "is recognised on a page" },
  },
  {
    case: 283,
    file: "lib/transfer/downloads.ts",
    find: "if (now.getTime() >= expiresAt) throw gone();",
    replace: "",
    test: {
      file: "app/api/v1/management/downloads/downloads.test.ts",
      title: "an address serves its own file for ten minutes",
    },
  },
  {
    case: 284,
    file: "app/api/v1/management/downloads/[ticket]/route.ts",
    find: "if (unknown.length > 0) {",
    replace: "if (unknown.length < 0) {",
    test: {
      file: "app/api/v1/management/downloads/downloads.test.ts",
      title: "what cannot be downloaded is refused by name",
    },
  },
];
