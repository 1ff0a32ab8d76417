import { SCOPES, type Scope } from "@/lib/contract/access";
import type { ClientKind } from "@/lib/contract/define";
import { hostOfAssistant } from "@/lib/oauth/assistants";
import { db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { plainText } from "@/lib/platform/text";
import { describePerson } from "@/lib/sites/people";

/** Read queries for a person's connected agents and for other agents on their sites. */

const LISTED_MS = 90 * DAY_MS;

interface ConnectedSite {
  siteId: number;
  domain: string;
  name: string | null;
  /** Whether the person may open the site's pages. */
  open: boolean;
}

/** An agent that acts for the person, a script with their token, or a machine client whose account they took over. */
export interface Connection {
  clientId: string;
  /** Chosen by the agent and unverified; deceptive characters are removed. */
  name: string;
  kind: ClientKind;
  /** The verified domain of its machine account, or null. */
  domain: string | null;
  /** Of an assistant: the host of its description, which is not verified; null when it registered itself. */
  assistant: { host: string | null } | null;
  scopes: Scope[];
  /** The sites it can currently act on. */
  sites: ConnectedSite[];
  connectedAt: Date;
  lastUsedAt: Date | null;
  /** Of a personal token: when it expires; null for others. */
  expiresAt: Date | null;
  /** When it was disconnected, revoked or found to be expired; null while it has access. */
  revokedAt: Date | null;
}

/** Someone else's agent with access to a site that the person owns. */
export interface OtherAgent {
  clientId: string;
  name: string;
  /** Display text: who added it (name masked), or the machine account's domain. */
  origin: string;
  scopes: Scope[];
  site: ConnectedSite;
  lastUsedAt: Date | null;
}

/** Filter for the clients that a person controls: agents and tokens of their own, and machine accounts they took over. */
export const ownAgents = (personId: number) =>
  ({ OR: [{ ownerId: personId }, { account: { ownerId: personId } }] }) satisfies Prisma.ClientWhereInput;

const siteFor = (personId: number) =>
  ({
    domains: { where: { isPrimary: true }, select: { host: true } },
    memberships: { where: { personId }, select: { role: true } },
  }) satisfies Prisma.SiteInclude;
type SiteRow = Prisma.SiteGetPayload<{ include: ReturnType<typeof siteFor> }>;

const includeFor = (personId: number) =>
  ({
    account: { select: { domain: true } },
    sites: { include: { site: { include: siteFor(personId) } }, orderBy: { siteId: "asc" } },
  }) satisfies Prisma.ClientInclude;
type Row = Prisma.ClientGetPayload<{ include: ReturnType<typeof includeFor> }>;

interface Listed {
  active: Connection[];
  ended: Connection[];
}

/** Returns a person's agents, newest first: active ones, and those disconnected in the last 90 days. */
export const listConnections = (personId: number, now: Date): Promise<Listed> =>
  list(personId, { kind: { not: "personal" } }, now);

/** Returns a person's tokens, newest first: valid ones, and those that were revoked or expired in the last 90 days. */
export const listPersonalTokens = (personId: number, now: Date): Promise<Listed> =>
  list(personId, { kind: "personal" }, now);

async function list(personId: number, which: Prisma.ClientWhereInput, now: Date): Promise<Listed> {
  const since = new Date(now.getTime() - LISTED_MS);
  const rows = await db().client.findMany({
    where: { AND: [which, ownAgents(personId), { OR: [{ revokedAt: null }, { revokedAt: { gt: since } }] }] },
    include: includeFor(personId),
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  const all = rows.map(connectionFrom);
  const hasEnded = ({ revokedAt, expiresAt }: Connection) =>
    revokedAt !== null || (expiresAt !== null && expiresAt <= now);
  return { active: all.filter((one) => !hasEnded(one)), ended: all.filter(hasEnded) };
}

/** Returns one of a person's agents, active or disconnected; null when it is not theirs or does not exist. */
export async function connectionOf(personId: number, clientId: string): Promise<Connection | null> {
  if (!/^[\w-]{1,64}$/.test(clientId)) return null;
  const row = await db().client.findFirst({
    where: { AND: [{ id: clientId }, ownAgents(personId)] },
    include: includeFor(personId),
  });
  return row && connectionFrom(row);
}

const ORIGIN = { owner: { select: { name: true, email: true } }, account: true } satisfies Prisma.ClientInclude;

/** Returns other people's agents on the sites that a person owns, ordered by site. */
export async function listOtherAgents(personId: number): Promise<OtherAgent[]> {
  const grants = await db().clientSite.findMany({
    where: { client: { revokedAt: null }, site: { memberships: { some: { personId, role: "owner" } } } },
    include: {
      client: { include: ORIGIN },
      site: { include: siteFor(personId) },
    },
    orderBy: [{ siteId: "asc" }, { clientId: "asc" }],
  });
  return grants
    .filter(({ client }) => client.ownerId !== personId && client.account?.ownerId !== personId)
    .map(({ client, site }) => ({
      clientId: client.id,
      name: plainText(client.name),
      origin: originOf(client),
      scopes: scopesOf(client.grantedScopes),
      site: siteFrom(site),
      lastUsedAt: client.lastUsedAt,
    }));
}

function originOf({ kind, owner, account }: Prisma.ClientGetPayload<{ include: typeof ORIGIN }>): string {
  if (owner) return `${kind === "personal" ? "Personal token of" : "Added by"} ${describePerson(owner)}`;
  return account ? `Machine account of ${account.domain}` : "Machine account";
}

function connectionFrom(row: Row): Connection {
  const sites = row.sites.map(({ site }) => siteFrom(site));
  return {
    clientId: row.id,
    name: plainText(row.name),
    kind: row.kind,
    domain: row.account?.domain ?? null,
    assistant: row.assistantId === null ? null : { host: hostOfAssistant(row.assistantId) },
    scopes: scopesOf(row.grantedScopes),
    // A delegated agent can act only on sites where its person is still a member.
    sites: row.ownerId === null ? sites : sites.filter((site) => site.open),
    connectedAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
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
