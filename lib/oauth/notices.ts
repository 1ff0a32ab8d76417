import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";

/** Emails to people about agents that act for them and about their tokens, queued in the transaction of the event. */

/** Emails a person that one of their tokens expires soon. */
export async function emailTokenExpiry(
  tx: Db,
  token: { name: string; personId: number; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: token.personId }, select: { email: true } });
  const message = writeEmail(
    email,
    "A personal token of yours expires soon",
    [
      `Your token ${quoteName(token.name)} expires on ${formatUtc(token.expiresAt)}. From then on the script that uses it is refused.`,
      `If the script is still needed, make a new token for it: ${env().BASE_URL}/account`,
    ],
    "you made this token",
  );
  await queueEmail(tx, message, now);
}

/** Emails the agent's person that a code or refresh token was reused and its token family was revoked. */
export async function emailTokenReuse(
  tx: Db,
  reuse: { clientName: string; personId: number; what?: "code" | "refresh" },
  now: Date,
): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: reuse.personId }, select: { email: true } });
  const secret = reuse.what === "code" ? "code" : "refresh token";
  const message = writeEmail(
    email,
    "Your agent was signed out",
    [
      `On ${formatUtc(now)} a ${secret} of the agent that calls itself ${quoteName(reuse.clientName)} was used a second time. Each ${secret} works once: either someone has a copy of it, or the agent lost a response and tried again.`,
      "To be safe, all tokens of that consent were revoked. Neither the agent nor anyone else can use them.",
      `If only you can access the machine the agent runs on, connect it again when it asks. If someone may have copied its credentials, disconnect it first, review what it did, and connect it with new credentials: ${env().BASE_URL}/agents`,
    ],
    "the agent acts for you",
  );
  await queueEmail(tx, message, now);
}

/** Emails the agent's person that an owner removed it from a site, unless they did it themselves. */
export async function emailAgentRemoved(
  tx: Db,
  { clientId, siteId, byId }: { clientId: string; siteId: number; byId: number },
  now: Date,
): Promise<void> {
  const client = await tx.client.findUniqueOrThrow({ where: { id: clientId }, include: { account: true } });
  const personId = client.ownerId ?? client.account?.ownerId ?? null;
  if (personId === null || personId === byId) return;
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { email: true } });
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const isToken = client.kind === "personal";
  const what = isToken ? "your personal token" : "the agent that calls itself";
  const message = writeEmail(
    email,
    `Your ${isToken ? "token" : "agent"} was removed from ${domain}`,
    [
      `On ${formatUtc(now)} an owner of ${domain} removed ${what} ${quoteName(client.name)} from it. Its access to other sites is unchanged.`,
      `Ask them if you do not know why. Review its access: ${env().BASE_URL}/agents/${clientId}`,
    ],
    isToken ? "you made this token" : "the agent acts for you",
    kept,
  );
  await queueEmail(tx, message, now);
}
