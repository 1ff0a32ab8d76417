import { countCall } from "@/lib/api/call-rate";
import type { Principal } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { knownScopes } from "@/lib/oauth/request-parameters";
import { db } from "@/lib/platform/db";
import { readSites } from "@/lib/sites/access";
import { gone, readDownload, type Wanted } from "@/lib/transfer/downloads";

/** A download that may begin. */
export interface OpenDownload {
  principal: Principal;
  site: SiteShape;
  wanted: Wanted;
}

/**
 * `GET /api/v1/management/downloads/<ticket>`: returns what an address of a download stands for. Its caller is read again: an
 * agent that was disconnected, or has lost the scope or the site, and a disabled person download nothing.
 *
 * @throws Refusal `not_found` for an unknown or expired address, `rate_limited`, and `site_not_granted`
 */
export async function openDownload(ticket: string, now: Date): Promise<OpenDownload> {
  const { principal: caller, siteId, wanted } = readDownload(ticket, now);
  if (caller.personId !== null && (await isDisabled(caller.personId))) throw gone();
  const principal = caller.kind === "owner" ? caller : await clientNow(caller);
  if (principal.kind === "client") await countCall(principal.clientId, "read", now);
  const [site] = await readSites(db(), principal, [siteId]);
  return { principal, site: site as SiteShape, wanted };
}

const isDisabled = async (id: number): Promise<boolean> =>
  (await db().person.count({ where: { id, disabledAt: null } })) === 0;

async function clientNow(caller: Principal & { kind: "client" }): Promise<Principal & { kind: "client" }> {
  const client = await db().client.findUnique({ where: { id: caller.clientId } });
  if (!client || client.revokedAt !== null || client.ownerId !== caller.personId) throw gone();
  const granted = new Set(client.grantedScopes);
  return { ...caller, scopes: knownScopes(caller.scopes).filter((scope) => granted.has(scope)) };
}
