import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Personal tokens, and machine agents that ask for more. */

const TOKENS = "lib/oauth/personal-tokens.test.ts";
const GROWTH = "lib/oauth/growth.test.ts";

export const TOKENS_AND_GROWTH: readonly (Protection | Exempt)[] = [
  {
    case: 156,
    because: "the actions read no bearer token, and no operation for agents makes one: there is no code to remove",
  },
  {
    case: 157,
    file: "lib/oauth/personal-tokens.ts",
    find: "const granted = await requireGrantable(tx, choice.scopes, choice.siteIds, by.owner, now);",
    replace: "const granted = { scopes: [...choice.scopes], siteIds: choice.siteIds };",
    test: { file: TOKENS, title: "a person gives a token only sites of which they are a member" },
  },
  {
    case: 158,
    file: "lib/operations/personal/tokens.create.ts",
    find: ".max(TOKEN_DAYS.longest,",
    replace: ".max(99_999,",
    test: { file: TOKENS, title: "a token expires after at least a day and at most a year" },
  },
  {
    case: 159,
    file: "lib/oauth/tokens.ts",
    find: "now < token.expiresAt &&",
    replace: "",
    test: { file: TOKENS, title: "reads with it until it expires" },
  },
  {
    case: 160,
    file: "lib/sites/roles.ts",
    find: "await tx.clientSite.deleteMany({ where: ofTheirAgents });",
    replace: "",
    test: { file: TOKENS, title: "a token loses what its person loses" },
  },
  { case: 161, because: "no code reads a token from a URL, so there is none to remove" },
  {
    case: 162,
    file: "lib/mcp/endpoint.ts",
    find: "await bearerPrincipal(incoming, now, mcpResource());",
    replace: "await bearerPrincipal(incoming, now);",
    test: { file: TOKENS, title: "a token works at the management API only" },
  },
  {
    case: 163,
    file: "lib/gateway/execute.ts",
    find: 'if (principal.kind === "owner" || !needsApproval(op) || !op.summary) return null;',
    replace:
      'if (principal.kind === "owner" || principal.clientKind === "personal" || !needsApproval(op) || !op.summary) return null;',
    test: { file: TOKENS, title: "risky calls of a token wait for a person's approval" },
  },
  {
    case: 164,
    file: "lib/oauth/personal-tokens.ts",
    find: "await requireRoom(tx, personId, now);",
    replace: "",
    test: { file: TOKENS, title: "a person has at most fifty tokens" },
  },
  {
    case: 165,
    file: "lib/oauth/device.ts",
    find: '(kind === "machine" && ownerId !== null)',
    replace: 'kind === "machine"',
    test: { file: GROWTH, title: "a machine agent without a person cannot ask" },
  },
  {
    case: 166,
    file: "lib/oauth/consent.ts",
    find: 'const isFree = ownerId === null && kind === "delegated";',
    replace: "const isFree = ownerId === null;",
    test: { file: GROWTH, title: "a code of a machine whose account lost its person" },
  },
  {
    case: 167,
    file: "lib/oauth/consent.ts",
    find: "await requireMemberships(tx, siteIds, owner.personId);",
    replace: "",
    test: { file: GROWTH, title: "a consent never gives a machine agent foreign sites" },
  },
  {
    case: 168,
    file: "lib/identity/recoveries.ts",
    find: "if (!scopes.every((scope) => held.includes(scope))) await requireNobodyToAsk(tx, old.ownerId, siteIds);",
    replace: "",
    test: { file: "lib/identity/recoveries.test.ts", title: "once a person owns the account or a site of it" },
  },
];
