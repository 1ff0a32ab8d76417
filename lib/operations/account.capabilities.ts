import { z } from "zod";
import { RISKS, type Risk, ROLES, type Role, SCOPES, type Scope } from "@/lib/contract/access";
import type { AnyOperation, Principal } from "@/lib/contract/define";
import { defineOperation, wayToScope } from "@/lib/contract/define";
import { about, role, siteId } from "@/lib/contract/fields";
import { countPendingOf } from "@/lib/gateway/changes/own-approvals";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { APPROVAL_RATES, PENDING_APPROVALS, RATES } from "@/lib/platform/limits";
import { limitsOf } from "@/lib/platform/report-shares";
import { listSites } from "@/lib/sites/access";
import { countOwnedSites } from "@/lib/sites/site-limits";

const MAX_SITES = 1_000;
const ALL_SCOPES = Object.keys(SCOPES) as [Scope, ...Scope[]];
const scopes = z.array(z.enum(ALL_SCOPES));
const rate = z.object({ limit: z.int(), seconds: z.int() });
const reportLimits = z.object({
  seconds_per_minute: z.int().meta({ description: "Report time per minute, in seconds; more is refused with 429" }),
  running: z.int().meta({ description: "Maximum number of statements that run at once" }),
  waiting: z.int().meta({ description: "Maximum number of waiting statements; more are refused with 503" }),
});

export default defineOperation({
  id: "account.capabilities",
  title: "Read your permissions",
  about:
    "Returns your identity, scopes, sites and limits, and for every operation whether you may call it now and, if not, why.",
  scope: "account:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({}),
  example: {},
  output: z.object({
    client: z
      .object({ client_id: z.string(), kind: z.enum(["machine", "delegated", "personal"]), name: z.string() })
      .nullable()
      .meta({
        description: "Null for a signed-in human",
        examples: [{ client_id: "ffc_w3Hk9sQ2", kind: "machine", name: "Report writer" }],
      }),
    owner: z
      .object({ person_id: z.int(), email: z.string() })
      .nullable()
      .meta({
        description: "The person the client acts for; null for a machine client without one",
        examples: [{ person_id: 1, email: "ann@example.com" }],
      }),
    scopes: z.object({
      requested: scopes.meta({ description: "What the client requested when it was created" }),
      granted: scopes.meta({ description: "What was granted to it" }),
      effective: scopes.meta({ description: "What this access token holds of it" }),
    }),
    sites: z
      .array(z.object({ site_id: siteId, domain: z.string().meta({ examples: ["example.com"] }), role }))
      .meta({ description: `The first ${MAX_SITES} sites; sites.list returns all, page by page` }),
    sites_total: z.int().meta({ examples: [1] }),
    limits: z.object({
      read: rate.meta({ description: "GET calls per client within `seconds`" }),
      write: rate.meta({ description: "POST calls per client within `seconds`" }),
      approvals: rate.meta({ description: "New approval requests per client within `seconds`" }),
      pending_approvals: z.object({
        limit: z.int().meta({ description: "Maximum number of approval requests that wait" }),
        per_operation_and_site: z.int(),
        used: about(z.int(), "Number that wait now", 1),
      }),
      sites: z.object({
        limit: z.int().meta({ description: "Maximum number of sites that the account may own" }),
        used: about(z.int(), "Number of sites it owns", 1),
      }),
      domains_per_site: z.int().meta({ description: "Maximum number of domains per site" }),
      reports: reportLimits.meta({ description: "Your own limits for reports" }),
      account_reports: reportLimits.nullable().meta({
        description: "The limits that the person and all of their agents share; null without a person",
      }),
    }),
    operations: z.array(
      z.object({
        id: z.string().meta({ examples: ["sites.list"] }),
        allowed: z.boolean().meta({ examples: [true] }),
        why: z.string().nullable().meta({ description: "Why it is not allowed now; null if it is" }),
        risk: z.enum(Object.keys(RISKS) as [Risk, ...Risk[]]),
        needs_approval: z.boolean().meta({ description: "Whether each call by a client needs a person's approval" }),
      }),
    ),
  }),

  async run({ principal, db, now }) {
    // Imported at call time: the registry imports this file, too.
    const { OPERATIONS } = await import("@/lib/operations/index");
    const { sites, total } = await listSites(db, principal, 1, MAX_SITES);
    const best = sites.reduce<Role | null>((most, site) => (outranks(site.role, most) ? site.role : most), null);
    const caller = { principal, best, ...(await identify(db, principal)) };
    return {
      client: caller.client,
      owner: caller.owner,
      scopes: caller.scopes,
      sites: sites.map(({ site_id, domain, role }) => ({ site_id, domain, role })),
      sites_total: total,
      limits: await limitsFor(db, principal, now),
      operations: [...OPERATIONS.values()].map((op) => {
        const why = whyNot(op, caller);
        return { id: op.id, allowed: why === null, why, risk: op.risk, needs_approval: RISKS[op.risk].needsApproval };
      }),
    };
  },
});

