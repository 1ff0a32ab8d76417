import type { AnyOperation, ChangeLine, Principal } from "@/lib/contract/define";
import { type Risk, ROLES, type Role } from "@/lib/contract/vocabulary";
import { agentInWords } from "@/lib/email/agent-name";
import { unlink } from "@/lib/email/links";
import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { queueThrottled } from "@/lib/email/throttle";
import { approverRole } from "@/lib/gateway/decide";
import type { Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { APPROVAL_RATES } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { plainText } from "@/lib/platform/text";
import { placeNameOf, primaryNameOf } from "@/lib/sites/notices";
import { describePerson } from "@/lib/sites/people";
import { ownersOf, type Place } from "@/lib/sites/place";

/** Owners get an email about operations with these risks. */
const OWNER_NOTIFIED_RISKS: readonly Risk[] = ["destructive", "access", "security"];

/** Lines of a change that an email tells; the page of the request has all. */
const MAX_LINES = 20;

interface RequestedOperation {
  op: AnyOperation;
  client: { clientId: string; personId: number | null };
  site: { id: number } | null;
  /** What would change. */
  lines: readonly ChangeLine[];
}

/** An approval request that was just created. */
interface Requested {
  approval: Prisma.ApprovalGetPayload<object>;
  /** It replaces a request for the same operation on an earlier revision of the site. */
  replaces: boolean;
}

/**
 * Emails the possible approvers about a new request, in the transaction that creates it and within the email limits.
 * The request is in their inbox even when no email is sent.
 */
export async function emailApprovers(
  tx: Db,
  { op, client, site, lines }: RequestedOperation,
  { approval, replaces }: Requested,
  now: Date,
): Promise<void> {
  const agent = await tx.client.findUniqueOrThrow({ where: { id: client.clientId } });
  const named = site && (await primaryNameOf(tx, site.id));
  const what = named ? `${op.title} (${named.domain})` : op.title;
  const own = named?.kept ?? [];
  for (const { id, email } of await deciders(tx, client.personId, site?.id ?? null, approverRole(op.risk))) {
    if (!(await mayEmail(tx, { approval, replaces }, id, now))) continue;
    const message = writeEmail(
      email,
      `Approval request: ${what}`,
      [
        `${agentInWords(agent)} requests approval for:`,
        `    ${what}\n    ${op.id}`,
        ...changesInWords(lines, own),
        `Approve or deny it before ${formatUtc(approval.expiresAt)}:\n${env().BASE_URL}/approvals/${approval.id}`,
        `${agent.kind === "personal" ? "The script has" : "Your agent shows you"} a code. It must be: ${approval.bindingCode}`,
        `${agent.kind === "personal" ? "" : "The agent's name is unverified. "}If you did not expect this, deny it: nothing happens without your approval.`,
      ],
      named ? `you may approve requests for ${named.domain}` : "this agent acts for you",
      [op.id, ...own],
    );
    await queueEmail(tx, message, now);
  }
}

/**
 * Counts one approval email to one person.
 *
 * @returns whether it may be sent.
 */
async function mayEmail(tx: Db, { approval, replaces }: Requested, personId: number, now: Date): Promise<boolean> {
  const { clientId, operation, siteId } = approval;
  const { emails, emailsToPerson, emailsOfReplacements } = APPROVAL_RATES;
  const take = async (key: string, { limit, seconds }: { limit: number; seconds: number }) =>
    (await takeRate(`approval-emails:${key}`, limit, seconds * 1000, now, tx)).allowed;
  const isFirst = await take(`${clientId}:${operation}:${siteId}:${personId}`, emailsOfReplacements);
  if (replaces && !isFirst) return false;
  return (await take(`person:${personId}`, emailsToPerson)) && (await take(`client:${clientId}`, emails));
}

/** The agent's owner if their role allows it; otherwise every site member whose role does. */
async function deciders(tx: Db, personId: number | null, siteId: number | null, minRole: Role) {
  if (siteId === null) return tx.person.findMany({ where: { id: personId ?? -1 }, select: { id: true, email: true } });
  const able = await withRole(tx, siteId, minRole);
  const own = able.filter(({ id }) => id === personId);
  return own.length > 0 ? own : able;
}

const withRole = (tx: Db, siteId: number, minRole: Role) => {
  const roles = Object.entries(ROLES).filter(([, { rank }]) => rank >= ROLES[minRole].rank);
  return peopleWhere(tx, { memberships: { some: { siteId, role: { in: roles.map(([role]) => role as Role) } } } });
};

const peopleWhere = (tx: Db, where: Prisma.PersonWhereInput) =>
  tx.person.findMany({
    where: { disabledAt: null, ...where },
    select: { id: true, email: true },
    orderBy: { id: "asc" },
  });

/**
 * Emails every owner of a site or a team about a risky operation. Runs before the operation and in its transaction: the current
 * owners are notified even if it is deleted, and a failed operation sends nothing.
 *
 * @param lines the before/after lines, as shown to an approver.
 */
export async function emailOwners(
  tx: Db,
  change: { op: AnyOperation; principal: Principal; place: Place | null; lines: () => Promise<ChangeLine[]> },
  now: Date,
): Promise<void> {
  const { op, principal, place } = change;
  if (!place || !OWNER_NOTIFIED_RISKS.includes(op.risk)) return;
  const owners = await peopleWhere(tx, ownersOf(place));
  if (owners.length === 0) return;
  const [who, lines] = [await actorInWords(tx, principal), await change.lines()];
  const { name, kept } = await placeNameOf(tx, place);
  const why = `you owned ${name} when this was done, and owners are notified of such changes`;
  const actor = principal.kind === "client" ? principal.clientId : `person-${principal.personId}`;
  for (const { id, email } of owners) {
    const own = principal.kind === "owner" && principal.personId === id;
    const message = writeEmail(
      email,
      `${op.title}: ${name}`,
      [
        `${own ? "You" : who} did this on ${formatUtc(now)}:`,
        `    ${op.title} (${name})`,
        ...changesInWords(lines, kept),
        principal.kind === "client" ? ADVICE.agent() : own ? ADVICE.you() : ADVICE.person(),
      ],
      why,
      kept,
    );
    const line = `${own ? "You" : who}: ${op.title} (${name})`;
    await queueThrottled(tx, { email: message, key: `${actor}:${id}`, line, why, kept }, now);
  }
}

/** Advice for an unexpected operation, by who performed it. */
const ADVICE = {
  agent: () => `If you did not expect this, review which agents have access to your sites: ${env().BASE_URL}/agents`,
  you: () =>
    `If this was not you, set a new password now: ${env().BASE_URL}/reset\nand check where you are signed in: ${env().BASE_URL}/account`,
  person: () =>
    `If you did not expect this, ask them. If it was not them, they should set a new password now: ${env().BASE_URL}/reset\nand check where they are signed in: ${env().BASE_URL}/account`,
};

/** The paragraph of an email about what changes; none when nothing is known. @param kept as for `writeEmail` */
function changesInWords(lines: readonly ChangeLine[], kept: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const quoted = (value: string | null) => (value === null ? "nothing" : quoteName(value, kept));
  const told = lines
    .slice(0, MAX_LINES)
    .map(({ label, before, after }) => `    ${unlink(plainText(label))}: ${quoted(before)} → ${quoted(after)}`);
  const more = lines.length - MAX_LINES;
  return [[...told, ...(more > 0 ? [`    and ${more} more`] : [])].join("\n")];
}

async function actorInWords(tx: Db, principal: Principal): Promise<string> {
  if (principal.kind === "client") {
    const agent = await tx.client.findUniqueOrThrow({ where: { id: principal.clientId } });
    return `${agentInWords(agent)} (${principal.clientId})`;
  }
  return unlink(describePerson(await tx.person.findUniqueOrThrow({ where: { id: principal.personId } })));
}
