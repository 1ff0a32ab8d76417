import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import type { Db, Prisma } from "@/lib/platform/db";

/**
 * Ends the live clients among those that are meant, with all that was ever given to them: access and refresh tokens,
 * device codes that are not yet redeemed, and what a human was asked or has allowed and is not yet done.
 *
 * @returns the clients as they were when they ended.
 */
export async function revokeClients(
  tx: Db,
  meant: Prisma.ClientWhereInput,
  now: Date,
): Promise<Prisma.ClientGetPayload<object>[]> {
  const ended = await tx.client.updateManyAndReturn({ where: { ...meant, revokedAt: null }, data: { revokedAt: now } });
  const theirs = { clientId: { in: ended.map(({ id }) => id) } };
  await tx.accessToken.updateMany({ where: { ...theirs, revokedAt: null }, data: { revokedAt: now } });
  await tx.refreshToken.updateMany({ where: { ...theirs, revokedAt: null }, data: { revokedAt: now } });
  await tx.deviceCode.updateMany({
    where: { ...theirs, status: { in: ["pending", "approved"] } },
    data: { status: "denied", decidedAt: now },
  });
  await supersedeApprovals(tx, theirs);
  return ended;
}