async function limitsFor(db: Db, principal: Principal, now: Date) {
  const { RATE_LIMITS, SITES_PER_ACCOUNT, DOMAINS_PER_SITE } = env();
  return {
    ...RATES,
    ...RATE_LIMITS,
    approvals: APPROVAL_RATES.requests,
    pending_approvals: { ...PENDING_APPROVALS, used: await countPendingOf(db, principal, now) },
    sites: { limit: SITES_PER_ACCOUNT, used: await countOwnedSites(db, principal) },
    domains_per_site: DOMAINS_PER_SITE,
    ...reportLimitsOf(principal),
  };
}

function reportLimitsOf(principal: Principal) {
  const limits = (kind: "person" | "client") => {
    const { seconds, running, waiting } = limitsOf(kind);
    return { seconds_per_minute: seconds, running, waiting };
  };
  const account = principal.personId === null ? null : limits("person");
  return { reports: limits(principal.kind === "owner" ? "person" : "client"), account_reports: account };
}

const outranks = (role: Role, other: Role | null) => other === null || ROLES[role].rank > ROLES[other].rank;

interface Scopes {
  requested: Scope[];
  granted: Scope[];
  effective: Scope[];
}

async function identify(db: Db, principal: Principal) {
  const { personId } = principal;
  const person = personId === null ? null : await db.person.findUniqueOrThrow({ where: { id: personId } });
  const owner = person && { person_id: person.id, email: person.email };
  if (principal.kind === "owner") {
    const scopes: Scopes = { requested: ALL_SCOPES, granted: ALL_SCOPES, effective: ALL_SCOPES };
    return { client: null, owner, scopes };
  }
  const client = await db.client.findUniqueOrThrow({ where: { id: principal.clientId } });
  const scopes: Scopes = {
    requested: known(client.requestedScopes),
    granted: known(client.grantedScopes),
    effective: [...principal.scopes],
  };
  return { client: { client_id: client.id, kind: client.kind, name: client.name }, owner, scopes };
}

const known = (names: string[]) => names.filter((name): name is Scope => name in SCOPES);

/** Returns why the caller may not call the operation now, with the checks in the order of `manage`; null if it may. */
function whyNot(op: AnyOperation, caller: { principal: Principal; best: Role | null; scopes: Scopes }): string | null {
  const { principal, best, scopes } = caller;
  if (!scopes.effective.includes(op.scope)) {
    return scopes.granted.includes(op.scope)
      ? `This access token lacks the scope ${op.scope}. Request a token with it.`
      : `The scope ${op.scope} was not granted.${principal.kind === "client" ? ` ${wayToScope(principal)}` : ""}`;
  }
  if (!("site_id" in op.input.shape)) return null;
  if (best === null) return "You have no access to any site yet.";
  if (outranks(op.role, best)) return `This needs the role ${op.role} on a site; your highest role is ${best}.`;
  if (RISKS[op.risk].needsApproval && principal.kind === "client" && principal.personId === null) {
    return "This needs a person's approval, and this client acts for no person yet. A call returns the link where a person can take it over.";
  }
  return null;
}
