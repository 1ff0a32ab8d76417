import { z } from "zod";
import { type GivenSettings, settingColumns } from "@/lib/contract/site-settings";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { JudgedHour } from "@/lib/monitoring/traffic";
import { type Db, db } from "@/lib/platform/db";
import { siteFor } from "@/lib/sites/access";

/** Enables or disables the monitoring of a site. Disabling closes open incidents without notifications. */
export async function setMonitoring(
  tx: Db,
  siteId: number,
  given: GivenSettings<"monitoring">,
  now: Date,
): Promise<void> {
  await changeSite(tx, siteId, settingColumns("monitoring", given));
  if (given.enabled) {
    const existing = await tx.monitor.count({ where: { siteId } });
    if (existing === 0) await tx.monitor.create({ data: { siteId, nextCheckAt: now } });
    return;
  }
  await tx.monitor.deleteMany({ where: { siteId } });
  await tx.incident.updateMany({ where: { siteId, endedAt: null }, data: { endedAt: now } });
}

/** Results of the last checks of a monitored site. */
export interface MonitorStatus {
  /** Null before the first check. */
  checkedAt: Date | null;
  /** What was wrong with the page, as the end of a sentence about it; null if nothing was. */
  problem: string | null;
  status: number | null;
  tookMs: number | null;
  certificateUntil: Date | null;
  /** Null before the first full hour. */
  hour: JudgedHour | null;
}

/** The results of the last checks in API responses. */
export const checksShape = z
  .object({
    checked_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the page was checked; null before the first check" }),
    problem: z.string().nullable().meta({
      description: "What was wrong with the page, as the end of a sentence about it; null if nothing was",
    }),
    status: z.int().nullable().meta({ description: "HTTP status of the page; null without a response" }),
    took_ms: z.int().nullable(),
    certificate_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the certificate expires; null if unknown" }),
    hour: z
      .object({
        start: z.iso.datetime({ offset: true }),
        visits: z.int(),
        past: z.array(z.int()).meta({
          description: "Visits of the same hour in past weeks, newest first; only weeks in which the site was counting",
        }),
        arrivals: z
          .object({ all: z.int(), refused: z.int() })
          .nullable()
          .meta({ description: "Events since the previous check, and how many were refused; null if unknown" }),
      })
      .nullable()
      .meta({ description: "The last full hour; null before the first one with visits" }),
  })
  .meta({
    id: "Checks",
    examples: [
      {
        checked_at: "2026-11-20T09:30:00Z",
        problem: null,
        status: 200,
        took_ms: 180,
        certificate_until: "2027-01-18T09:30:00Z",
        hour: { start: "2026-11-20T08:00:00Z", visits: 14, past: [12, 17, 11], arrivals: { all: 63, refused: 0 } },
      },
    ],
  });

export const describeChecks = ({
  checkedAt,
  certificateUntil,
  hour,
  ...page
}: MonitorStatus): z.input<typeof checksShape> => ({
  checked_at: checkedAt?.toISOString() ?? null,
  problem: page.problem,
  status: page.status,
  took_ms: page.tookMs,
  certificate_until: certificateUntil?.toISOString() ?? null,
  hour: hour && { start: hour.start, visits: hour.visits, past: hour.past, arrivals: hour.arrivals },
});

/** Returns the results of the last checks; null if the site is not monitored. */
export async function readMonitorStatus(siteId: number, on: Db = db()): Promise<MonitorStatus | null> {
  const row = await on.monitor.findUnique({ where: { siteId } });
  if (!row) return null;
  const { checkedAt, problem, status, tookMs, certificateUntil, hour } = row;
  return { checkedAt, problem, status, tookMs, certificateUntil, hour: hour as JudgedHour | null };
}

/** Subscribes a member to incident emails, or unsubscribes them. @throws Refusal from `siteFor` for non-members */
export async function setAlertEmails(personId: number, siteId: number, alerts: boolean): Promise<void> {
  await siteFor(db(), { kind: "owner", personId }, siteId, "viewer");
  await db().membership.updateMany({ where: { siteId, personId }, data: { alerts } });
}
