import type { Db } from "@/lib/db";

/**
 * Two writes to one site take turns, so that what one of them has seen is still so when it is done. Nobody waits long for
 * a turn: connections are for everyone.
 */
export async function lockSite(tx: Db, siteId: number): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await tx.$queryRaw`SELECT 1 FROM site WHERE id = ${siteId} FOR NO KEY UPDATE`;
}

/** Keeps these sites and their people as they are until the transaction ends. Several may hold them at the same time. */
export async function holdSites(tx: Db, siteIds: number[]): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await tx.$queryRaw`SELECT 1 FROM site WHERE id = ANY(${siteIds}) ORDER BY id FOR SHARE`;
}

/** Locks every site of a person, in the order of their ids, so that two such calls never wait for each other. */
export async function lockSitesOf(tx: Db, personId: number): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await tx.$queryRaw`
    SELECT 1 FROM site WHERE id IN (SELECT site_id FROM membership WHERE person_id = ${personId})
    ORDER BY id FOR NO KEY UPDATE`;
}
