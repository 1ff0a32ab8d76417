import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { deleteAllReturningVisitors, eraseReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { type Db, db } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";
import { PRECISIONS, type Precision, type Privacy } from "@/lib/sites/privacy-text";

const yesOrNo = (description: string) => z.boolean("must be true or false").meta({ description });

export const privacyFields = {
  anonymise_ip: yesOrNo("Whether IP addresses are shortened before visitors and locations are derived from them"),
  geo_precision: z
    .enum(Object.keys(PRECISIONS) as Precision[], "must be city, region, country or none")
    .meta({ description: "How exactly locations are stored" }),
  honour_gpc: yesOrNo("Whether visitors who send Sec-GPC or Do Not Track are not counted"),
  retention_salt: yesOrNo("Whether visitors are known again within a month, for analytics.retention alone"),
};

/** What a site stores of its visitors, as operations answer it. */
export const privacyShape = z.object({ site_id: siteId, ...privacyFields });

export const describePrivacy = (siteId: number, privacy: Privacy): z.input<typeof privacyShape> => ({
  site_id: siteId,
  anonymise_ip: privacy.anonymiseIp,
  geo_precision: privacy.geoPrecision,
  honour_gpc: privacy.honourGpc,
  retention_salt: privacy.retentionSalt,
});

/** What a site keeps of its visitors. */
export const readPrivacy = (siteId: number, on: Db = db()): Promise<Privacy> =>
  on.site.findUniqueOrThrow({
    where: { id: siteId },
    select: { anonymiseIp: true, geoPrecision: true, honourGpc: true, retentionSalt: true },
  });

/**
 * Changes what is kept of visitors from now on. What was stored stays, except for returning visitors: call
 * `deleteReturningVisitorsLater` once this is committed.
 */
export async function changePrivacy(tx: Db, siteId: number, privacy: Privacy): Promise<void> {
  // What an earlier choice left behind, because its deletion was cut short, must not count for this one.
  await (privacy.retentionSalt ? deleteAllReturningVisitors(tx, siteId) : endSalts(tx, siteId));
  await changeSite(tx, siteId, privacy);
}

/** Whoever writes on which days somebody was there holds a salt: nothing is written for the site after this. */
const endSalts = (tx: Db, siteId: number) => tx.siteMonthSalt.deleteMany({ where: { siteId } });

/** Deletes the returning visitors of a site that no longer knows them. `eraseLeftoverReturningVisitors` deletes what this leaves behind. */
export function deleteReturningVisitorsLater(siteId: number): void {
  eraseReturningVisitors(siteId).catch((error) => log.error({ event: "returning_visitors", ...describeError(error) }));
}
