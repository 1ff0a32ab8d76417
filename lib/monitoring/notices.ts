import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { CAUSES } from "@/lib/monitoring/causes";
import type { Incident } from "@/lib/monitoring/incidents";
import { queueDelivery } from "@/lib/monitoring/webhooks";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { primaryNameOf } from "@/lib/sites/notices";

/** Tells of an incident that began or ended, by letter and to the site's webhook, as part of the caller's transaction. */
export async function tell(tx: Db, siteId: number, incident: Incident, now: Date): Promise<void> {
  const { domain, kept } = await primaryNameOf(tx, siteId);
  const { id, cause, startedAt, endedAt, seen } = incident;
  const data = {
    site_id: siteId,
    domain,
    incident_id: id,
    cause,
    seen,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    url: `${env().BASE_URL}/sites/${siteId}${CAUSES[cause].place}`,
  };
  await queueDelivery(tx, siteId, endedAt ? "incident.ended" : "incident.started", data, now);
  if (endedAt && !CAUSES[cause].endByMail) return;
  for (const { email } of await listeners(tx, siteId)) {
    await queueEmail(tx, letterOf(email, { domain, kept }, incident, data.url), now);
  }
}

/** Who of a site gets letters about incidents: who asked for them, and owners unless they asked not to. */
export const listeners = (tx: Db, siteId: number): Promise<{ id: number; email: string }[]> =>
  tx.person.findMany({
    where: { memberships: { some: { siteId, OR: [{ alerts: true }, { alerts: null, role: "owner" }] } } },
    select: { id: true, email: true },
    orderBy: { id: "asc" },
  });

function letterOf(
  to: string,
  { domain, kept }: { domain: string; kept: string[] },
  { cause, startedAt, endedAt, seen }: Incident,
  url: string,
) {
  const { begins, ends } = CAUSES[cause];
  const what = endedAt ? `${ends}, since ${formatUtc(endedAt)}` : `${begins}, since ${formatUtc(startedAt)}`;
  const paragraphs = [
    `${domain}: ${what}.`,
    endedAt ? `It began on ${formatUtc(startedAt)}: ${seen}` : seen,
    `See more: ${url}`,
  ];
  const why = `you are told of incidents on ${domain}; change that on its page about monitoring in the settings`;
  return writeEmail(to, `${domain}: ${endedAt ? ends : begins}`, paragraphs, why, kept);
}
