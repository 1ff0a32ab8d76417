import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { JudgedHour } from "@/lib/monitoring/traffic";
import { type Db, db } from "@/lib/platform/db";
import { siteFor } from "@/lib/sites/access";

/** Enables or disables the monitoring of a site. Disabling closes open incidents without notifications. */
export async function setMonitoring(tx: Db, siteId: number, enabled: boolean, now: Date): Promise<void> {
  await changeSite(tx, siteId, { monitoring: enabled });
  if (enabled) {
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

/** Returns the results of the last checks; null if the site is not monitored. */
export async function readMonitorStatus(siteId: number): Promise<MonitorStatus | null> {
  const row = await db().monitor.findUnique({ where: { siteId } });
  if (!row) return null;
  const { checkedAt, problem, status, tookMs, certificateUntil, hour } = row;
  return { checkedAt, problem, status, tookMs, certificateUntil, hour: hour as JudgedHour | null };
}

/** Subscribes a member to incident emails, or unsubscribes them. @throws Refusal from `siteFor` for non-members */
export async function setAlertEmails(personId: number, siteId: number, alerts: boolean): Promise<void> {
  await siteFor(db(), { kind: "owner", personId }, siteId, "viewer");
  await db().membership.updateMany({ where: { siteId, personId }, data: { alerts } });
}
