import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** The management API. */
export const MANAGEMENT: readonly (Protection | Exempt)[] = [
  {
    case: 64,
    file: "lib/api/management.ts",
    find: 'if (!op) throw new Refusal("operation_not_found", "Unknown operation. /openapi.json lists all operations.");',
    replace: "",
    test: { file: "lib/api/entry-points.test.ts", title: "unknown operation names in any spelling answer 404" },
  },
  {
    case: 65,
    file: "lib/api/management.ts",
    find: "if (request.method !== method) throw",
    replace: "if (false) throw",
    test: { file: "lib/api/entry-points.test.ts", title: "a read with POST and a write with GET" },
  },
  {
    case: 66,
    file: "lib/operations/sites.settings.update.ts",
    find: "input: z.strictObject({",
    replace: "input: z.object({",
    test: { file: "lib/operations/sites.settings.test.ts", title: "case 66:" },
  },
  {
    case: 67,
    file: "lib/contract/fields.ts",
    find: '.refine(isTimezone, "must be an IANA timezone such as Europe/Berlin or UTC")',
    replace: "",
    test: { file: "lib/operations/sites.settings.test.ts", title: "case 67:" },
  },
  {
    case: 68,
    file: "lib/analytics/calendar/period.ts",
    find: "if (from.until(to).days > LONGEST_DAYS) {",
    replace: "if (false) {",
    test: { file: "lib/api/hostile-input.test.ts", title: "case 68:" },
  },
  {
    case: 69,
    file: "lib/sites/access.ts",
    find: "const granted = { clients: { some: { clientId: principal.clientId } } };",
    replace: "const granted = {};",
    test: { file: "lib/api/entry-points.test.ts", title: "foreign, missing and ungranted sites get the same error" },
  },
  {
    case: 70,
    file: "lib/gateway/execute.ts",
    find: 'if (principal.kind === "owner" || principal.scopes.includes(op.scope)) return;',
    replace: "return;",
    test: { file: "lib/api/entry-points.test.ts", title: "only sites:create creates sites" },
  },
  {
    case: 71,
    file: "lib/gateway/idempotency/idempotency.ts",
    find: "!idempotentCall.fingerprints.some((fingerprint) => Buffer.from(record.fingerprint).equals(Buffer.from(fingerprint)))",
    replace: "false",
    test: {
      file: "lib/gateway/idempotency/idempotency.test.ts",
      title: "the same key for another body or another operation",
    },
  },
  {
    case: 72,
    file: "lib/gateway/idempotency/run-idempotent.ts",
    find: "if (idempotentCall) await saveAnswer(tx, idempotentCall, data, now);",
    replace: "if (idempotentCall) await saveAnswer(db(), idempotentCall, data, now);",
    test: {
      file: "lib/gateway/idempotency/idempotency.test.ts",
      title: "a process that dies at any statement of sites.create",
    },
  },
  {
    case: 73,
    file: "lib/gateway/execute.ts",
    find: "if (finished && step.op.removesAccess) return { data: finished.data, replayed: true };",
    replace: "",
    test: { file: "lib/gateway/approvals.test.ts", title: "the answer of a site's deletion is replayed" },
  },
  {
    case: 74,
    file: "lib/gateway/approvals.ts",
    find: "payloadHash: request.payloadHash,",
    replace: "",
    test: { file: "lib/gateway/approvals.test.ts", title: "the approval of payload A never allows B" },
  },
  {
    case: 75,
    because: "no page has code that decides when it is read, and the form of the decision takes no bearer token",
  },
  {
    case: 76,
    file: "lib/platform/http/respond.ts",
    find: "given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();",
    replace: "given || randomUUID();",
    test: { file: "lib/oauth/clients.test.ts", title: "(case 76)" },
  },
  {
    case: 77,
    file: "lib/operations/sites.proxy.update.ts",
    find: '.max(100, { error: "must have at most 100 entries", abort: true })',
    replace: "",
    test: { file: "lib/operations/sites.proxy.test.ts", title: "case 77: 101 entries" },
  },
  {
    case: 78,
    file: "lib/api/management.ts",
    find: 'await countCall(principal.clientId, op && RISKS[op.risk].method === "POST" ? "write" : "read", now);',
    replace: "",
    test: { file: "lib/api/hostile-input.test.ts", title: "case 78:" },
  },
  { case: 79, because: "only a test with the built server stops Postgres" },
];
