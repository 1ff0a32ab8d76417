import { seenInWords } from "@/lib/contract/seen-words";
import { formatUtc, queueEmail, type Reader, writeEmail } from "@/lib/email/mailer";
import { CAUSES } from "@/lib/monitoring/causes";
import type { Incident } from "@/lib/monitoring/incidents";
import { queueDelivery } from "@/lib/monitoring/webhooks";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";
import { t } from "@/lib/texts/translate";

/** Queues the emails and the webhook message about the start or end of an incident, within the caller's transaction. */
export async function notifyIncident(tx: Db, siteId: number, incident: Incident, now: Date): Promise<void> {
  const { host, domain, kept } = await primaryNameOf(tx, siteId);
  const { id, cause, startedAt, endedAt, seen } = incident;
  const data = {
    site_id: siteId,
    domain: host ?? domain,
    incident_id: id,
    cause,
    seen,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    url: `${env().BASE_URL}/sites/${siteId}${CAUSES[cause].path}`,
  };
  await queueDelivery(tx, siteId, endedAt ? "incident.ended" : "incident.started", data, now);
  if (endedAt && !CAUSES[cause].emailOnEnd) return;
  for (const reader of await alertRecipients(tx, siteId)) {
    await queueEmail(tx, incidentEmail(reader, { domain, kept }, incident, data.url), now);
  }
}

/** Returns the members who get emails about incidents: those who opted in, and owners who did not opt out. */
export const alertRecipients = (tx: Db, siteId: number): Promise<(Reader & { id: number })[]> =>
  tx.person.findMany({
    where: {
      disabledAt: null,
      memberships: { some: { siteId, OR: [{ alerts: true }, { alerts: null, role: "owner" }] } },
    },
    select: { id: true, email: true, language: true },
    orderBy: { id: "asc" },
  });

const incidentEmail = (
  reader: Reader,
  { domain, kept }: { domain: string; kept: string[] },
  { cause, startedAt, endedAt, seen }: Incident,
  url: string,
) =>
  writeEmail(reader, () => {
    const { started, ended } = CAUSES[cause];
    const what = t(endedAt ? ended : started);
    return {
      subject: `${domain}: ${what}`,
      paragraphs: [
        t("{domain}: {what}, since {time}.", { domain, what, time: formatUtc(endedAt ?? startedAt) }),
        endedAt
          ? t("It started on {time}: {seen}", { time: formatUtc(startedAt), seen: seenInWords(seen) })
          : seenInWords(seen),
        t("View details: {url}", { url }),
      ],
      why: t("you are subscribed to alerts for {domain}. You can change this in the monitoring settings of the site", {
        domain,
      }),
      kept,
    };
  });
