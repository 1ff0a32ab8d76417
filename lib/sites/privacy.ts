import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { deleteAllReturningVisitors, eraseReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { type Db, db, queriesIn } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";
import { PRECISIONS, type Precision, type Privacy } from "@/lib/sites/privacy-text";

const yesOrNo = (description: string) => z.boolean("must be true or false").meta({ description });

export const privacyFields = {
  anonymise_ip: yesOrNo("Whether IP addresses are truncated before visitors and locations are derived from them"),
  geo_precision: z
    .enum(Object.keys(PRECISIONS) as Precision[], "must be city, region, country or none")
    .meta({ description: "How exactly locations are stored" }),
  honour_gpc: yesOrNo("Whether visitors who send Sec-GPC or Do Not Track are not counted"),
  retention_salt: yesOrNo("Whether returning visitors are recognised within a month, only for analytics.retention"),
};

/** Privacy settings in API responses. */
export const privacyShape = z.object({ site_id: siteId, ...privacyFields });

export const describePrivacy = (siteId: number, privacy: Privacy): z.input<typeof privacyShape> => ({
  site_id: siteId,
  anonymise_ip: privacy.anonymiseIp,
  geo_precision: privacy.geoPrecision,
  honour_gpc: privacy.honourGpc,
  retention_salt: privacy.retentionSalt,
});

/** Returns the privacy settings of a site. */
export const readPrivacy = (siteId: number, on: Db = db()): Promise<Privacy> =>
  on.site.findUniqueOrThrow({
    where: { id: siteId },
    select: { anonymiseIp: true, geoPrecision: true, honourGpc: true, retentionSalt: true },
  });

/**
 * Changes the privacy settings for future events. Stored data stays, except for returning visitors: call
 * `deleteReturningVisitorsLater` after the commit.
 */
export async function changePrivacy(tx: Db, siteId: number, privacy: Privacy): Promise<void> {
  // Remove leftovers of an interrupted earlier deletion, so that they do not count from now on.
  await (privacy.retentionSalt ? deleteAllReturningVisitors(queriesIn(tx), siteId) : deleteSalts(tx, siteId));
  await changeSite(tx, siteId, privacy);
}

/** Writers of returning visitors lock a salt, so none are written for the site after this. */
const deleteSalts = (tx: Db, siteId: number) => tx.siteMonthSalt.deleteMany({ where: { siteId } });

/**
 * Deletes the returning visitors of a site that no longer knows them. `eraseLeftoverReturningVisitors` deletes what
 * this leaves behind.
 */
export function deleteReturningVisitorsLater(siteId: number): void {
  eraseReturningVisitors(siteId).catch((error) => log.error({ event: "returning_visitors", ...describeError(error) }));
}
