import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { JudgedHour } from "@/lib/monitoring/traffic";
import { type Db, db } from "@/lib/platform/db";
import { siteFor } from "@/lib/sites/access";

/** Switches the monitoring of a site on or off. What went on ends with it, and nobody is told. */
export async function setMonitoring(tx: Db, siteId: number, enabled: boolean, now: Date): Promise<void> {
  await changeSite(tx, siteId, { monitoring: enabled });
  if (enabled) {
    const nothing = await tx.monitor.count({ where: { siteId } });
    if (nothing === 0) await tx.monitor.create({ data: { siteId, nextCheckAt: now } });
    return;
  }
  await tx.monitor.deleteMany({ where: { siteId } });
  await tx.incident.updateMany({ where: { siteId, endedAt: null }, data: { endedAt: now } });
}

/** What was seen last of a monitored site. */
export interface MonitorStatus {
  /** Null before the first look. */
  checkedAt: Date | null;
  /** What was wrong with the page, as the end of a sentence about it. */
  problem: string | null;
  status: number | null;
  tookMs: number | null;
  certificateUntil: Date | null;
  /** Null before the first full hour. */
  hour: JudgedHour | null;
}

/** Null for a site that is not monitored. */
export async function readMonitorStatus(siteId: number): Promise<MonitorStatus | null> {
  const row = await db().monitor.findUnique({ where: { siteId } });
  if (!row) return null;
  const { checkedAt, problem, status, tookMs, certificateUntil, hour } = row;
  return { checkedAt, problem, status, tookMs, certificateUntil, hour: hour as JudgedHour | null };
}

/** Somebody of a site asks for letters about its incidents, or for none. @throws Refusal as `siteFor` does for who is no member. */
export async function setAlertEmails(personId: number, siteId: number, alerts: boolean): Promise<void> {
  await siteFor(db(), { kind: "owner", personId }, siteId, "viewer");
  await db().membership.updateMany({ where: { siteId, personId }, data: { alerts } });
}
