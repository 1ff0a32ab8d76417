import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const CHANGE = "lib/account/change-email.test.ts";
const ADMIN = "lib/admin/administration.test.ts";

/** Addresses of accounts, administrators and the audit log. */
export const ADMINISTRATION: readonly (Protection | Exempt)[] = [
  {
    case: 287,
    file: "lib/operations/personal/email.change.ts",
    find: "freshMs: FRESH_MS,",
    replace: "freshMs: null as null | typeof FRESH_MS,",
    test: { file: CHANGE, title: "a stranger at an open browser cannot change the address without the password" },
  },
  {
    case: 288,
    file: "lib/account/change-email.ts",
    find: "      const where = { hash: hashOf(token), personId, expiresAt: { gt: now } };",
    replace: "      const where = { hash: hashOf(token), personId };",
    test: {
      file: CHANGE,
      title: "the link of a new address works once, for two days, only the latest one, and in no other account",
    },
  },
  {
    case: 289,
    file: "lib/account/change-email.ts",
    find: "(await hasAccount(email)) ? addressIsTaken(email) : confirmation(email, token);",
    replace: "(await hasAccount(email)) && !token ? addressIsTaken(email) : confirmation(email, token);",
    test: {
      file: CHANGE,
      title: "nobody learns from a request whether an address has an account, and two accounts never share one",
    },
  },
  {
    case: 290,
    file: "lib/account/change-email.ts",
    find: "    if (allowed) await queueEmail(tx, message, now);",
    replace: "    if (allowed || message) await queueEmail(tx, message, now);",
    test: { file: CHANGE, title: "a stranger's mailbox gets three such emails a day, of all accounts together" },
  },
  {
    case: 291,
    file: "lib/account/change-password.ts",
    find: "where: { personId, restores: null }",
    replace: "where: { personId }",
    test: { file: CHANGE, title: "the link of the former address survives a new password of the thief" },
  },
  {
    case: 292,
    file: "lib/account/reset.ts",
    find: "where: { personId, createdAt: { gte: createdAt } }",
    replace: "where: { personId, ...(createdAt && {}) }",
    test: {
      file: CHANGE,
      title: "of two changes the first address takes the account back, whatever link a thief uses before",
    },
  },
  {
    case: 293,
    file: "lib/oauth/tokens.ts",
    find: "    !client.owner?.disabledAt &&\n",
    replace: "",
    test: {
      file: ADMIN,
      title:
        "a disabled person cannot sign in, their sessions end, and their agents, tokens and ingest keys stop until they are enabled",
    },
  },
  {
    case: 294,
    file: "lib/admin/change-people.ts",
    find: "    await requireStillAdministrator(tx, owner);\n",
    replace: "",
    test: { file: ADMIN, title: "of two that remove each other at once one stays" },
  },
  {
    case: 295,
    file: "lib/ingest/site/limits.ts",
    find: "  if (disabled) throw disabledSite();\n",
    replace: "  if (disabled && !now) throw disabledSite();\n",
    test: {
      file: ADMIN,
      title:
        "a disabled site refuses events and calls with the way out, is shown to nobody, and keeps its data for its owners",
    },
  },
  {
    case: 296,
    file: "lib/agents/undo.ts",
    find: "requestId, session: owner, undoes });",
    replace: "requestId });",
    test: {
      file: "lib/agents/undo.test.ts",
      title: "a stale session proves itself again before it undoes what needs a proof",
    },
  },
];
