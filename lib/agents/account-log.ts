import { auditEntries } from "@/lib/agents/audit-entries";
import { titleOf } from "@/lib/agents/entry-titles";
import type { ChangeLine } from "@/lib/contract/define";
import { db, type Prisma } from "@/lib/platform/db";
import { changedOf, linesOf, namesInEntries } from "@/lib/sites/audit-log";
import { msg } from "@/lib/texts/translate";

/** What the log of an account can be limited to. */
export const ACCOUNT_LOGS = {
  all: msg("Everything"),
  account: msg("Account and sign-in"),
  sites: msg("Sites"),
  agents: msg("Agents"),
} as const;
export type AccountLog = keyof typeof ACCOUNT_LOGS;

/** One entry of the log of an account. */
export interface AccountEntry {
  id: string;
  at: Date;
  title: string;
  /** The agent that acted for the person, or that it is about; null for the person alone. */
  agent: { clientId: string; name: string | null } | null;
  /** The site, with its domain at that time or now; null for none. */
  site: { siteId: number; domain: string | null } | null;
  changes: ChangeLine[];
  requestId: string;
}

/**
 * Returns a page of 50 entries of what a person did, or an agent for them, and of what was done to their account, newest
 * first.
 *
 * @param before the id of the previous page's last entry
 * @returns the entries, and the cursor of the next page; null on the last page
 */
export async function accountLog(
  personId: number,
  of: AccountLog,
  before: string | undefined,
): Promise<{ entries: AccountEntry[]; older: string | null }> {
  const { page, older } = await auditEntries({ personId, ...LIMITS[of] }, before);
  const siteIds = page.flatMap(({ siteId }) => siteId ?? []);
  const [{ clients }, domains] = await Promise.all([
    namesInEntries(db(), page),
    db().siteDomain.findMany({ where: { siteId: { in: siteIds }, isPrimary: true } }),
  ]);
  const hosts = new Map(domains.map(({ siteId, host }) => [siteId, host]));
  return { entries: page.map((row) => entryOf(row, { clients, hosts })), older };
}

const LIMITS: Record<AccountLog, Prisma.AuditWhereInput> = {
  all: {},
  account: { siteId: null, clientId: null },
  sites: { siteId: { not: null } },
  agents: { clientId: { not: null } },
};

interface Names {
  clients: ReadonlyMap<string, string>;
  hosts: ReadonlyMap<number, string>;
}

function entryOf(row: Prisma.AuditGetPayload<object>, { clients, hosts }: Names): AccountEntry {
  const { id, at, siteId, clientId, detail, requestId } = row;
  const changed = changedOf(detail);
  const { site_domain: recorded } = detail as { site_domain?: unknown };
  const domain = siteId === null ? null : (hosts.get(siteId) ?? (typeof recorded === "string" ? recorded : null));
  return {
    id: `${id}`,
    at,
    title: titleOf(row),
    agent: clientId === null ? null : { clientId, name: clients.get(clientId) ?? null },
    site: siteId === null ? null : { siteId, domain },
    changes: changed ? linesOf(changed) : [],
    requestId,
  };
}
