import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import type { Db, Prisma } from "@/lib/platform/db";

/**
 * Revokes the active clients that match, with their access and refresh tokens, unredeemed device codes and unused
 * approvals.
 *
 * @returns the revoked clients.
 */
export async function revokeClients(
  tx: Db,
  which: Prisma.ClientWhereInput,
  now: Date,
): Promise<Prisma.ClientGetPayload<object>[]> {
  const revoked = await tx.client.updateManyAndReturn({
    where: { ...which, revokedAt: null },
    data: { revokedAt: now },
  });
  const ofRevoked = { clientId: { in: revoked.map(({ id }) => id) } };
  await tx.accessToken.updateMany({ where: { ...ofRevoked, revokedAt: null }, data: { revokedAt: now } });
  await tx.refreshToken.updateMany({ where: { ...ofRevoked, revokedAt: null }, data: { revokedAt: now } });
  await tx.deviceCode.updateMany({
    where: { ...ofRevoked, status: { in: ["pending", "approved"] } },
    data: { status: "denied", decidedAt: now },
  });
  await supersedeApprovals(tx, ofRevoked);
  return revoked;
}
