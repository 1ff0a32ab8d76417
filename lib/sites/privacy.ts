import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { settingShape } from "@/lib/contract/setting-fields";
import { type GivenSettings, type SettingValues, settingColumns, settingsIn } from "@/lib/contract/site-settings";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { deleteAllReturningVisitors, eraseReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { type Db, db, queriesIn } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";

/** Privacy settings in API responses. */
export const privacyShape = z.object({ site_id: siteId, ...settingShape("privacy") });

/** Returns the privacy settings of a site. */
export const readPrivacy = async (siteId: number, on: Db = db()): Promise<SettingValues<"privacy">> =>
  settingsIn("privacy", await on.site.findUniqueOrThrow({ where: { id: siteId } }));

/**
 * Changes the privacy settings for future events. Stored data stays, except for returning visitors: call
 * `deleteReturningVisitorsLater` after the commit.
 */
export async function changePrivacy(tx: Db, siteId: number, privacy: GivenSettings<"privacy">): Promise<void> {
  // Remove leftovers of an interrupted earlier deletion, so that they do not count from now on.
  await (privacy.retention_salt ? deleteAllReturningVisitors(queriesIn(tx), siteId) : deleteSalts(tx, siteId));
  await changeSite(tx, siteId, settingColumns("privacy", privacy));
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
