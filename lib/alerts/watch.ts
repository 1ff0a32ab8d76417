import { isCount, judgeValue, measureText, type Seen, type Verdict, WEEKS } from "@/lib/alerts/judge-value";
import { measureIn } from "@/lib/alerts/measure";
import { notifyAlert } from "@/lib/alerts/notify";
import { type RuleRow, requireRule } from "@/lib/alerts/rules";
import { queryCopy, type Scope, scopeOf } from "@/lib/analytics/query/scope";
import type { SiteAccess } from "@/lib/contract/define";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { isUnavailable, Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { describeError, log } from "@/lib/platform/log";
import { asReport } from "@/lib/platform/report-queries";
import { SERVICE_SHARES } from "@/lib/platform/report-shares";
import { reportDeadlineMs } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";
import { type Temporal, zoned } from "@/lib/platform/time";
import { siteFor } from "@/lib/sites/access";

/** Judges alert rules: each full hour or day once, and what may already be above a threshold as it grows. */

/** Events of an hour are committed at most this long after its end. */
const COMMIT_DELAY_MS = 3 * 60_000;

interface Span {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
}

/** Judges the rules of all sites. A rule that fails does not stop the others. @throws the first error */
export async function watchAlerts(now: Date): Promise<void> {
  const rules = await db().alertRule.findMany({
    where: { site: { disabledAt: null } },
    select: { id: true, siteId: true },
    orderBy: { id: "asc" },
  });
  const failures: unknown[] = [];
  for (const { id, siteId } of rules) {
    await watchRule(siteId, id, now).catch((error) => {
      // For example while the analytics copy of the site is being built. The next run tries again.
      if (isUnavailable(error)) log.warn({ site_id: siteId, ...describeError(error) }, "an alert rule was not judged");
      else failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}

/** Judges one rule. @throws Refusal `unavailable` if its numbers cannot be read now */
export async function watchRule(siteId: number, ruleId: number, now: Date): Promise<void> {
  const rule = await db().alertRule.findFirst({ where: { siteId, id: ruleId }, include: { channels: true } });
  // They are read with the permissions of an owner; a site whose owners are all disabled alerts nobody.
  const owner = await db().membership.findFirst({
    where: { siteId, role: "owner", person: { disabledAt: null } },
    orderBy: { personId: "asc" },
  });
  if (!rule || !owner) return;
  const site = await siteFor(db(), { kind: "owner", personId: owner.personId }, siteId, "viewer");
  try {
    await asReport({ shares: SERVICE_SHARES, deadlineMs: reportDeadlineMs() }, () => judgeRule(rule, site, now));
  } catch (error) {
    if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
    // For example a segment or goal that was deleted: it cannot be judged until somebody changes it.
    await db().alertRule.updateMany({ where: { id: ruleId }, data: { problem: error.message } });
  }
}

async function judgeRule(rule: RuleRow, site: SiteAccess, now: Date): Promise<void> {
  const full = lastFull(rule.span, site.timezone, now);
  const fullEnd = new Date(full.end.epochMilliseconds);
  if (!rule.judgedUntil || rule.judgedUntil < fullEnd) {
    const verdict = await verdictOf(rule, site, full, now);
    if (verdict !== "late") await record(rule, site, full, verdict, now, fullEnd);
  }
  // Counts only grow, so nobody has to wait for the end.
  if (rule.condition !== "above" || !isCount(rule.metric as Measure)) return;
  const running = runningSpan(rule.span, site.timezone, now);
  await record(rule, site, running, await verdictOf(rule, site, running, now), now, null);
}

/** @returns "late" for a low value while no later event shows that the data of the span is complete */
async function verdictOf(rule: RuleRow, site: SiteAccess, span: Span, now: Date): Promise<Verdict | "late"> {
  const [scope, current] = await readSpan(rule, site, span, now);
  const { first, last } = await eventRange(scope);
  const past: Seen[] = [];
  if (rule.condition === "unusual") {
    for (let week = 1; week <= WEEKS; week++) {
      const before = { start: span.start.subtract({ weeks: week }), end: span.end.subtract({ weeks: week }) };
      if (!first || before.start.epochMilliseconds < first.getTime()) continue;
      past.push((await readSpan(rule, site, before, now))[1]);
    }
  }
  const verdict = judgeValue({ ...rule, metric: rule.metric as Measure, currency: site.currency }, current, past);
  const isComplete = last !== null && last.getTime() >= span.end.epochMilliseconds;
  return verdict.fires && verdict.low && !isComplete ? "late" : verdict;
}

/** Reads the metric in a span, which lies within a local day. */
async function readSpan(rule: RuleRow, site: SiteAccess, { start, end }: Span, now: Date): Promise<[Scope, Seen]> {
  const day = start.toPlainDate().toString();
  const filters = rule.filters as Record<string, unknown>;
  const { scope } = await scopeOf({ site_id: site.id, from: day, to: day, filters, segment: rule.segment }, site, now);
  const [from, until] = [new Date(start.epochMilliseconds), new Date(end.epochMilliseconds)];
  const starts = bucketsAround(scope, from, until);
  const bucket = rule.span === "day" ? null : starts.findIndex((one) => one.getTime() === from.getTime());
  return [scope, await measureIn(scope, { metric: rule.metric as Measure, goal: rule.goal }, starts, bucket)];
}

const bucketsAround = ({ range }: Scope, from: Date, until: Date): Date[] =>
  [range.start, from, until].filter(
    (at, index, all) => at < range.end && (index === 0 || at > (all[index - 1] as Date)),
  );

/** When the first and the last event of the site happened, of any traffic. */
async function eventRange(scope: Scope): Promise<{ first: Date | null; last: Date | null }> {
  const [rows] = await queryCopy<{ first: Date | null; last: Date | null }[][]>(
    scope,
    sql`SELECT min(ts) AS first, max(ts) AS last FROM event`,
  );
  return rows?.[0] ?? { first: null, last: null };
}

const floorOf = (span: "hour" | "day", at: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  span === "day" ? at.startOfDay() : at.round({ smallestUnit: "hour", roundingMode: "floor" });

/** Returns the last full hour or day whose events are all committed. */
function lastFull(span: "hour" | "day", timezone: string, now: Date): Span {
  const end = floorOf(span, zoned(new Date(now.getTime() - COMMIT_DELAY_MS), timezone));
  return { start: floorOf(span, end.subtract({ seconds: 1 })), end };
}

function runningSpan(span: "hour" | "day", timezone: string, now: Date): Span {
  const start = floorOf(span, zoned(now, timezone));
  return { start, end: span === "day" ? start.add({ days: 1 }) : start.add({ hours: 1 }) };
}

/**
 * Records that a span was judged, and fires at most once for it, unless the rule cools down or was changed meanwhile.
 *
 * @param judgedUntil null for a span that has not ended
 */
async function record(
  rule: RuleRow,
  site: SiteAccess,
  span: Span,
  verdict: Verdict | "late",
  now: Date,
  judgedUntil: Date | null,
) {
  if (verdict === "late" || (!verdict.fires && !judgedUntil)) return;
  const [start, end] = [new Date(span.start.epochMilliseconds), new Date(span.end.epochMilliseconds)];
  await db().$transaction(async (tx) => {
    await lockRow(tx, "alert_rule", rule.id);
    const row = await tx.alertRule.findFirst({ where: { id: rule.id, updatedAt: rule.updatedAt } });
    if (!row) return;
    const data = { problem: null, ...(judgedUntil && { judgedUntil }) };
    const cools = row.firedAt !== null && now.getTime() - row.firedAt.getTime() < rule.cooldownHours * HOUR_MS;
    if (!verdict.fires || cools) {
      await tx.alertRule.update({ where: { id: rule.id }, data });
      return;
    }
    const seen = sentenceOf(rule, site, span, verdict);
    const added = await tx.alert.createMany({
      data: [
        { ruleId: rule.id, siteId: rule.siteId, startAt: start, endAt: end, value: verdict.value, seen, firedAt: now },
      ],
      skipDuplicates: true,
    });
    await tx.alertRule.update({ where: { id: rule.id }, data: { ...data, ...(added.count > 0 && { firedAt: now }) } });
    if (added.count === 0) return;
    const fresh = await requireRule(tx, rule.siteId, rule.id);
    await notifyAlert(tx, fresh, { start, end, value: verdict.value, seen, isTest: false }, now);
  });
}

/** Says what was seen, such as "Visits: 3 on 20 November 2026, 8:00 to 9:00; the limit is 10." */
function sentenceOf(
  { metric, span }: RuleRow,
  { currency }: SiteAccess,
  { start, end }: Span,
  verdict: Verdict & { fires: true },
): string {
  const day = start.toLocaleString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const clock = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString({ smallestUnit: "minute" });
  const when = span === "day" ? day : `${day}, ${clock(start)} to ${clock(end)}`;
  const key = metric as Measure;
  return `${MEASURES[key].label}: ${measureText(key, verdict.value, currency)} on ${when}; ${verdict.against}.`;
}
