import { writeAudit } from "@/lib/gateway/changes/audit";
import type { OAuthCall } from "@/lib/oauth/entry-point";
import { emailTokenReuse } from "@/lib/oauth/notices";
import { revokeTokens } from "@/lib/oauth/tokens";
import type { Db } from "@/lib/platform/db";

/**
 * Revokes the token family of a code or refresh token that was used a second time, because somebody else may have a copy of
 * it. Tells the person, and the audit log.
 */
export async function revokeReusedFamily(
  tx: Db,
  { client, requestId, now }: OAuthCall,
  { familyId, ownerId }: { familyId: string; ownerId: number },
  what: "code" | "refresh",
): Promise<void> {
  const revoked = await revokeTokens(tx, { clientId: client.id, familyId }, now);
  if (revoked === 0) return;
  await emailTokenReuse(tx, { clientName: client.name, personId: ownerId, what }, now);
  await writeAudit(tx, {
    at: now,
    clientId: client.id,
    personId: ownerId,
    operation: `oauth.${what}_reuse`,
    requestId,
    detail: { family: familyId, ended: revoked },
  });
}
