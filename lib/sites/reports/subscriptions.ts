import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { derivedKey, derivedKeys } from "@/lib/platform/secrets";
import { type Cadence, nextTime } from "@/lib/sites/reports/period";

/** Who gets which site's numbers by mail. Only people of a site do, and only those who asked for it. */

export interface Subscribable {
  siteId: number;
  domain: string;
  name: string | null;
  cadences: Cadence[];
}

/** The sites of somebody, each with the reports of it that they get. */
export async function listSubscriptions(personId: number): Promise<Subscribable[]> {
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

/** Which reports of a site a person gets, as operations answer it. */
export const subscriptionsShape = z.object({ weekly: z.boolean(), monthly: z.boolean() });

export async function describeSubscriptions(
  on: Db,
  siteId: number,
  personId: number,
): Promise<z.input<typeof subscriptionsShape>> {
  const rows = await on.reportSubscription.findMany({ where: { siteId, personId }, select: { cadence: true } });
  const gets = (wanted: Cadence) => rows.some(({ cadence }) => cadence === wanted);
  return { weekly: gets("weekly"), monthly: gets("monthly") };
}

/** Starts a report for a member of the site; again changes nothing. */
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

/** Stops a report, whether or not it was started. */
export async function end({ personId, siteId, cadence }: Ending, on: Db = db()): Promise<void> {
  await on.reportSubscription.deleteMany({ where: { siteId, personId, cadence } });
}

/** What a link in a letter ends, without a sign-in. */
export interface Ending {
  siteId: number;
  personId: number;
  cadence: Cadence;
}

const textOf = ({ siteId, personId, cadence }: Ending) => `${siteId}-${personId}-${cadence}`;
const macOf = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest().subarray(0, 16);

/** The token of such a link: good for nothing else, and for as long as our secrets are. */
export function endingToken(ending: Ending): string {
  const text = textOf(ending);
  return `${text}-${macOf(derivedKey("unsubscribe"), text).toString("hex")}`;
}

/** What a token ends; null for one that is not ours. */
export function readEnding(token: string): Ending | null {
  const [, text = "", siteId, personId, cadence, mac = ""] =
    /^((\d{1,10})-(\d{1,10})-(weekly|monthly))-([0-9a-f]{32})$/.exec(token) ?? [];
  const given = Buffer.from(mac, "hex");
  const ours =
    given.length === 16 && derivedKeys("unsubscribe").some((key) => timingSafeEqual(macOf(key, text), given));
  return ours ? { siteId: Number(siteId), personId: Number(personId), cadence: cadence as Cadence } : null;
}

/** Where a letter's own link leads (a page with a button), and where mail programs post to (RFC 8058). */
export const endingLinks = (token: string) => ({
  page: `${env().BASE_URL}/unsubscribe/${token}`,
  oneClick: `${env().BASE_URL}/api/unsubscribe/${token}`,
});
