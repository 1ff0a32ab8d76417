import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { CAUSES } from "@/lib/monitoring/causes";
import type { Incident } from "@/lib/monitoring/incidents";
import { queueDelivery } from "@/lib/monitoring/webhooks";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";

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
  for (const { email } of await alertRecipients(tx, siteId)) {
    await queueEmail(tx, incidentEmail(email, { domain, kept }, incident, data.url), now);
  }
}

/** Returns the members who get emails about incidents: those who opted in, and owners who did not opt out. */
export const alertRecipients = (tx: Db, siteId: number): Promise<{ id: number; email: string }[]> =>
  tx.person.findMany({
    where: {
      disabledAt: null,
      memberships: { some: { siteId, OR: [{ alerts: true }, { alerts: null, role: "owner" }] } },
    },
    select: { id: true, email: true },
    orderBy: { id: "asc" },
  });

function incidentEmail(
  to: string,
  { domain, kept }: { domain: string; kept: string[] },
  { cause, startedAt, endedAt, seen }: Incident,
  url: string,
) {
  const { started, ended } = CAUSES[cause];
  const what = endedAt ? `${ended}, since ${formatUtc(endedAt)}` : `${started}, since ${formatUtc(startedAt)}`;
  const paragraphs = [
    `${domain}: ${what}.`,
    endedAt ? `It started on ${formatUtc(startedAt)}: ${seen}` : seen,
    `View details: ${url}`,
  ];
  const why = `you are subscribed to alerts for ${domain}. You can change this in the monitoring settings of the site`;
  return writeEmail(to, `${domain}: ${endedAt ? ended : started}`, paragraphs, why, kept);
}
