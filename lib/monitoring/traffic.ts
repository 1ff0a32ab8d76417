import { analytics } from "@/lib/analytics/engine/analytics";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { receivedPerDaySince } from "@/lib/ingest/store/ingest-stats";
import {
  type Arrivals,
  isRefusing,
  isSilent,
  judgeHour,
  statisticsReady,
  WEEKS_BEFORE,
} from "@/lib/monitoring/anomalies";
import { closeIncident, openIncident, openSince } from "@/lib/monitoring/incidents";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { isUnavailable } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { asReport } from "@/lib/platform/report-queries";
import { SERVICE_SHARES } from "@/lib/platform/report-shares";
import { reportDeadlineMs, reportWork } from "@/lib/platform/reports";
import { join, type Sql, sql } from "@/lib/platform/sql";
import { type Temporal, zoned } from "@/lib/platform/time";

/**
 * Compares human visits of monitored sites with the same hours of past weeks, and watches the share of refused
 * events.
 */

/** Shorter silences are not checked. */
const MIN_SILENCE_MS = 15 * 60_000;
/** Only this much of a longer silence is compared with past weeks. */
const MAX_SILENCE_MS = 3 * DAY_MS;
/** Events of an hour are committed at most this long after its end. */
const COMMIT_DELAY_MS = 3 * 60_000;
const BASELINE_DAYS = 28;

interface Span {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
}

/** The verdict on the last full hour, shown on the monitoring page. Stored as JSON. */
export interface JudgedHour {
  /** Start of the hour, ISO 8601. */
  start: string;
  visits: number;
  /** Visits of the same hour in past weeks, newest first; only weeks in which the site was already counting. */
  past: number[];
  verdict: ReturnType<typeof judgeHour>;
  /** Events since the previous check; null if unknown. */
  arrivals: Arrivals | null;
  /** Events of the four weeks before. */
  usual: Arrivals;
}

/** Counts of a UTC day at some moment. The difference to the counts now is what arrived since. */
interface Snapshot extends Arrivals {
  day: string;
}

interface Watched {
  siteId: number;
  timezone: string;
  mergeSlashes: boolean;
  hour: unknown;
  intake: unknown;
}

/** Start of the first and of the last human visit. */
interface VisitRange {
  first: Date;
  last: Date;
}

