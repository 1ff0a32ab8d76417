import type { Db } from "@/lib/platform/db";
import { lockRow } from "@/lib/platform/lock-row";

/**
 * Serialises writes to one site for the rest of the transaction. Waits at most 3 seconds, to free the connection.
 */
export async function lockSite(tx: Db, siteId: number): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await lockRow(tx, "site", siteId);
}

/** Takes a shared lock on these sites until the transaction ends; writes to them wait, other readers do not. */
export async function lockSitesShared(tx: Db, siteIds: number[]): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await tx.$queryRaw`SELECT 1 FROM site WHERE id = ANY(${siteIds}) ORDER BY id FOR SHARE`;
}

/** Locks every site of a person in id order, to avoid deadlocks. */
export async function lockSitesOf(tx: Db, personId: number): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await tx.$queryRaw`
    SELECT 1 FROM site WHERE id IN (SELECT site_id FROM membership WHERE person_id = ${personId})
    ORDER BY id FOR NO KEY UPDATE`;
}

/** Locks a team, then its sites in id order. */
export async function lockTeam(tx: Db, teamId: number): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  await lockRow(tx, "team", teamId);
  await tx.$queryRaw`SELECT 1 FROM site WHERE team_id = ${teamId} ORDER BY id FOR NO KEY UPDATE`;
}
