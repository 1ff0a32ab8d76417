import { formatUtc } from "@/lib/email/mailer";
import { workFairly } from "@/lib/monitoring/fair-work";
import { closeIncident, openIncident } from "@/lib/monitoring/incidents";
import { type CheckOptions, checkPage, isExpiring, type PageCheck } from "@/lib/monitoring/page-check";
import { db } from "@/lib/platform/db";
import { THIS_MACHINE } from "@/lib/platform/local-trial";
import { ofEnabledSite } from "@/lib/sites/access";

/** Checks the pages of monitored sites every five minutes, and again sooner after a failed check. */

const INTERVAL_MS = 5 * 60_000;
/** Spreads out the checks of sites whose monitoring was enabled at the same time. */
const JITTER = 0.1;
/** Delay of the second check after a first failure. */
const RECHECK_AFTER_MS = 60_000;
const FAILURES_PER_INCIDENT = 2;
const CONCURRENCY = { all: 20, ofAccount: 4 };
/** Of all checks at once, those of pages that were slow the last time. */
const SLOW_CONCURRENCY = 10;
/** A check that ends without an answer after this time was slow. */
const SLOW_MS = 3_000;
/** A slow page is checked again after as many intervals as it was slow in a row, up to this many. */
const MOST_INTERVALS = 3;
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
  slowChecks: number;
  account: string;
  checkedAt: Date | null;
}

/** Checks every due site. @param options overridden by tests */
export async function checkPages(now: Date, options: CheckOptions = { deadlineMs: DEADLINE_MS }): Promise<void> {
  const until = Date.now() + RUN_MS;
  await workFairly(
    CONCURRENCY,
    async (busy, running: readonly DueSite[]) => {
      const maySlow = running.filter(({ slowChecks }) => slowChecks > 0).length < SLOW_CONCURRENCY;
      return Date.now() < until ? leaseNext(now, { busy, maySlow }) : undefined;
    },
    async (site) => record(site, await checkPage(site, options), now),
  );
}

/** Returns when the next page is due; null when no monitored site has a primary domain that is opened. */
export async function nextPageCheckAt(): Promise<Date | null> {
  const [next] = await db().$queryRaw<{ at: Date | null }[]>`
    SELECT min(monitor.next_check_at) AS at FROM monitor JOIN site_domain AS domain ON domain.site_id = monitor.site_id
    JOIN site ON site.id = monitor.site_id AND site.disabled_at IS NULL
    WHERE domain.is_primary AND domain.host !~ ${THIS_MACHINE}`;
  return next?.at ?? null;
}

/**
 * Leases the next due site by postponing its next check, so that it is checked again if this process dies. Skips sites
 * that are disabled or without a primary domain, local trials, whose pages this server does not open, those of busy accounts, and slow ones once
 * enough of them are checked.
 */
async function leaseNext(
  now: Date,
  { busy, maySlow }: { busy: string[]; maySlow: boolean },
): Promise<DueSite | undefined> {
  const [due] = await db().$queryRaw<DueSite[]>`
    UPDATE monitor SET next_check_at = ${now}::timestamptz
      + ${INTERVAL_MS} * (1 - ${JITTER}::float8 + 2 * ${JITTER}::float8 * random()) * interval '1 millisecond'
    FROM site_domain AS domain
    WHERE domain.site_id = monitor.site_id AND domain.is_primary AND monitor.site_id = (
      SELECT site_id FROM monitor WHERE next_check_at <= ${now} AND (${maySlow} OR slow_checks = 0)
        AND EXISTS (SELECT FROM site_domain AS own WHERE own.site_id = monitor.site_id AND own.is_primary
          AND own.host !~ ${THIS_MACHINE})
        AND ${ofEnabledSite}
        AND account_of_site(site_id) <> ALL (${busy})
      ORDER BY next_check_at, site_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING monitor.site_id AS "siteId", domain.host, domain.verified_at IS NOT NULL AS proven,
      account_of_site(monitor.site_id) AS account, monitor.host IS DISTINCT FROM domain.host AS "hostChanged",
      monitor.secure AND monitor.host = domain.host IS TRUE AS secure,
      CASE WHEN monitor.host = domain.host THEN bad_checks ELSE 0 END AS "badChecks",
      CASE WHEN monitor.host = domain.host THEN slow_checks ELSE 0 END AS "slowChecks", checked_at AS "checkedAt"`;
  return due;
}

async function record(site: DueSite, check: PageCheck, now: Date): Promise<void> {
  const { siteId, host } = site;
  const counts = !check.unsure || (await otherSitesReachable(siteId, now));
  const badChecks = check.problem ? site.badChecks + (counts ? 1 : 0) : 0;
  const isSlow = check.status === null && check.tookMs >= SLOW_MS;
  const slowChecks = isSlow ? Math.min(site.slowChecks + 1, MOST_INTERVALS) : 0;
  const delayMs = counts && badChecks === 1 ? RECHECK_AFTER_MS : slowChecks > 1 ? slowChecks * INTERVAL_MS : null;
  await db().monitor.updateMany({
    where: { siteId },
    data: {
      host,
      checkedAt: now,
      problem: check.problem,
      badChecks,
      slowChecks,
      status: check.status,
      tookMs: check.tookMs,
      ...(check.status !== null && { secure: site.secure || check.secure }),
      ...(check.certificate
        ? { certificateUntil: check.certificate.until }
        : site.hostChanged && { certificateUntil: null }),
      ...(delayMs !== null && { nextCheckAt: new Date(now.getTime() + delayMs) }),
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