/** Checks the traffic of every monitored site. A site that fails does not stop the others. @throws the first error */
export async function watchTraffic(now: Date): Promise<void> {
  const sites = await db().monitor.findMany({
    where: { site: { disabledAt: null } },
    select: { siteId: true },
    orderBy: { siteId: "asc" },
  });
  const failures: unknown[] = [];
  for (const { siteId } of sites) {
    await watchSite(siteId, now).catch((error) => {
      // For example while the analytics copy of the site is being built. The next run tries again.
      if (isUnavailable(error)) log.warn({ site_id: siteId, ...describeError(error) }, "traffic was not checked");
      else failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Checks one monitored site: for silence at every call, and once for each full hour.
 *
 * @throws Refusal `unavailable` if its visits cannot be read now
 */
export async function watchSite(siteId: number, now: Date): Promise<void> {
  await statisticsReady();
  const monitor = await db().monitor.findUnique({
    where: { siteId },
    select: { hour: true, intake: true, site: { select: { timezone: true, mergeSlashes: true } } },
  });
  if (!monitor) return;
  const watched: Watched = { siteId, ...monitor.site, hour: monitor.hour, intake: monitor.intake };
  const range = await readVisitRange(watched);
  if (!range) return;
  await checkSilence(watched, range, now);
  const hour = lastHour(watched.timezone, now);
  if ((watched.hour as JudgedHour | null)?.start === hour.start.toInstant().toString()) return;
  await checkHour(watched, hour, range.first, now);
}

/** Runs a query on the analytics copy of the site, like a report. @returns the only row */
async function readVisits<Row>({ siteId, timezone, mergeSlashes }: Watched, { sql: text, values }: Sql): Promise<Row> {
  const statement = { sql: text, values: values as never };
  const [rows] = await asReport({ shares: SERVICE_SHARES, deadlineMs: reportDeadlineMs() }, () =>
    reportWork().inTurn((signal) => analytics().query({ siteId, timezone, mergeSlashes }, [statement], signal)),
  );
  return rows?.[0] as Row;
}

async function readVisitRange(site: Watched): Promise<VisitRange | null> {
  const { first, last } = await readVisits<{ [Key in keyof VisitRange]: Date | null }>(
    site,
    sql`SELECT min(started) AS first, max(started) AS last FROM visit WHERE traffic = ${TRAFFIC_CLASSES.human}`,
  );
  return first && last && { first, last };
}

async function checkSilence(site: Watched, { first, last }: VisitRange, now: Date): Promise<void> {
  const { siteId, timezone } = site;
  const since = await openSince(siteId, "no_data");
  if (since && last > since) await closeIncident(siteId, "no_data", last, now);
  const silentMs = now.getTime() - last.getTime();
  if (silentMs < MIN_SILENCE_MS || (since && last <= since)) return;
  const from = zoned(new Date(Math.max(last.getTime(), now.getTime() - MAX_SILENCE_MS)), timezone);
  const past = await countVisits(site, pastWeeks({ start: from, end: zoned(now, timezone) }, first));
  if (!isSilent(past)) return;
  const seen = `The last visit started on ${formatLocal(zoned(last, timezone))}. In the same hours of the last ${past.length} weeks there were at least ${Math.min(...past)} visits.`;
  await openIncident(siteId, "no_data", { since: last, seen }, now);
}

async function checkHour(site: Watched, hour: Span, first: Date, now: Date): Promise<void> {
  const { siteId } = site;
  const [visits = 0, ...past] = await countVisits(site, [hour, ...pastWeeks(hour, first)]);
  const verdict = judgeHour(visits, past);
  const { arrivals, usual, snapshot } = await readArrivals(siteId, site.intake as Snapshot | null, now);
  const judged: JudgedHour = { start: hour.start.toInstant().toString(), visits, past, verdict, arrivals, usual };
  const endedAt = new Date(hour.end.epochMilliseconds);
  const found = {
    since: new Date(hour.start.epochMilliseconds),
    seen: `${visits} visits from ${formatLocal(hour.start)} to ${hour.end.toPlainTime().toString({ smallestUnit: "minute" })}, compared with ${Math.min(...past)} to ${Math.max(...past)} visits in the same hour of the last ${past.length} weeks.`,
  };
  for (const cause of ["spike", "drop"] as const) {
    if (verdict === cause) await openIncident(siteId, cause, found, now);
    else await closeIncident(siteId, cause, endedAt, now);
  }
  if (arrivals) await checkRefused(siteId, arrivals, usual, found.since, now);
  // Saved last, so that the hour is judged again if this process dies before the incidents are recorded.
  await db().monitor.updateMany({
    where: { siteId },
    data: { hour: judged as unknown as Record<string, never>, intake: { ...snapshot } },
  });
}

async function checkRefused(
  siteId: number,
  arrivals: Arrivals,
  usual: Arrivals,
  since: Date,
  now: Date,
): Promise<void> {
  if (!isRefusing(arrivals, usual)) return closeIncident(siteId, "refused_events", now, now);
  const share = usual.all > 0 ? Math.round((100 * usual.refused) / usual.all) : 0;
  const seen = `${arrivals.refused} of the last ${arrivals.all} events were refused. Usually ${share}% are.`;
  return openIncident(siteId, "refused_events", { since, seen }, now);
}

/** Returns the last full hour, in the site's timezone, whose visits are all committed. */
function lastHour(timezone: string, now: Date): Span {
  const settled = zoned(new Date(now.getTime() - COMMIT_DELAY_MS), timezone);
  const end = settled.round({ smallestUnit: "hour", roundingMode: "floor" });
  return { start: end.subtract({ hours: 1 }), end };
}

/** Returns the same local hours in past weeks, without weeks before the site's first visit. */
function pastWeeks({ start, end }: Span, first: Date): Span[] {
  const spans = Array.from({ length: WEEKS_BEFORE }, (_, index) => ({
    start: start.subtract({ weeks: index + 1 }),
    end: end.subtract({ weeks: index + 1 }),
  }));
  return spans.filter((span) => span.start.epochMilliseconds >= first.getTime());
}

/** Counts the human visits that started in each of these spans, in one query. */
async function countVisits(site: Watched, spans: readonly Span[]): Promise<number[]> {
  if (spans.length === 0) return [];
  const at = (moment: Temporal.ZonedDateTime) => new Date(moment.epochMilliseconds);
  const counts = spans.map(
    ({ start, end }) => sql`count(*) FILTER (WHERE started >= ${at(start)} AND started < ${at(end)})`,
  );
  const { visits } = await readVisits<{ visits: number[] }>(
    site,
    sql`SELECT [${join(counts)}] AS visits FROM visit WHERE traffic = ${TRAFFIC_CLASSES.human}`,
  );
  return visits;
}

/** Returns the events since a snapshot, those of the baseline, and the next snapshot. */
async function readArrivals(siteId: number, since: Snapshot | null, now: Date) {
  const today = now.toISOString().slice(0, 10);
  const from = new Date(now.getTime() - BASELINE_DAYS * DAY_MS).toISOString().slice(0, 10);
  const days = await receivedPerDaySince(siteId, from);
  const sum = (includes: (day: string) => boolean): Arrivals => {
    const included = days.filter(({ day }) => includes(day));
    const total = (key: keyof Arrivals) => included.reduce((subtotal, day) => subtotal + day[key], 0);
    return { all: total("all"), refused: total("refused") };
  };
  const current = since && since.day >= from ? sum((day) => day >= since.day) : null;
  const arrivals = since && current && { all: current.all - since.all, refused: current.refused - since.refused };
  const snapshot: Snapshot = { day: today, ...sum((day) => day === today) };
  return { arrivals, usual: sum((day) => day < today), snapshot };
}

/** Formats a time in the site's timezone, such as "20 November, 08:02". */
const formatLocal = (at: Temporal.ZonedDateTime): string =>
  `${at.toLocaleString("en-GB", { day: "numeric", month: "long" })}, ${at.toPlainTime().toString({ smallestUnit: "minute" })}`;
