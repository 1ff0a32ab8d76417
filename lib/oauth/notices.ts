import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";

/** What people are told about the agents that act for them by letter, in the transaction of what is told. */

/** Tells an agent's human that it was shut out, because one of its refresh tokens was used twice. */
export async function emailTokenReuse(tx: Db, reuse: { clientName: string; personId: number }, now: Date): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: reuse.personId }, select: { email: true } });
  const letter = writeEmail(
    email,
    "An agent of yours was shut out",
    [
      `On ${formatUtc(now)} a refresh token of the agent that calls itself ${quoteName(reuse.clientName)} was used a second time. Each works only once: either somebody has a copy of it, or the agent lost an answer of ours and tried again.`,
      "To be safe, all the tokens of that consent have ended: neither the agent nor anybody else can use them.",
      `If the agent runs where only you can reach it, connect it anew when it asks. If somebody may have copied its credentials, disconnect it first, see what it did, and let it ask under new ones: ${env().BASE_URL}/agents`,
    ],
    "the agent acts for you",
  );
  await queueEmail(tx, letter, now);
}

/** Tells an agent's human, unless they did it themselves, that an owner took it off a site. A machine on its own has none. */
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
  const letter = writeEmail(
    email,
    `Your agent was taken off ${domain}`,
    [
      `On ${formatUtc(now)} an owner of ${domain} took the agent that calls itself ${quoteName(client.name)} off it. What it may do on other sites is as it was.`,
      `Ask them if you do not know why. See what it may do: ${env().BASE_URL}/agents`,
    ],
    "the agent acts for you",
    kept,
  );
  await queueEmail(tx, letter, now);
}
