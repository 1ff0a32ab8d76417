import { z } from "zod";
import { type Loss, lossOf } from "@/lib/agents/loss";
import { type Risk, ROLES, type Role } from "@/lib/contract/access";
import type { ChangeLine } from "@/lib/contract/define";
import { isOwnAgent, OWNERS_ONLY, obstacleFor } from "@/lib/gateway/decide";
import { OPERATIONS } from "@/lib/operations/index";
import { db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { plainText } from "@/lib/platform/text";
import { describePerson } from "@/lib/sites/people";

/** The approval requests that a person sees. Reading them changes nothing. */

const LISTED_MS = 90 * DAY_MS;
const MAX_LISTED = 100;

/**
 * State of an approval request. `expired`: not decided in time. `lapsed`: approved but not used in time. `done`:
 * approved and used. `withdrawn`: by the agent. `superseded`: void, because something has changed.
 */
export type ApprovalState =
  | "pending"
  | "approved"
  | "denied"
  | "expired"
  | "lapsed"
  | "done"
  | "superseded"
  | "withdrawn";

export interface ApprovalView {
  id: string;
  state: ApprovalState;
  /** The operation's title, such as "Delete a site", and what it does. */
  title: string;
  about: string | null;
  risk: Risk;
  agent: {
    clientId: string;
    /** Chosen by the agent and unverified; deceptive characters are removed. */
    name: string;
    /** The verified domain of its machine account, or null. */
    domain: string | null;
    /** The person it acts for; null for a machine account without one. */
    actsFor: string | null;
    own: boolean;
    /** Whether it is a script with a personal token, whose name a person chose. */
    isToken: boolean;
  };
  /** `open`: whether the person may open the site's pages. */
  site: { siteId: number; domain: string; name: string | null; open: boolean } | null;
  bindingCode: string;
  lines: ChangeLine[];
  /** The data that it deletes as of now, while it is pending; null for other requests. */
  loss: Loss | null;
  /** What to type before approving, as on the page where a person does the same; null where a press is enough. */
  typed: string | null;
  requestedAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  usedAt: Date | null;
  /** Why this person may not decide, in one sentence; null when they may. */
  whyNot: string | null;
}

const parts = {
  client: { include: { account: true, owner: { select: { name: true, email: true } } } },
  approver: { select: { name: true, email: true } },
} satisfies Prisma.ApprovalInclude;
type Row = Prisma.ApprovalGetPayload<{ include: typeof parts }>;
type Roles = ReadonlyMap<number, Role>;

async function rolesOf(personId: number): Promise<Roles> {
  const memberships = await db().membership.findMany({ where: { personId }, select: { siteId: true, role: true } });
  return new Map(memberships.map(({ siteId, role }) => [siteId, role]));
}

/** The sites where the person has at least this role. */
const withRole = (roles: Roles, minRole: Role): number[] =>
  [...roles].filter(([, role]) => ROLES[role].rank >= ROLES[minRole].rank).map(([siteId]) => siteId);

/**
 * Requests a person may see: those of their own agents, those about sites they manage, and those they decided. Viewers
 * see none, because requests show settings that are hidden from them.
 */
const visibleTo = (personId: number, roles: Roles): Prisma.ApprovalWhereInput => ({
  OR: [
    { client: { ownerId: personId } },
    { client: { account: { ownerId: personId } } },
    { siteId: { in: withRole(roles, "manager") } },
    { approverId: personId },
  ],
});

const waitingAt = (now: Date) =>
  ({ status: "pending", expiresAt: { gt: now }, client: { revokedAt: null } }) satisfies Prisma.ApprovalWhereInput;

/**
 * Returns a person's inbox: pending requests by expiry, and closed requests of the last 90 days, newest first, at most
 * 100.
 */
export async function listApprovals(
  personId: number,
  now: Date,
): Promise<{ waiting: ApprovalView[]; ended: ApprovalView[] }> {
  const roles = await rolesOf(personId);
  const visible = visibleTo(personId, roles);
  const since = new Date(now.getTime() - LISTED_MS);
  const [waiting, ended] = await Promise.all([
    db().approval.findMany({
      where: { AND: [visible, waitingAt(now)] },
      include: parts,
      orderBy: { expiresAt: "asc" },
    }),
    db().approval.findMany({
      where: { AND: [visible, { requestedAt: { gt: since } }, { NOT: waitingAt(now) }] },
      include: parts,
      orderBy: { requestedAt: "desc" },
      take: MAX_LISTED,
    }),
  ]);
  const names = await namesOf([...waiting, ...ended]);
  const show = (row: Row) => viewOf(row, { personId, roles, names, now });
  return { waiting: await Promise.all(waiting.map(show)), ended: await Promise.all(ended.map(show)) };
}

/** Returns one request, or null when it does not exist or this person may not see it. */
export async function approvalFor(id: string, personId: number, now: Date): Promise<ApprovalView | null> {
  if (!/^[\w-]{1,64}$/.test(id)) return null;
  const roles = await rolesOf(personId);
  const row = await db().approval.findFirst({ where: { AND: [{ id }, visibleTo(personId, roles)] }, include: parts });
  return row && viewOf(row, { personId, roles, names: await namesOf([row]), now });
}

/**
 * Finds the pending request that replaced a superseded one: same client, operation and site.
 *
 * @returns its id; null when there is none or this person may not see it.
 */
export async function replacementOf(id: string, personId: number, now: Date): Promise<string | null> {
  const visible = visibleTo(personId, await rolesOf(personId));
  const old = await db().approval.findFirst({ where: { AND: [{ id, status: "superseded" }, visible] } });
  if (!old) return null;
  const { clientId, operation, siteId } = old;
  const replacement = await db().approval.findFirst({
    where: { AND: [{ clientId, operation, siteId }, waitingAt(now), visible] },
    select: { id: true },
    orderBy: { requestedAt: "desc" },
  });
  return replacement?.id ?? null;
}

/** Returns the number of pending requests that this person may decide. */
export async function countPending(personId: number, now: Date): Promise<number> {
  const roles = await rolesOf(personId);
  const decidable: Prisma.ApprovalWhereInput = {
    OR: [
      { siteId: null, client: { ownerId: personId } },
      { risk: { in: [...OWNERS_ONLY] }, siteId: { in: withRole(roles, "owner") } },
      { risk: { notIn: [...OWNERS_ONLY] }, siteId: { in: withRole(roles, "manager") } },
    ],
  };
  return db().approval.count({ where: { AND: [waitingAt(now), decidable] } });
}

/** Current site names by id, without deleted sites. */
async function namesOf(rows: Row[]): Promise<Map<number, string | null>> {
  const ids = rows.flatMap(({ siteId }) => siteId ?? []);
  const sites = await db().site.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(sites.map(({ id, name }) => [id, name]));
}

interface ViewContext {
  personId: number;
  roles: Roles;
  names: Map<number, string | null>;
  now: Date;
}

async function viewOf(row: Row, { personId, roles, names, now }: ViewContext): Promise<ApprovalView> {
  const op = OPERATIONS.get(row.operation);
  const { client, siteId } = row;
  const role = siteId === null ? null : (roles.get(siteId) ?? null);
  const state = stateOf(row, now);
  const site = siteId === null ? null : siteOf(row, siteId, names.get(siteId) ?? null, role !== null);
  return {
    id: row.id,
    state,
    title: op?.title ?? row.operation,
    about: op?.about ?? null,
    risk: row.risk as Risk,
    agent: {
      clientId: client.id,
      name: plainText(client.name),
      domain: client.account?.domain ?? null,
      actsFor: client.owner && (client.ownerId === personId ? "you" : describePerson(client.owner)),
      own: isOwnAgent(client, personId),
      isToken: client.kind === "personal",
    },
    site,
    bindingCode: row.bindingCode,
    lines: linesOf(row.lines),
    loss: state === "pending" ? await lossBy(row, now) : null,
    typed: row.operation === "sites.delete" && site ? site.domain : null,
    requestedAt: row.requestedAt,
    expiresAt: row.expiresAt,
    decidedAt: row.decidedAt,
    decidedBy: row.approver && (row.approverId === personId ? "you" : describePerson(row.approver)),
    usedAt: row.consumedAt,
    whyNot: obstacleFor(row, personId, role)?.message ?? null,
  };
}

function stateOf({ status, expiresAt, client }: Row, now: Date): ApprovalState {
  if (status === "consumed") return "done";
  if (status === "denied" || status === "superseded" || status === "withdrawn") return status;
  if (client.revokedAt) return "superseded";
  if (expiresAt > now) return status;
  return status === "pending" ? "expired" : "lapsed";
}

const requestDocument = z.object({ site: z.object({ domain: z.string() }).nullable() });
const shorterRetention = z.object({ body: z.object({ retention_months: z.int() }) });

/** What a request for the deletion of events would lose. */
async function lossBy({ operation, siteId, document }: Row, now: Date): Promise<Loss | null> {
  if (siteId === null) return null;
  if (operation === "sites.delete") return lossOf(siteId, null, now);
  const { data } = shorterRetention.safeParse(document);
  return operation === "sites.retention.update" && data ? lossOf(siteId, data.body.retention_months, now) : null;
}

const line = z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() });

/** Uses the domain at the time of the request. */
function siteOf(row: Row, siteId: number, name: string | null, open: boolean) {
  const domain = requestDocument.parse(row.document).site?.domain ?? "";
  return { siteId, domain: plainText(domain), name: name && plainText(name), open };
}

/** Agents can influence these texts, so deceptive characters are removed. */
const linesOf = (lines: unknown): ChangeLine[] =>
  line
    .array()
    .parse(lines)
    .map(({ label, before, after }) => ({
      label: plainText(label),
      before: before === null ? null : plainText(before),
      after: after === null ? null : plainText(after),
    }));
