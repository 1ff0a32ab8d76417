import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { derivedKey, derivedKeys } from "@/lib/platform/secrets";
import { type Cadence, movedTime, nextTime } from "@/lib/sites/reports/period";

/** Subscriptions to email reports. Only members of a site can subscribe. */

export interface SiteSubscriptions {
  siteId: number;
  domain: string;
  name: string | null;
  cadences: Cadence[];
}

/** Lists all sites of a person, each with the reports they are subscribed to. */
export async function listSubscriptions(personId: number): Promise<SiteSubscriptions[]> {
  const rows = await db().membership.findMany({
    where: { personId },
    select: {
      siteId: true,
      reports: { select: { cadence: true }, orderBy: { cadence: "asc" } },
      site: { select: { name: true, domains: { where: { isPrimary: true }, select: { host: true } } } },
    },
    orderBy: { siteId: "asc" },
  });
  return rows.map(({ siteId, reports, site }) => ({
    siteId,
    domain: site.domains[0]?.host ?? "",
    name: site.name,
    cadences: reports.map(({ cadence }) => cadence),
  }));
}

/** The reports of a site that a person is subscribed to, in API responses. */
export const subscriptionsShape = z.object({ weekly: z.boolean(), monthly: z.boolean() });

export async function describeSubscriptions(
  on: Db,
  siteId: number,
  personId: number,
): Promise<z.input<typeof subscriptionsShape>> {
  const rows = await on.reportSubscription.findMany({ where: { siteId, personId }, select: { cadence: true } });
  const has = (wanted: Cadence) => rows.some(({ cadence }) => cadence === wanted);
  return { weekly: has("weekly"), monthly: has("monthly") };
}

/** Subscribes a member to a report. Does nothing if they already are. */
export async function subscribe(
  tx: Db,
  { id: siteId, timezone }: Pick<SiteAccess, "id" | "timezone">,
  personId: number,
  cadence: Cadence,
  now: Date,
): Promise<void> {
  const nextAt = nextTime(cadence, timezone, now);
  await tx.reportSubscription.createMany({
    data: [{ siteId, personId, cadence, nextAt, createdAt: now }],
    skipDuplicates: true,
  });
}

/** Moves the reports of a site to a new timezone. */
export async function moveReports(tx: Db, siteId: number, from: string, to: string): Promise<void> {
  if (from === to) return;
  for (const { personId, cadence, nextAt } of await tx.reportSubscription.findMany({ where: { siteId } })) {
    // A report that is sent at this moment has another time: its sender has moved it on, by the old timezone.
    await tx.reportSubscription.updateMany({
      where: { siteId, personId, cadence, nextAt },
      data: { nextAt: movedTime(cadence, nextAt, from, to) },
    });
  }
}

/** Unsubscribes a person from a report. Does nothing if they are not subscribed. */
export async function unsubscribe({ personId, siteId, cadence }: Subscription, on: Db = db()): Promise<void> {
  await on.reportSubscription.deleteMany({ where: { siteId, personId, cadence } });
}

export interface Subscription {
  siteId: number;
  personId: number;
  cadence: Cadence;
}

const textOf = ({ siteId, personId, cadence }: Subscription) => `${siteId}-${personId}-${cadence}`;
const macOf = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest().subarray(0, 16);

/**
 * Returns the token of an unsubscribe link. It needs no sign-in and stays valid until `APP_SECRETS` are rotated out.
 */
export function unsubscribeToken(subscription: Subscription): string {
  const text = textOf(subscription);
  return `${text}-${macOf(derivedKey("unsubscribe"), text).toString("hex")}`;
}

/** Returns the subscription of an unsubscribe token; null if the token is invalid. */
export function readUnsubscribeToken(token: string): Subscription | null {
  const [, text = "", siteId, personId, cadence, mac = ""] =
    /^((\d{1,10})-(\d{1,10})-(weekly|monthly))-([0-9a-f]{32})$/.exec(token) ?? [];
  const given = Buffer.from(mac, "hex");
  const valid =
    given.length === 16 && derivedKeys("unsubscribe").some((key) => timingSafeEqual(macOf(key, text), given));
  return valid ? { siteId: Number(siteId), personId: Number(personId), cadence: cadence as Cadence } : null;
}

/** Returns the unsubscribe links of an email: the page with a button, and the one-click endpoint (RFC 8058). */
export const unsubscribeLinks = (token: string) => ({
  page: `${env().BASE_URL}/unsubscribe/${token}`,
  oneClick: `${env().BASE_URL}/api/unsubscribe/${token}`,
});
