import { z } from "zod";
import { auditEntries } from "@/lib/agents/audit-entries";
import { titleOf } from "@/lib/agents/entry-titles";
import { type Restoration, restorationOf } from "@/lib/agents/restoration";
import type { Connection } from "@/lib/oauth/connections";
import { OPERATIONS } from "@/lib/operations/index";
import { db, type Prisma } from "@/lib/platform/db";
import { decisionOf } from "@/lib/sites/audit-log";
import { describePerson } from "@/lib/sites/people";

/** One entry of an agent's log. */
export interface ActionLogEntry {
  id: string;
  at: Date;
  title: string;
  /** The person who did it; null when the agent did. */
  by: string | null;
  /** The site concerned; its domain is null when the site is deleted and no entry on this page recorded it. */
  site: { siteId: number; domain: string | null } | null;
  requestId: string;
  /** The approval it used, while that is stored. */
  approvalId: string | null;
  /** How the person restores what the agent deleted here; null when it deleted nothing, or too long ago. */
  restoration: Restoration | null;
}

/**
 * Returns a page of 50 log entries of an agent, newest first: its writes, and decisions about it.
 *
 * @param connection the person's own agent, from `connectionOf`.
 * @param before the id of the previous page's last entry.
 * @returns the entries, and the cursor of the next page; null on the last page.
 */
export async function actionLog(
  connection: Connection,
  personId: number,
  before: string | undefined,
  now: Date,
): Promise<{ entries: ActionLogEntry[]; older: string | null }> {
  const { page, older } = await auditEntries({ clientId: connection.clientId }, before);
  const references = await loadReferences(page);
  return { entries: page.map((row) => entryOf(row, { personId, references, now })), older };
}

type Row = Prisma.AuditGetPayload<object>;
type References = Awaited<ReturnType<typeof loadReferences>>;

/** Loads the domains, people and approvals that the rows refer to, as far as they still exist. */
async function loadReferences(rows: Row[]) {
  const [domains, people, approvals] = await Promise.all([
    db().siteDomain.findMany({ where: { siteId: { in: rows.flatMap((row) => row.siteId ?? []) }, isPrimary: true } }),
    db().person.findMany({ where: { id: { in: rows.flatMap((row) => row.personId ?? []) } } }),
    db().approval.findMany({
      where: { id: { in: rows.flatMap((row) => row.approvalId ?? []) } },
      select: { id: true },
    }),
  ]);
  return {
    domains: new Map([...rows.flatMap(recordedDomain), ...domains.map(({ siteId, host }) => [siteId, host] as const)]),
    people: new Map(people.map((person) => [person.id, describePerson(person)])),
    approvals: new Set(approvals.map(({ id }) => id)),
  };
}

const siteDetail = z.object({ site_domain: z.string() });

/** The site's domain at the time of the operation. */
function recordedDomain({ siteId, detail }: Row): [number, string][] {
  const { data } = siteDetail.safeParse(detail);
  return siteId === null || !data ? [] : [[siteId, data.site_domain]];
}

interface Reader {
  personId: number;
  references: References;
  now: Date;
}

function entryOf(row: Row, { personId, references, now }: Reader): ActionLogEntry {
  const decision = decisionOf(row.detail);
  // A delegated agent's own operations have a person id too.
  const human = row.personId !== null && (decision !== null || !OPERATIONS.has(row.operation));
  const who = row.personId === personId ? "you" : references.people.get(row.personId ?? 0);
  return {
    id: `${row.id}`,
    at: row.at,
    title: titleOf(row),
    by: human ? (who ?? "a deleted account") : null,
    site: row.siteId === null ? null : { siteId: row.siteId, domain: references.domains.get(row.siteId) ?? null },
    requestId: row.requestId,
    approvalId: row.approvalId && references.approvals.has(row.approvalId) ? row.approvalId : null,
    restoration: decision ? null : restorationOf(row, now),
  };
}
