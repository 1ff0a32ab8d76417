import { z } from "zod";
import { type Db, db } from "@/lib/platform/db";
import { type AnalyticsProperty, analyticsProperty } from "@/lib/search/analytics-api";
import { ProviderFault, StaleToken } from "@/lib/search/faults";
import { searchClient } from "@/lib/search/providers";
import { openToken, refreshTokens, sealToken } from "@/lib/search/tokens";

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

/** Calls Google with an access token. */
export type AskAnalytics = <Answer>(call: (token: string) => Promise<Answer>) => Promise<Answer>;

/**
 * Returns a function that calls Google for a site, and gets a new access token once when it no longer accepts the first.
 *
 * @throws ProviderFault `revoked` without a consent, `left` when its person is no longer an owner of the site
 */
export async function askAnalytics(siteId: number): Promise<AskAnalytics> {
  const row = await db().importConnection.findUnique({ where: { siteId } });
  if (!row) throw new ProviderFault("revoked");
  const { personId } = row;
  const isOwner =
    personId !== null && (await db().membership.count({ where: { siteId, personId, role: "owner" } })) > 0;
  if (!isOwner) throw new ProviderFault("left");
  let refresh = openToken(siteId, "google", row.token);
  const renew = async () => {
    const { access, rotated } = await refreshTokens("google", refresh);
    if (rotated === null) return access;
    refresh = rotated;
    await db().importConnection.updateMany({
      where: { siteId },
      data: { token: sealToken(siteId, "google", rotated) },
    });
    return access;
  };
  let access = await renew();
  return async (call) => {
    try {
      return await call(access);
    } catch (error) {
      if (!(error instanceof StaleToken)) throw error;
      access = await renew();
      return call(access);
    }
  };
}
