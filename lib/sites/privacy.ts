import { type Db, db } from "@/lib/db";
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
    await tx.site.updateMany({ where: { id: by.siteId }, data: privacy });
    if (!privacy.retentionSalt) await forgetReturners(tx, by.siteId);
  });
}

/** Salts first: whoever writes a row holds one, so that none is written after this. */
async function forgetReturners(tx: Db, siteId: number): Promise<void> {
  await tx.siteMonthSalt.deleteMany({ where: { siteId } });
  await tx.$executeRaw`DELETE FROM facts.returning_visitor WHERE site_id = ${siteId}`;
}
