import { z } from "zod";
import { SCOPES, type Scope } from "@/lib/contract/access";
import { nameText } from "@/lib/contract/fields";

/** Fields that the identity endpoints share, with the error messages for agents. */

export const recoveryKey = z
  .string("must be 64 lowercase hexadecimal characters")
  .regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hexadecimal characters: 32 random bytes that you generate and keep")
  .meta({ description: "32 random bytes in lowercase hexadecimal that you generate and keep. Never returned." });

export const challengeId = z
  .string("must be the challenge_id of a challenge")
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "must be the challenge_id of a challenge, exactly as it was returned")
  .meta({ description: "Identifier of a challenge" });

export const sentClientId = z
  .string("must be the client_id of a client")
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "must be the client_id of a client, exactly as it was returned")
  .meta({ description: "Identifier of a client" });

export const agentName = nameText(100)
  .min(1, "must have 1 to 100 characters")
  .meta({ description: "Display name of the agent, shown to people as unverified" });

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];
const scope = z.enum(SCOPE_NAMES, `must be one of ${SCOPE_NAMES.join(", ")}`);

export const requestedScopes = z
  .array(scope, 'must be a list of scopes such as ["sites:read"]')
  .min(1, "must name at least one scope")
  .max(SCOPE_NAMES.length, "must name each scope once")
  .refine((names) => !Array.isArray(names) || new Set(names).size === names.length, "must name each scope once")
  .meta({ description: "The requested scopes", uniqueItems: true });

const url = (description: string) => z.string().meta({ description });

/** OAuth endpoint URLs, as in /.well-known/oauth-authorization-server. */
export const oauthShape = z.object({
  issuer: url("The authorization server"),
  token_endpoint: url("Token endpoint"),
  revocation_endpoint: url("Revocation endpoint"),
  introspection_endpoint: url("Introspection endpoint"),
});

/** Credentials of a new confidential client. */
export const credentialsShape = z.object({
  client_id: sentClientId,
  client_secret: z.string().meta({ description: "Store it on your server: it cannot be retrieved after 24 hours" }),
  scopes: z.array(scope).meta({ description: "The granted scopes" }),
  site_ids: z.array(z.int()).meta({ description: "The granted sites" }),
  owner_id: z.int().nullable().meta({ description: "The human that the client acts for, or null" }),
  resource: url("The exact resource of every token request"),
  oauth: oauthShape,
});
