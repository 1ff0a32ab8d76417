import { analytics } from "@/lib/analytics/engine/analytics";
import { join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { arrivalsSince } from "@/lib/ingest/store/stats/ingest-stats-counts";
import { begin, end, openSince } from "@/lib/monitoring/incidents";
import { type Arrivals, isRefusing, isSilent, judgeHour, ready, WEEKS } from "@/lib/monitoring/rhythm";
import { db, reportDeadlineMs, reportWork } from "@/lib/platform/db";
import { isUnavailable } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { asReport } from "@/lib/platform/report-queries";
import { SERVICE_SHARES } from "@/lib/platform/report-shares";
import { type Temporal, zoned } from "@/lib/platform/time";

/** Whether a site counts what it usually does: people's visits, beside the same hours of the last weeks, and refused events. */

/** A shorter silence is not worth a question. */
const LEAST_SILENCE_MS = 15 * 60_000;
/** What is quieter than this for so long would be told by nobody. */
const LONGEST_SILENCE_MS = 3 * 24 * 3600_000;
/** What belongs to an hour is committed so long after it. */
const SETTLED_MS = 3 * 60_000;
const USUAL_DAYS = 28;

interface Span {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
}

/** What was found of the last full hour; a page shows it. */
export interface JudgedHour {
  /** When it began, ISO 8601. */
  start: string;
  visits: number;
  /** Of the same hour in the weeks before, the newest first; those in which the site counted already. */
  past: number[];
  verdict: ReturnType<typeof judgeHour>;
  /** What became of events since the hour before; null when that is not known. */
  arrivals: Arrivals | null;
  /** And in the four weeks before. */
  usual: Arrivals;
}

/** The counts of a day (UTC) as they were at a moment: what has come since is what is more by now. */
interface Snapshot extends Arrivals {
  day: string;
}

interface Watched {
  siteId: number;
  timezone: string;
  hour: unknown;
  intake: unknown;
}

/** When the first and the last visit of a person began. */
interface Edges {
  first: Date;
  last: Date;
}

/** Looks at every monitored site. What cannot be read of one site holds up no other. */
export async function watchTraffic(now: Date): Promise<void> {
  const sites = await db().monitor.findMany({ select: { siteId: true }, orderBy: { siteId: "asc" } });
  const failures: unknown[] = [];
  for (const { siteId } of sites) {
    await watchSite(siteId, now).catch((error) => {
      // As while the site is being copied: the next run looks again.
      if (isUnavailable(error)) log.warn({ site_id: siteId, ...describeError(error) }, "traffic was not checked");
      else failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Looks at one monitored site: whether it has fallen silent, and once at each full hour.
 *
 * @throws Refusal `unavailable` when its visits cannot be counted now.
 */
export async function watchSite(siteId: number, now: Date): Promise<void> {
  await ready();
  const monitor = await db().monitor.findUnique({
    where: { siteId },
    select: { hour: true, intake: true, site: { select: { timezone: true } } },
  });
  if (!monitor) return;
  const watched: Watched = { siteId, timezone: monitor.site.timezone, hour: monitor.hour, intake: monitor.intake };
  const edges = await edgesOf(watched);
  if (!edges) return;
  await noteSilence(watched, edges, now);
  const hour = lastHour(watched.timezone, now);
  if ((watched.hour as JudgedHour | null)?.start === hour.start.toInstant().toString()) return;
  await noteHour(watched, hour, edges.first, now);
}

/** Reads the copy of a site's visits, as reports do. @returns the one row of the statement. */
async function readVisits<Row>({ siteId, timezone }: Watched, { sql: text, values }: Sql): Promise<Row> {
  const statement = { sql: text, values: values as never };
  const [rows] = await asReport({ shares: SERVICE_SHARES, deadlineMs: reportDeadlineMs() }, () =>
    reportWork().inTurn((signal) => analytics().query({ siteId, timezone }, [statement], signal)),
  );
  return rows?.[0] as Row;
}

async function edgesOf(site: Watched): Promise<Edges | null> {
  const { first, last } = await readVisits<{ [Key in keyof Edges]: Date | null }>(
    site,
    sql`SELECT min(started) AS first, max(started) AS last FROM visit WHERE traffic = ${TRAFFIC_CLASSES.human}`,
  );
  return first && last && { first, last };
}

async function noteSilence(site: Watched, { first, last }: Edges, now: Date): Promise<void> {
  const { siteId, timezone } = site;
  const since = await openSince(siteId, "no_data");
  if (since && last > since) await end(siteId, "no_data", last, now);
  const silentMs = now.getTime() - last.getTime();
  if (silentMs < LEAST_SILENCE_MS || (since && last <= since)) return;
  const from = zoned(new Date(Math.max(last.getTime(), now.getTime() - LONGEST_SILENCE_MS)), timezone);
  const past = await visitsDuring(site, weeksBefore({ start: from, end: zoned(now, timezone) }, first));
  if (!isSilent(past)) return;
  const seen = `The last visit began on ${inWords(zoned(last, timezone))}. In the same hours of the last ${past.length} weeks at least ${Math.min(...past)} came.`;
  await begin(siteId, "no_data", { since: last, seen }, now);
}

async function noteHour(site: Watched, hour: Span, first: Date, now: Date): Promise<void> {
  const { siteId } = site;
  const [visits = 0, ...past] = await visitsDuring(site, [hour, ...weeksBefore(hour, first)]);
  const verdict = judgeHour(visits, past);
  const { arrivals, usual, snapshot } = await readArrivals(siteId, site.intake as Snapshot | null, now);
  const judged: JudgedHour = { start: hour.start.toInstant().toString(), visits, past, verdict, arrivals, usual };
  const over = new Date(hour.end.epochMilliseconds);
  const found = {
    since: new Date(hour.start.epochMilliseconds),
    seen: `${visits} visits from ${inWords(hour.start)} to ${hour.end.toPlainTime().toString({ smallestUnit: "minute" })}; in the same hour of the last ${past.length} weeks between ${Math.min(...past)} and ${Math.max(...past)}.`,
  };
  for (const cause of ["spike", "drop"] as const) {
    if (verdict === cause) await begin(siteId, cause, found, now);
    else await end(siteId, cause, over, now);
  }
  if (arrivals) await noteRefused(siteId, arrivals, usual, found.since, now);
  // Last: an hour whose incidents a process did not come to is judged anew by the next.
  await db().monitor.updateMany({
    where: { siteId },
    data: { hour: judged as unknown as Record<string, never>, intake: { ...snapshot } },
  });
}

async function noteRefused(siteId: number, arrivals: Arrivals, usual: Arrivals, since: Date, now: Date): Promise<void> {
  if (!isRefusing(arrivals, usual)) return end(siteId, "refused_events", now, now);
  const share = usual.all > 0 ? Math.round((100 * usual.refused) / usual.all) : 0;
  const seen = `${arrivals.refused} of the last ${arrivals.all} events were refused; usually it is ${share} in a hundred.`;
  return begin(siteId, "refused_events", { since, seen }, now);
}

/** The last full hour of the site's own clock whose visits are all there. */
function lastHour(timezone: string, now: Date): Span {
  const settled = zoned(new Date(now.getTime() - SETTLED_MS), timezone);
  const end = settled.round({ smallestUnit: "hour", roundingMode: "floor" });
  return { start: end.subtract({ hours: 1 }), end };
}

/** The same hours of the week by the site's own clock, in those of the last weeks in which it counted already. */
function weeksBefore({ start, end }: Span, first: Date): Span[] {
  const spans = Array.from({ length: WEEKS }, (_, index) => ({
    start: start.subtract({ weeks: index + 1 }),
    end: end.subtract({ weeks: index + 1 }),
  }));
  return spans.filter((span) => span.start.epochMilliseconds >= first.getTime());
}

/** How many visits of people began in each of these spans, by one statement. */
async function visitsDuring(site: Watched, spans: readonly Span[]): Promise<number[]> {
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

/** What became of events since a snapshot, what usually does, and the next snapshot. */
async function readArrivals(siteId: number, since: Snapshot | null, now: Date) {
  const today = now.toISOString().slice(0, 10);
  const from = new Date(now.getTime() - USUAL_DAYS * 24 * 3600_000).toISOString().slice(0, 10);
  const days = await arrivalsSince(siteId, from);
  const sum = (which: (day: string) => boolean): Arrivals => {
    const chosen = days.filter(({ day }) => which(day));
    const of = (key: keyof Arrivals) => chosen.reduce((total, one) => total + one[key], 0);
    return { all: of("all"), refused: of("refused") };
  };
  const known = since && since.day >= from ? sum((day) => day >= since.day) : null;
  const arrivals = since && known && { all: known.all - since.all, refused: known.refused - since.refused };
  const snapshot: Snapshot = { day: today, ...sum((day) => day === today) };
  return { arrivals, usual: sum((day) => day < today), snapshot };
}

/** A moment on the site's own clock, such as "20 November, 08:02". */
const inWords = (at: Temporal.ZonedDateTime): string =>
  `${at.toLocaleString("en-GB", { day: "numeric", month: "long" })}, ${at.toPlainTime().toString({ smallestUnit: "minute" })}`;
