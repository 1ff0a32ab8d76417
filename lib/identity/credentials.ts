import type { z } from "zod";
import type { Scope } from "@/lib/contract/access";
import type { credentialsShape, oauthShape } from "@/lib/identity/fields";
import { managementResource } from "@/lib/oauth/tokens";
import type { Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { freshSecret, hashOf } from "@/lib/platform/secrets";

/** A new client's id and secret. The secret is returned once; only its digest is stored. */
export interface FreshClient {
  id: string;
  secret: string;
}

/** Creates a confidential client with a random id (144 bits) and secret (256 bits). */
export async function makeClient(
  tx: Db,
  client: Omit<Prisma.ClientUncheckedCreateInput, "id" | "secretHash">,
): Promise<FreshClient> {
  const created = { id: `ffc_${freshSecret().slice(0, 24)}`, secret: `ffs_${freshSecret()}` };
  await tx.client.create({ data: { ...client, id: created.id, secretHash: hashOf(created.secret) } });
  return created;
}

/** URLs of the OAuth endpoints for a client. */
export const oauthEndpoints = (): z.input<typeof oauthShape> => ({
  issuer: env().BASE_URL,
  token_endpoint: `${env().BASE_URL}/oauth/token`,
  revocation_endpoint: `${env().BASE_URL}/oauth/revoke`,
  introspection_endpoint: `${env().BASE_URL}/oauth/introspect`,
});

/** Returns the response of registration and recovery. */
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
