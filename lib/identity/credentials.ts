import type { z } from "zod";
import type { Scope } from "@/lib/contract/vocabulary";
import type { credentialsShape, oauthShape } from "@/lib/identity/fields";
import { managementResource } from "@/lib/oauth/tokens";
import type { Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { digest, freshSecret } from "@/lib/platform/secrets";

/** A client's identifier and secret. The secret is answered once and kept only as its digest. */
export interface FreshClient {
  id: string;
  secret: string;
}

/** Makes a confidential client: 144 random bits name it, 256 are its secret. */
export async function makeClient(
  tx: Db,
  client: Omit<Prisma.ClientUncheckedCreateInput, "id" | "secretHash">,
): Promise<FreshClient> {
  const fresh = { id: `ffc_${freshSecret().slice(0, 24)}`, secret: `ffs_${freshSecret()}` };
  await tx.client.create({ data: { ...client, id: fresh.id, secretHash: new Uint8Array(digest(fresh.secret)) } });
  return fresh;
}

/** Where a client gets and gives up its tokens. */
export const oauthEndpoints = (): z.input<typeof oauthShape> => ({
  issuer: env().BASE_URL,
  token_endpoint: `${env().BASE_URL}/oauth/token`,
  revocation_endpoint: `${env().BASE_URL}/oauth/revoke`,
  introspection_endpoint: `${env().BASE_URL}/oauth/introspect`,
});

/** A machine client as registration and recovery answer it. */
export const credentialsOf = (
  client: FreshClient,
  granted: { scopes: Scope[]; siteIds: number[]; ownerId: number | null },
): z.input<typeof credentialsShape> => ({
  client_id: client.id,
  client_secret: client.secret,
  scopes: granted.scopes,
  site_ids: granted.siteIds,
  owner_id: granted.ownerId,
  resource: managementResource(),
  oauth: oauthEndpoints(),
});
