import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { deleteAllReturningVisitors, eraseReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { type Db, db, queriesIn } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";
import { type Privacy, type PrivacySetting, privacySettings } from "@/lib/sites/privacy-settings";

/** The fields of the operations. */
export const privacyFields = Object.fromEntries(
  privacySettings.map(({ name, about, choices }) => {
    if (!choices) return [name, z.boolean("must be true or false").meta({ description: about })];
    const names = Object.keys(choices);
    const wrong = `must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
    return [name, z.enum(names, wrong).meta({ description: about })];
  }),
) as unknown as { [Name in PrivacySetting]: z.ZodType<Privacy[Name], Privacy[Name]> };

/** Privacy settings in API responses. */
export const privacyShape = z.object({ site_id: siteId, ...privacyFields });

/** Returns the privacy settings of a site. */
export async function readPrivacy(siteId: number, on: Db = db()): Promise<Privacy> {
  const select = Object.fromEntries(privacySettings.map(({ column }) => [column, true]));
  const row: Record<string, unknown> = await on.site.findUniqueOrThrow({ where: { id: siteId }, select });
  return Object.fromEntries(privacySettings.map(({ name, column }) => [name, row[column]])) as Privacy;
}

/**
 * Changes the privacy settings for future events. Stored data stays, except for returning visitors: call
 * `deleteReturningVisitorsLater` after the commit.
 */
export async function changePrivacy(tx: Db, siteId: number, privacy: Privacy): Promise<void> {
  // Remove leftovers of an interrupted earlier deletion, so that they do not count from now on.
  await (privacy.retention_salt ? deleteAllReturningVisitors(queriesIn(tx), siteId) : deleteSalts(tx, siteId));
  await changeSite(tx, siteId, Object.fromEntries(privacySettings.map(({ name, column }) => [column, privacy[name]])));
}

/** A setting of the privacy settings as people read it. */
export function privacyText({ name, choices }: (typeof privacySettings)[number], privacy: Privacy): string {
  const value = privacy[name];
  if (choices) return choices[`${value}`] ?? `${value}`;
  return value ? "Yes" : "No";
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
