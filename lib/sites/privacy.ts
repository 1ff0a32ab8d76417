import { type Db, db } from "@/lib/db";
import { forgetReturners } from "@/lib/ingest/returning";
import { deleteAllReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import { changePeople, type PeopleChange } from "@/lib/sites/members";
import type { Privacy } from "@/lib/sites/privacy-words";

/** What a site keeps of its visitors. */
export const readPrivacy = (siteId: number): Promise<Privacy> =>
  db().site.findUniqueOrThrow({
    where: { id: siteId },
    select: { anonymiseIp: true, geoPrecision: true, honourGpc: true, retentionSalt: true },
  });

/** A manager decides what is kept of visitors from now on. What was stored stays, but for who came back. @throws Refusal as `siteFor` does. */
export async function changePrivacy(by: PeopleChange, privacy: Privacy): Promise<void> {
  const detail = {
    anonymise_ip: `${privacy.anonymiseIp}`,
    geo_precision: privacy.geoPrecision,
    honour_gpc: `${privacy.honourGpc}`,
    retention_salt: `${privacy.retentionSalt}`,
  };
  await changePeople(by, "manager", { operation: "privacy.update", detail }, async (tx) => {
    // What an earlier choice left behind, because its deletion was cut short, must not count for this one.
    await (privacy.retentionSalt ? deleteAllReturningVisitors(tx, by.siteId) : endSalts(tx, by.siteId));
    await tx.site.updateMany({ where: { id: by.siteId }, data: privacy });
  });
  if (!privacy.retentionSalt) await forgetReturners(by.siteId);
}

/** Whoever writes on which days somebody was there holds a salt: nothing is written for the site after this. */
const endSalts = (tx: Db, siteId: number) => tx.siteMonthSalt.deleteMany({ where: { siteId } });
