import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { db, type Prisma } from "@/lib/platform/db";
import { plainText } from "@/lib/platform/text";
import { describePerson } from "@/lib/sites/people";

/** The agents of a person and of their sites, as the person's pages show them. Reading here changes nothing. */

const SHOWN_MS = 90 * 24 * 3600_000;

export interface ConnectedSite {
  siteId: number;
  domain: string;
  name: string | null;
  /** Whether the person may open the site's pages. */
  open: boolean;
}

/** An agent that acts for the person, or a machine whose account they took over. */
export interface Connection {
  clientId: string;
  /** Chosen by the agent, never verified; without characters that deceive. */
  name: string;
  kind: "machine" | "delegated";
  /** The domain its machine account has proven, or null. */
  domain: string | null;
  scopes: Scope[];
  /** The sites on which it can act at this moment. */
  sites: ConnectedSite[];
  connectedAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** An agent of someone else that was let onto a site which the person owns. */
export interface OtherAgent {
  clientId: string;
  name: string;
  /** Who stands origin it, in words: a person as others may see them, or the domain a machine has proven. */
  origin: string;
  scopes: Scope[];
  site: ConnectedSite;
  lastUsedAt: Date | null;
}

/** The agents that a person may take everything from. */
export const ownAgents = (personId: number) =>
  ({ OR: [{ ownerId: personId }, { account: { ownerId: personId } }] }) satisfies Prisma.ClientWhereInput;

/** What is read of a site so that one person can be shown it. */
const siteFor = (personId: number) =>
  ({
    domains: { where: { isPrimary: true }, select: { host: true } },
    memberships: { where: { personId }, select: { role: true } },
  }) satisfies Prisma.SiteInclude;
type SiteRow = Prisma.SiteGetPayload<{ include: ReturnType<typeof siteFor> }>;

const partsFor = (personId: number) =>
  ({
    account: { select: { domain: true } },
    sites: { include: { site: { include: siteFor(personId) } }, orderBy: { siteId: "asc" } },
  }) satisfies Prisma.ClientInclude;
type Row = Prisma.ClientGetPayload<{ include: ReturnType<typeof partsFor> }>;

/** A person's agents, the last connected first: those that may act, and those that were disconnected in the last 90 days. */
export async function listConnections(
  personId: number,
  now: Date,
): Promise<{ active: Connection[]; ended: Connection[] }> {
  const since = new Date(now.getTime() - SHOWN_MS);
  const rows = await db().client.findMany({
    where: { AND: [ownAgents(personId), { OR: [{ revokedAt: null }, { revokedAt: { gt: since } }] }] },
    include: partsFor(personId),
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  const all = rows.map(connectionFrom);
  return { active: all.filter((one) => !one.revokedAt), ended: all.filter((one) => one.revokedAt) };
}

/** One of a person's own agents, disconnected or not; null when it is not theirs (or there is none). */
export async function connectionOf(personId: number, clientId: string): Promise<Connection | null> {
  if (!/^[\w-]{1,64}$/.test(clientId)) return null;
  const row = await db().client.findFirst({
    where: { AND: [{ id: clientId }, ownAgents(personId)] },
    include: partsFor(personId),
  });
  return row && connectionFrom(row);
}

/** The agents of others on the sites that a person owns, site by site. */
export async function listOtherAgents(personId: number): Promise<OtherAgent[]> {
  const grants = await db().clientSite.findMany({
    where: { client: { revokedAt: null }, site: { memberships: { some: { personId, role: "owner" } } } },
    include: {
      client: { include: { owner: { select: { name: true, email: true } }, account: true } },
      site: { include: siteFor(personId) },
    },
    orderBy: [{ siteId: "asc" }, { clientId: "asc" }],
  });
  return grants
    .filter(({ client }) => client.ownerId !== personId && client.account?.ownerId !== personId)
    .map(({ client, site }) => ({
      clientId: client.id,
      name: plainText(client.name),
      origin: client.owner ? `Let in by ${describePerson(client.owner)}` : onItsOwn(client.account?.domain),
      scopes: scopesOf(client.grantedScopes),
      site: siteFrom(site),
      lastUsedAt: client.lastUsedAt,
    }));
}

const onItsOwn = (domain: string | undefined) =>
  domain ? `A machine on its own, which has proven ${domain}` : "A machine on its own";

function connectionFrom(row: Row): Connection {
  const sites = row.sites.map(({ site }) => siteFrom(site));
  return {
    clientId: row.id,
    name: plainText(row.name),
    kind: row.kind,
    domain: row.account?.domain ?? null,
    scopes: scopesOf(row.grantedScopes),
    // For a person it acts only where that person still belongs.
    sites: row.ownerId === null ? sites : sites.filter((site) => site.open),
    connectedAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    revokedAt: row.revokedAt,
  };
}

const siteFrom = (site: SiteRow): ConnectedSite => ({
  siteId: site.id,
  domain: site.domains[0]?.host ?? "",
  name: site.name && plainText(site.name),
  open: site.memberships.length > 0,
});

const scopesOf = (granted: string[]): Scope[] => {
  const held = new Set(granted);
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => held.has(scope));
};
