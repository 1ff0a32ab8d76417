import { formatUtc } from "@/lib/email/mailer";
import { closeIncident, openIncident } from "@/lib/monitoring/incidents";
import { type CheckOptions, checkPage, isExpiring, type PageCheck } from "@/lib/monitoring/page-check";
import { db } from "@/lib/platform/db";
import { THIS_MACHINE } from "@/lib/platform/local-trial";

/** Checks the pages of monitored sites every five minutes, and again sooner after a failed check. */

const INTERVAL_MS = 5 * 60_000;
/** Spreads out the checks of sites whose monitoring was enabled at the same time. */
const JITTER = 0.1;
/** Delay of the second check after a first failure. */
const RECHECK_AFTER_MS = 60_000;
const FAILURES_PER_INCIDENT = 2;
const CONCURRENCY = 20;
/** How long one run of the job may start further checks. */
const RUN_MS = 60_000;
const DEADLINE_MS = 10_000;

interface DueSite {
  siteId: number;
  host: string;
  proven: boolean;
  /** The stored results are of another domain, or there are none. */
  hostChanged: boolean;
  secure: boolean;
  badChecks: number;
  checkedAt: Date | null;
}

/** Checks every due site. @param options overridden by tests */
export async function checkPages(now: Date, options: CheckOptions = { deadlineMs: DEADLINE_MS }): Promise<void> {
  const until = Date.now() + RUN_MS;
  // Each worker takes the next site when it is done with one, so that a slow site delays only its own worker.
  const work = async (from: DueSite | undefined) => {
    for (let site = from; site; site = Date.now() < until ? await leaseNext(now) : undefined) {
      await record(site, await checkPage(site, options), now);
    }
  };
  const first = await leaseNext(now);
  if (!first) return;
  const others = Array.from({ length: CONCURRENCY - 1 }, async () => work(await leaseNext(now)));
  await Promise.all([work(first), ...others]);
}

/**
 * Leases the next due site by postponing its next check, so that it is checked again if this process dies. Skips sites
 * without a primary domain, and local trials, whose pages this server does not open.
 */
async function leaseNext(now: Date): Promise<DueSite | undefined> {
  const [due] = await db().$queryRaw<DueSite[]>`
    UPDATE monitor SET next_check_at = ${now}::timestamptz
      + ${INTERVAL_MS} * (1 - ${JITTER}::float8 + 2 * ${JITTER}::float8 * random()) * interval '1 millisecond'
    FROM site_domain AS domain
    WHERE domain.site_id = monitor.site_id AND domain.is_primary AND monitor.site_id = (
      SELECT site_id FROM monitor WHERE next_check_at <= ${now}
        AND EXISTS (SELECT FROM site_domain AS own WHERE own.site_id = monitor.site_id AND own.is_primary
          AND own.host !~ ${THIS_MACHINE})
      ORDER BY next_check_at, site_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING monitor.site_id AS "siteId", domain.host, domain.verified_at IS NOT NULL AS proven,
      monitor.host IS DISTINCT FROM domain.host AS "hostChanged",
      monitor.secure AND monitor.host = domain.host IS TRUE AS secure,
      CASE WHEN monitor.host = domain.host THEN bad_checks ELSE 0 END AS "badChecks", checked_at AS "checkedAt"`;
  return due;
}

async function record(site: DueSite, check: PageCheck, now: Date): Promise<void> {
  const { siteId, host } = site;
  const counts = !check.unsure || (await otherSitesReachable(siteId, now));
  const badChecks = check.problem ? site.badChecks + (counts ? 1 : 0) : 0;
  await db().monitor.updateMany({
    where: { siteId },
    data: {
      host,
      checkedAt: now,
      problem: check.problem,
      badChecks,
      status: check.status,
      tookMs: check.tookMs,
      ...(check.status !== null && { secure: site.secure || check.secure }),
      ...(check.certificate
        ? { certificateUntil: check.certificate.until }
        : site.hostChanged && { certificateUntil: null }),
      ...(counts && badChecks === 1 && { nextCheckAt: new Date(now.getTime() + RECHECK_AFTER_MS) }),
    },
  });
  if (!check.problem) await closeIncident(siteId, "unreachable", now, now);
  else if (counts && badChecks >= FAILURES_PER_INCIDENT) {
    // Repeated at every further failure, in case a process died before this line. An open incident stays as it is.
    const seen = `The page of ${host} ${check.problem}, twice in a row.`;
    await openIncident(siteId, "unreachable", { since: site.checkedAt ?? now, seen }, now);
  }
  if (check.certificate) await recordCertificate(siteId, host, check.certificate, now);
}

/** Returns whether another site was reachable recently; if none was, our own network may be down. */
async function otherSitesReachable(siteId: number, now: Date): Promise<boolean> {
  const checkedAt = { gte: new Date(now.getTime() - 2 * INTERVAL_MS), lte: now };
  return (await db().monitor.count({ where: { siteId: { not: siteId }, checkedAt, status: { not: null } } })) > 0;
}

async function recordCertificate(siteId: number, host: string, certificate: { from: Date; until: Date }, now: Date) {
  if (!isExpiring(certificate, now)) return closeIncident(siteId, "certificate", now, now);
  const seen = `The certificate of ${host}, or of a page it redirects to, expires on ${formatUtc(certificate.until)}. Browsers will then show a warning instead of the page.`;
  return openIncident(siteId, "certificate", { since: now, seen }, now);
}
