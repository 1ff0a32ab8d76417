import { type Risk, ROLES, type Role } from "@/lib/contract/access";
import type { AnyOperation, ChangeLine, ClientKind, Principal } from "@/lib/contract/define";
import { unlink } from "@/lib/email/links";
import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { queueThrottled } from "@/lib/email/throttle";
import { changedValueInWords, changeInWords } from "@/lib/gateway/change-words";
import { approverRole } from "@/lib/gateway/decide";
import type { Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { APPROVAL_RATES } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { plainText } from "@/lib/platform/text";
import { placeNameOf, primaryNameOf } from "@/lib/sites/notices";
import { describePerson } from "@/lib/sites/people";
import { ownersOf, type Place } from "@/lib/sites/place";
import { t } from "@/lib/texts/translate";

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
  const own = named?.kept ?? [];
  const isScript = agent.kind === "personal";
  for (const { id, ...reader } of await deciders(tx, client.personId, site?.id ?? null, approverRole(op.risk))) {
    if (!(await mayEmail(tx, { approval, replaces }, id, now))) continue;
    const message = writeEmail(reader, () => {
      const what = named ? `${t(op.title)} (${named.domain})` : t(op.title);
      const code = approval.bindingCode;
      return {
        subject: t("Approval request: {what}", { what }),
        paragraphs: [
          t("{agent} requests approval for:", { agent: agentInWords(agent) }),
          `    ${what}\n    ${op.id}`,
          ...changesInWords(lines, own),
          `${t("Approve or deny it before {time}:", { time: formatUtc(approval.expiresAt) })}\n${env().BASE_URL}/approvals/${approval.id}`,
          isScript
            ? t("The script has a code. It must be: {code}", { code })
            : t("Your agent shows you a code. It must be: {code}", { code }),
          isScript
            ? t("If you did not expect this, deny it: nothing happens without your approval.")
            : t(
                "The agent's name is unverified. If you did not expect this, deny it: nothing happens without your approval.",
              ),
        ],
        why: named
          ? t("you may approve requests for {domain}", { domain: named.domain })
          : t("this agent acts for you"),
        kept: [op.id, ...own],
      };
    });
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
  if (siteId === null) return tx.person.findMany({ where: { id: personId ?? -1 }, select: READER });
  const able = await withRole(tx, siteId, minRole);
  const own = able.filter(({ id }) => id === personId);
  return own.length > 0 ? own : able;
}

const withRole = (tx: Db, siteId: number, minRole: Role) => {
  const roles = Object.entries(ROLES).filter(([, { rank }]) => rank >= ROLES[minRole].rank);
  return peopleWhere(tx, { memberships: { some: { siteId, role: { in: roles.map(([role]) => role as Role) } } } });
};

const READER = { id: true, email: true, language: true } as const;

const peopleWhere = (tx: Db, where: Prisma.PersonWhereInput) =>
  tx.person.findMany({
    where: { disabledAt: null, ...where },
    select: READER,
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
  const [whoOf, lines] = [await actorInWords(tx, principal), await change.lines()];
  const { name: nameOf, kept } = await placeNameOf(tx, place);
  const actor = principal.kind === "client" ? principal.clientId : `person-${principal.personId}`;
  const why = (name: string) =>
    t("you owned {name} when this was done, and owners are notified of such changes", { name });
  for (const { id, ...reader } of owners) {
    const own = principal.kind === "owner" && principal.personId === id;
    const email = writeEmail(reader, () => {
      const [name, time] = [nameOf(), formatUtc(now)];
      return {
        subject: `${t(op.title)}: ${name}`,
        paragraphs: [
          own ? t("You did this on {time}:", { time }) : t("{who} did this on {time}:", { who: whoOf(), time }),
          `    ${t(op.title)} (${name})`,
          ...changesInWords(lines, kept),
          principal.kind === "client" ? ADVICE.agent() : own ? ADVICE.you() : ADVICE.person(),
        ],
        why: why(name),
        kept,
      };
    });
    const write = () => ({
      line: `${own ? t("You") : whoOf()}: ${t(op.title)} (${nameOf()})`,
      why: why(nameOf()),
      kept,
    });
    await queueThrottled(tx, { email, language: reader.language, key: `${actor}:${id}`, write }, now);
  }
}

/** Advice for an unexpected operation, by who performed it. */
const ADVICE = {
  agent: () =>
    t("If you did not expect this, review which agents have access to your sites: {url}", {
      url: `${env().BASE_URL}/agents`,
    }),
  you: () =>
    [
      t("If this was not you, set a new password now: {url}", { url: `${env().BASE_URL}/reset` }),
      t("and check where you are signed in: {url}", { url: `${env().BASE_URL}/account` }),
    ].join("\n"),
  person: () =>
    [
      t("If you did not expect this, ask them. If it was not them, they should set a new password now: {url}", {
        url: `${env().BASE_URL}/reset`,
      }),
      t("and check where they are signed in: {url}", { url: `${env().BASE_URL}/account` }),
    ].join("\n"),
};

/** The paragraph of an email about what changes; none when nothing is known. @param kept as for `writeEmail` */
function changesInWords(lines: readonly ChangeLine[], kept: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const quoted = (label: string, value: string | null) =>
    value === null ? t("nothing") : quoteName(changedValueInWords(label, value), kept);
  const told = lines
    .slice(0, MAX_LINES)
    .map(
      ({ label, before, after }) =>
        `    ${unlink(plainText(changeInWords(label)))}: ${quoted(label, before)} → ${quoted(label, after)}`,
    );
  const more = lines.length - MAX_LINES;
  return [[...told, ...(more > 0 ? [`    ${t("and {count} more", { count: more })}`] : [])].join("\n")];
}

/** Returns a function that names who acts, in the current language. */
async function actorInWords(tx: Db, principal: Principal): Promise<() => string> {
  if (principal.kind === "client") {
    const agent = await tx.client.findUniqueOrThrow({ where: { id: principal.clientId } });
    return () => `${agentInWords(agent)} (${principal.clientId})`;
  }
  const person = unlink(describePerson(await tx.person.findUniqueOrThrow({ where: { id: principal.personId } })));
  return () => person;
}

/** Returns who acts, as the beginning of a sentence in an email. The name of an agent is unverified. */
const agentInWords = ({ kind, name }: { kind: ClientKind; name: string }): string =>
  kind === "personal"
    ? t("A script with the personal token {name}", { name: quoteName(name) })
    : t("An agent that calls itself {name}", { name: quoteName(name) });
