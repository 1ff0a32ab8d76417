import { readerOf } from "@/lib/auth/notices";
import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";
import { t } from "@/lib/texts/translate";

/** Emails to people about agents that act for them and about their tokens, queued in the transaction of the event. */

/** Emails a person that one of their tokens expires soon. */
export async function emailTokenExpiry(
  tx: Db,
  token: { name: string; personId: number; expiresAt: Date },
  now: Date,
): Promise<void> {
  const message = writeEmail(await readerOf(tx, token.personId), () => ({
    subject: t("A personal token of yours expires soon"),
    paragraphs: [
      t("Your token {name} expires on {time}. From then on the script that uses it is refused.", {
        name: quoteName(token.name),
        time: formatUtc(token.expiresAt),
      }),
      t("If the script is still needed, make a new token for it: {url}", { url: `${env().BASE_URL}/account` }),
    ],
    why: t("you made this token"),
  }));
  await queueEmail(tx, message, now);
}

/** Emails the agent's person that a code or refresh token was reused and its token family was revoked. */
export async function emailTokenReuse(
  tx: Db,
  reuse: { clientName: string; personId: number; what?: "code" | "refresh" },
  now: Date,
): Promise<void> {
  const message = writeEmail(await readerOf(tx, reuse.personId), () => {
    const named = { time: formatUtc(now), name: quoteName(reuse.clientName) };
    return {
      subject: t("Your agent was signed out"),
      paragraphs: [
        reuse.what === "code"
          ? t(
              "On {time} a code of the agent that calls itself {name} was used a second time. Each code works once: either someone has a copy of it, or the agent lost a response and tried again.",
              named,
            )
          : t(
              "On {time} a refresh token of the agent that calls itself {name} was used a second time. Each refresh token works once: either someone has a copy of it, or the agent lost a response and tried again.",
              named,
            ),
        t("To be safe, all tokens of that consent were revoked. Neither the agent nor anyone else can use them."),
        t(
          "If only you can access the machine the agent runs on, connect it again when it asks. If someone may have copied its credentials, disconnect it first, review what it did, and connect it with new credentials: {url}",
          { url: `${env().BASE_URL}/agents` },
        ),
      ],
      why: t("the agent acts for you"),
    };
  });
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
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const isToken = client.kind === "personal";
  const message = writeEmail(await readerOf(tx, personId), () => {
    const named = { time: formatUtc(now), domain, name: quoteName(client.name) };
    return {
      subject: isToken
        ? t("Your token was removed from {domain}", { domain })
        : t("Your agent was removed from {domain}", { domain }),
      paragraphs: [
        isToken
          ? t(
              "On {time} an owner of {domain} removed your personal token {name} from it. Its access to other sites is unchanged.",
              named,
            )
          : t(
              "On {time} an owner of {domain} removed the agent that calls itself {name} from it. Its access to other sites is unchanged.",
              named,
            ),
        t("Ask them if you do not know why. Review its access: {url}", { url: `${env().BASE_URL}/agents/${clientId}` }),
      ],
      why: isToken ? t("you made this token") : t("the agent acts for you"),
      kept,
    };
  });
  await queueEmail(tx, message, now);
}
