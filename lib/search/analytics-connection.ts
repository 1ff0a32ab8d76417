import { z } from "zod";
import { type Db, db } from "@/lib/platform/db";
import { type AnalyticsProperty, analyticsProperty } from "@/lib/search/analytics-api";
import { ProviderFault } from "@/lib/search/faults";
import { searchClient } from "@/lib/search/providers";
import { type Ask, askAs } from "@/lib/search/tokens";

/** The consent of a Google account to read its Google Analytics, for the imports of one site. */

export const ANALYTICS = "Google Analytics";

/** Whether the operator has registered this service at Google. */
export const hasAnalyticsClient = (): boolean => searchClient("google") !== null;

/** Stores a consent in place of an earlier one. */
export async function saveImportConnection(
  tx: Db,
  siteId: number,
  {
    token,
    properties,
    personId,
  }: { token: Uint8Array<ArrayBuffer>; properties: AnalyticsProperty[]; personId: number },
  now: Date,
): Promise<void> {
  const data = { token, properties, personId, connectedAt: now };
  await tx.importConnection.upsert({ where: { siteId }, create: { siteId, ...data }, update: data });
}

/** Returns the properties that a site's connected account may read; null without a connection. */
export async function connectedProperties(on: Db, siteId: number): Promise<AnalyticsProperty[] | null> {
  const row = await on.importConnection.findUnique({ where: { siteId }, select: { properties: true } });
  return row && z.array(analyticsProperty).parse(row.properties);
}

/** Deletes the consent of a site; a trigger has it revoked at Google. @returns whether there was one */
export async function endImportConnection(on: Db, siteId: number): Promise<boolean> {
  return (await on.importConnection.deleteMany({ where: { siteId } })).count > 0;
}

/**
 * Returns a function that calls Google for a site.
 *
 * @throws ProviderFault `revoked` without a consent, `left` when its person is no longer an owner of the site
 */
export async function askAnalytics(siteId: number): Promise<Ask> {
  const row = await db().importConnection.findUnique({ where: { siteId } });
  if (!row) throw new ProviderFault("revoked");
  const { personId, token } = row;
  const isOwner =
    personId !== null && (await db().membership.count({ where: { siteId, personId, role: "owner" } })) > 0;
  if (!isOwner) throw new ProviderFault("left");
  return askAs({ siteId, provider: "google", token }, (kept) =>
    db().importConnection.updateMany({ where: { siteId }, data: { token: kept } }),
  );
}
