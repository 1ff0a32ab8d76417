import { formatUtc } from "@/lib/email/mailer";
import { begin, end } from "@/lib/monitoring/incidents";
import { isEnding, type Look, type Looking, lookAt } from "@/lib/monitoring/look";
import { db } from "@/lib/platform/db";

/** Whether the pages of monitored sites answer: a look every five minutes, and sooner after a bad one. */

const EVERY_MS = 5 * 60_000;
/** Sites that were switched on together spread out. */
const JITTER = 0.1;
/** A single bad look is no incident: the second one comes so soon. */
const AGAIN_AFTER_MS = 60_000;
const LOOKS_THAT_TELL = 2;
const AT_ONCE = 20;
/** How long one run of the job may go on taking sites. */
const RUN_MS = 60_000;
const DEADLINE_MS = 10_000;

interface Due {
  siteId: number;
  host: string;
  proven: boolean;
  /** What is known is of another domain, or of nothing. */
  anew: boolean;
  secure: boolean;
  badChecks: number;
  checkedAt: Date | null;
}

/** Looks at every site whose time has come. @param looking what tests say otherwise. */
export async function checkPages(now: Date, looking: Looking = { deadlineMs: DEADLINE_MS }): Promise<void> {
  const until = Date.now() + RUN_MS;
  // Each takes the next when it is done with one: a site that lets us wait holds up nobody who is not behind it.
  const lookOn = async (from: Due | undefined) => {
    for (let site = from; site; site = Date.now() < until ? await take(now) : undefined) {
      await note(site, await lookAt(site, looking), now);
    }
  };
  const first = await take(now);
  if (!first) return;
  const others = Array.from({ length: AT_ONCE - 1 }, async () => lookOn(await take(now)));
  await Promise.all([lookOn(first), ...others]);
}

/**
 * Takes a site by putting off its next look: should this process die, that look comes by itself. A site that has lost its
 * only domain waits until it has another, and keeps nobody's place.
 */
async function take(now: Date): Promise<Due | undefined> {
  const [due] = await db().$queryRaw<Due[]>`
    UPDATE monitor SET next_check_at = ${now}::timestamptz
      + ${EVERY_MS} * (1 - ${JITTER}::float8 + 2 * ${JITTER}::float8 * random()) * interval '1 millisecond'
    FROM site_domain AS domain
    WHERE domain.site_id = monitor.site_id AND domain.is_primary AND monitor.site_id = (
      SELECT site_id FROM monitor WHERE next_check_at <= ${now}
        AND EXISTS (SELECT FROM site_domain AS own WHERE own.site_id = monitor.site_id AND own.is_primary)
      ORDER BY next_check_at, site_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING monitor.site_id AS "siteId", domain.host, domain.verified_at IS NOT NULL AS proven,
      monitor.host IS DISTINCT FROM domain.host AS anew, monitor.secure AND monitor.host = domain.host IS TRUE AS secure,
      CASE WHEN monitor.host = domain.host THEN bad_checks ELSE 0 END AS "badChecks", checked_at AS "checkedAt"`;
  return due;
}

async function note(site: Due, look: Look, now: Date): Promise<void> {
  const { siteId, host } = site;
  const counts = !look.unsure || (await othersAnswer(siteId, now));
  const badChecks = look.problem ? site.badChecks + (counts ? 1 : 0) : 0;
  await db().monitor.updateMany({
    where: { siteId },
    data: {
      host,
      checkedAt: now,
      problem: look.problem,
      badChecks,
      status: look.status,
      tookMs: look.tookMs,
      ...(look.status !== null && { secure: site.secure || look.secure }),
      ...(look.certificate ? { certificateUntil: look.certificate.until } : site.anew && { certificateUntil: null }),
      ...(counts && badChecks === 1 && { nextCheckAt: new Date(now.getTime() + AGAIN_AFTER_MS) }),
    },
  });
  if (!look.problem) await end(siteId, "unreachable", now, now);
  else if (counts && badChecks >= LOOKS_THAT_TELL) {
    // At each further look too: the process that saw the second may have died on its way here. One that goes on stays as it is.
    const seen = `The page of ${host} ${look.problem}, twice in a row.`;
    await begin(siteId, "unreachable", { since: site.checkedAt ?? now, seen }, now);
  }
  if (look.certificate) await noteCertificate(siteId, host, look.certificate, now);
}

/** Whether another site could be reached just now: without that, nobody can be when it is our own network that is away. */
async function othersAnswer(siteId: number, now: Date): Promise<boolean> {
  const checkedAt = { gte: new Date(now.getTime() - 2 * EVERY_MS), lte: now };
  return (await db().monitor.count({ where: { siteId: { not: siteId }, checkedAt, status: { not: null } } })) > 0;
}

async function noteCertificate(siteId: number, host: string, certificate: { from: Date; until: Date }, now: Date) {
  if (!isEnding(certificate, now)) return end(siteId, "certificate", now, now);
  const seen = `A certificate of ${host}, or of where it leads, ends on ${formatUtc(certificate.until)}. From then on browsers warn of the page.`;
  return begin(siteId, "certificate", { since: now, seen }, now);
}
