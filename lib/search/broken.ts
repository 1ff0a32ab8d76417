import { connectionInWords } from "@/lib/contract/connection-words";
import { queueEmail, writeEmail } from "@/lib/email/mailer";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { type Problem, sentenceOf } from "@/lib/search/faults";
import { SEARCH_PROVIDERS, type SearchProvider } from "@/lib/search/providers";
import { primaryNameOf } from "@/lib/sites/notices";
import { t } from "@/lib/texts/translate";

interface Connection {
  id: number;
  siteId: number;
  provider: SearchProvider;
  personId: number | null;
  token: Uint8Array;
}

/**
 * Marks a connection as broken, forgets its token, and emails the owners of the site, once. What was fetched stays.
 */
export async function breakConnection(connection: Connection, problem: Problem, now: Date): Promise<void> {
  const { id, siteId, provider, personId } = connection;
  await db().$transaction(async (tx) => {
    const broken = await tx.searchConnection.updateMany({
      // Unless somebody has connected it again meanwhile.
      where: { id, token: new Uint8Array(connection.token) },
      data: { problem, token: null, fault: null, failedAt: now, failures: 0, nextFetchAt: null },
    });
    if (broken.count === 0) return;
    // The provider still accepts the consents that only we no longer use.
    if (problem === "left" || problem === "no_access") {
      const token = new Uint8Array(connection.token);
      await tx.searchPurge.create({ data: { siteId, provider, personId, token } });
    }
    const { name } = SEARCH_PROVIDERS[provider];
    const { domain, kept } = await primaryNameOf(tx, siteId);
    const owners = await tx.person.findMany({
      where: { memberships: { some: { siteId, role: "owner" } } },
      select: { email: true, language: true },
      orderBy: { id: "asc" },
    });
    for (const owner of owners) {
      const message = writeEmail(owner, () => ({
        subject: t("{name} needs you: {domain}", { name, domain }),
        paragraphs: [
          `${t("{domain} gets no search data any more.", { domain })} ${connectionInWords(sentenceOf(problem, provider))}`,
          t("Connect it again: {url}", { url: `${env().BASE_URL}/sites/${siteId}/settings/search` }),
        ],
        why: t("you own {domain}", { domain }),
        kept,
      }));
      await queueEmail(tx, message, now);
    }
  });
}
