import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Connections to search engines. */
export const SEARCH: readonly (Protection | Exempt)[] = [
  {
    case: 220,
    file: "lib/search/connect.ts",
    find: "sidHash: sidHashOf(owner.sid), provider, expiresAt",
    replace: "provider, expiresAt",
    test: { file: "lib/search/connect.test.ts", title: "a state works once, for a quarter of an hour" },
  },
  {
    case: 221,
    file: "lib/search/tokens.ts",
    find: 'code_challenge_method: "S256",',
    replace: "",
    also: [{ file: "lib/search/tokens.ts", find: "      code_challenge: challenge,\n", replace: "" }],
    test: {
      file: "lib/search/connect.test.ts",
      title: "a code for another redirect address, or one that somebody else got",
    },
  },
  {
    case: 222,
    file: "lib/search/connect.ts",
    find: 'await siteFor(db(), principal, siteId, "owner");',
    replace: "",
    also: [{ file: "lib/search/connect.ts", find: 'await siteFor(tx, principal, siteId, "owner");', replace: "" }],
    test: {
      file: "lib/search/connect.test.ts",
      title: "only an owner connects a site, also when they lose the role on the way",
    },
  },
  {
    case: 223,
    file: "lib/search/properties.ts",
    find: " || !belongsTo(url.hostname, hosts)) return null;",
    replace: ") return null;",
    test: {
      file: "lib/search/connect.test.ts",
      title: "a property fits a site if it has the data of the site's domains and of no other",
    },
  },
  {
    case: 224,
    file: "lib/search/tokens.ts",
    find: 'siteId, provider].join(":")',
    replace: 'siteId && provider].join(":")',
    test: {
      file: "lib/search/connections.test.ts",
      title: "a sealed token of another site or provider does not open",
    },
  },
  {
    case: 225,
    file: "lib/search/google.ts",
    find: "while (found.length < ROWS_PER_DAY) {",
    replace: "for (;;) {",
    test: { file: "lib/search/fetch.test.ts", title: "a provider that always has one more row" },
  },
  { case: 226, because: "Node follows no redirects by itself, and no code of ours reads their address." },
  {
    case: 227,
    file: "lib/search/fetch.ts",
    find: 'if (!membership) throw new ProviderFault("left");',
    replace: "",
    test: {
      file: "lib/search/connections.test.ts",
      title: "a consent ends with the membership of the person who gave it",
    },
  },
  {
    case: 228,
    file: "lib/search/store/numbers.ts",
    find: 'if (!(await lockRow(tx, "search_connection", connectionId))) throw new ConnectionEnded();',
    replace: "",
    test: {
      file: "lib/search/fetch.test.ts",
      title: "what was asked for before a connection ended is not stored",
    },
  },
  {
    case: 229,
    file: "lib/search/rows.ts",
    find: "  scrub(clip(query.normalize",
    replace: "  ((text: string, _: unknown) => text)(clip(query.normalize",
    test: {
      file: "lib/search/fetch.test.ts",
      title: "personal data in queries and pages is replaced before it is stored",
    },
  },
  {
    case: 230,
    file: "lib/operations/analytics.seo.ts",
    find: "isPublicViewer(principal) ? [] : ",
    replace: "",
    also: [
      {
        file: "lib/sites/share-limits.ts",
        find: "if (!report && !isOfDashboard(limits, op.id)) {",
        replace: "if (limits === null) {",
      },
    ],
    test: {
      file: "lib/search/connections.test.ts",
      title: "a public dashboard has no search data of the site",
    },
  },
  {
    case: 231,
    file: "lib/search/connections.ts",
    find: "const REFRESHES = { limit: 2,",
    replace: "const REFRESHES = { limit: 2_000,",
    test: { file: "lib/search/connections.test.ts", title: "a manager may ask for a fetch, twice an hour" },
  },
];
