import { z } from "zod";
import type { Connection } from "@/lib/oauth/connections";
import { OPERATIONS } from "@/lib/operations/index";
import { db, type Prisma } from "@/lib/platform/db";
import { describePerson } from "@/lib/sites/people";

const PAGE = 50;

/** What happens to an agent, in words. Everything else in its log is an operation. */
const EVENTS: Record<string, string> = {
  "agents.revoke": "Disconnected",
  "agents.narrow": "Given less access",
  "agents.remove_from_site": "Removed from a site",
  "identity.registrations": "Registered, by proof of its domain",
  "identity.recoveries": "Took the place of the client before it",
  "claims.check": "Taken over, by proof of its domain",
  "oauth.refresh_reuse": "Shut out, because one of its refresh tokens was used twice",
};

/** One line of an agent's log. */
export interface ActionLogEntry {
  id: string;
  at: Date;
  /** What was done, in words. */
  what: string;
  /** The person who did it; null when it was the agent itself. */
  by: string | null;
  /** The site that it was about; its domain is null when it is deleted and no operation of the page has kept that. */
  site: { siteId: number; domain: string | null } | null;
  requestId: string;
  /** The approval behind it, while that is kept. */
  approvalId: string | null;
}

/**
 * What an agent did and what people decided about it, the newest first, fifty at a time. Only writes are logged.
 *
 * @param connection the person's own agent, as `connectionOf` found it.
 * @param before the id of the last line of the page before.
 * @returns the lines, and the id to ask on with while there are older ones.
 */
export async function actionLog(
  connection: Connection,
  personId: number,
  before: string | undefined,
): Promise<{ entries: ActionLogEntry[]; older: string | null }> {
  const cursor = before && /^\d{1,18}$/.test(before) ? { id: { lt: BigInt(before) } } : {};
  const rows = await db().audit.findMany({
    where: { clientId: connection.clientId, ...cursor },
    orderBy: { id: "desc" },
    take: PAGE + 1,
  });
  const page = rows.slice(0, PAGE);
  const known = await lookUp(page);
  const entries = page.map((row) => entryOf(row, personId, known));
  return { entries, older: rows.length > PAGE ? (entries.at(-1)?.id ?? null) : null };
}

type Row = Prisma.AuditGetPayload<object>;
type Known = Awaited<ReturnType<typeof lookUp>>;

/** The audit outlives sites, people and approvals: what is still there is read here. */
async function lookUp(rows: Row[]) {
  const [domains, people, approvals] = await Promise.all([
    db().siteDomain.findMany({ where: { siteId: { in: rows.flatMap((row) => row.siteId ?? []) }, isPrimary: true } }),
    db().person.findMany({ where: { id: { in: rows.flatMap((row) => row.personId ?? []) } } }),
    db().approval.findMany({
      where: { id: { in: rows.flatMap((row) => row.approvalId ?? []) } },
      select: { id: true },
    }),
  ]);
  return {
    domains: new Map([...rows.flatMap(keptDomain), ...domains.map(({ siteId, host }) => [siteId, host] as const)]),
    people: new Map(people.map((person) => [person.id, describePerson(person)])),
    approvals: new Set(approvals.map(({ id }) => id)),
  };
}

const onSite = z.object({ site_domain: z.string() });

/** The domain that a site had when an operation was done on it. */
function keptDomain({ siteId, detail }: Row): [number, string][] {
  const { data } = onSite.safeParse(detail);
  return siteId === null || !data ? [] : [[siteId, data.site_domain]];
}

const decided = z.object({ decision: z.enum(["approved", "denied"]), payload_sha256: z.string() });
const consented = z.object({ decision: z.enum(["approve", "deny"]) });

function titleOf({ operation, detail }: Row): string {
  if (operation === "oauth.consent") {
    return consented.safeParse(detail).data?.decision === "approve" ? "Consent given" : "Consent denied";
  }
  return OPERATIONS.get(operation)?.title ?? EVENTS[operation] ?? operation;
}

function entryOf(row: Row, personId: number, known: Known): ActionLogEntry {
  const { data: decision } = decided.safeParse(row.detail);
  // A delegated agent's own entries carry its human too.
  const human = row.personId !== null && (decision !== undefined || !OPERATIONS.has(row.operation));
  const who = row.personId === personId ? "you" : known.people.get(row.personId ?? 0);
  return {
    id: `${row.id}`,
    at: row.at,
    what: decision ? `${decision.decision === "approved" ? "Approved" : "Denied"}: ${titleOf(row)}` : titleOf(row),
    by: human ? (who ?? "someone who is gone") : null,
    site: row.siteId === null ? null : { siteId: row.siteId, domain: known.domains.get(row.siteId) ?? null },
    requestId: row.requestId,
    approvalId: row.approvalId && known.approvals.has(row.approvalId) ? row.approvalId : null,
  };
}
