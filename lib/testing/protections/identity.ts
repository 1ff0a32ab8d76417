import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Identity. */
export const IDENTITY: readonly (Protection | Exempt)[] = [
  {
    case: 54,
    file: "lib/gateway/idempotency/idempotency.ts",
    find: "requireKey(key, /^[0-9a-f]{64}$/, {",
    replace: "requireKey(key, /./, {",
    test: { file: "lib/identity/answer.test.ts", title: "case 54:" },
  },
  {
    case: 55,
    file: "lib/identity/open-challenge.ts",
    find: "wrongKeys: { lt: WRONG_KEYS } },",
    replace: "},",
    also: [
      {
        file: "lib/identity/open-challenge.ts",
        find: "if (challenge.wrongKeys >= WRONG_KEYS)",
        replace: "if (false)",
      },
    ],
    test: { file: "lib/identity/registrations.test.ts", title: "case 55:" },
  },
  {
    case: 56,
    file: "lib/identity/open-challenge.ts",
    find: "if (challenge.expiresAt <= now) {",
    replace: "if (false) {",
    test: { file: "lib/identity/registrations.test.ts", title: "case 56: a challenge works to the last moment" },
  },
  {
    case: 57,
    file: "lib/identity/registrations.ts",
    find: "if (!sameDigest(challenge.recoveryHash, keyDigest)) {",
    replace: "if (false) {",
    test: { file: "lib/identity/registrations.test.ts", title: "case 57: a proof that an attacker" },
  },
  {
    case: 58,
    file: "lib/platform/outbound/names.ts",
    find: 'return address.range() === "unicast" &&',
    replace: "return",
    test: { file: "lib/platform/outbound/names.test.ts", title: "is never connected to" },
  },
  {
    case: 59,
    file: "lib/platform/outbound/outbound.ts",
    find: "if (isEncoded(headers)) throw new Unreachable(false);",
    replace: "",
    test: { file: "lib/platform/outbound/outbound.test.ts", title: "such as a gzip bomb, is refused" },
  },
  {
    case: 60,
    file: "lib/gateway/idempotency/idempotency.ts",
    find: "(record.answerUntil && record.answerUntil <= now)",
    replace: "false",
    test: { file: "lib/identity/answer.test.ts", title: "case 60:" },
  },
  {
    case: 61,
    file: "lib/identity/recoveries.ts",
    find: "if (sameDigest(challenge.recoveryHash, oldKey)) {",
    replace: "if (false) {",
    test: { file: "lib/identity/recoveries.test.ts", title: "case 61: the same key" },
  },
  {
    case: 62,
    file: "lib/oauth/revoke-clients.ts",
    find: "await tx.accessToken.updateMany({ where: { ...ofRevoked, revokedAt: null }, data: { revokedAt: now } });",
    replace: "",
    also: [{ file: "lib/oauth/tokens.ts", find: "client.revokedAt === null &&", replace: "" }],
    test: { file: "lib/identity/recoveries.test.ts", title: "case 62:" },
  },
  { case: 63, because: "a unique index gives each domain to one site" },
];
