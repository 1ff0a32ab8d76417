import { z } from "zod";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { plainText } from "@/lib/platform/text";

/** The fields that the identity endpoints share. Each carries the message that an agent reads when it is wrong. */

export const recoveryKey = z
  .string("must be 64 lowercase hexadecimal characters")
  .regex(
    /^[0-9a-f]{64}$/,
    "must be 64 lowercase hexadecimal characters: 32 random bytes that you make and keep yourself",
  )
  .meta({ description: "32 random bytes in lowercase hexadecimal. You make it and keep it; it is never answered." });

export const challengeId = z
  .string("must be the challenge_id of a challenge")
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "must be the challenge_id of a challenge, exactly as it was answered")
  .meta({ description: "Identifier of a challenge" });

export const clientId = z
  .string("must be the client_id of a client")
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "must be the client_id of a client, exactly as it was answered")
  .meta({ description: "Identifier of a client" });

export const agentName = z
  .string("must be text")
  .trim()
  .min(1, "must have 1 to 100 characters")
  .max(100, "must have 1 to 100 characters")
  .refine((name) => plainText(name) === name, "holds no control characters and none that turn the direction of text")
  .meta({ description: "What people see of the agent, as an unverified name" });

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];
const scope = z.enum(SCOPE_NAMES, `must be one of ${SCOPE_NAMES.join(", ")}`);

export const requestedScopes = z
  .array(scope, 'must be a list of scopes such as ["sites:read"]')
  .min(1, "must name at least one scope")
  .max(SCOPE_NAMES.length, "must name each scope once")
  .refine((names) => !Array.isArray(names) || new Set(names).size === names.length, "must name each scope once")
  .meta({ description: "The scopes that the client asks for", uniqueItems: true });

const url = (description: string) => z.string().meta({ description });

/** Where a client goes on from here; the same addresses as in /.well-known/oauth-authorization-server. */
export const oauthShape = z.object({
  issuer: url("The authorization server"),
  token_endpoint: url("Where access tokens come from"),
  revocation_endpoint: url("Where tokens are given up"),
  introspection_endpoint: url("Where tokens are looked up"),
});

/** A confidential client that may act at once. */
export const credentialsShape = z.object({
  client_id: clientId,
  client_secret: z.string().meta({ description: "Keep it on your server: it is not answered again after 24 hours" }),
  scopes: z.array(scope).meta({ description: "The scopes that are granted" }),
  site_ids: z.array(z.int()).meta({ description: "The sites that are granted" }),
  owner_id: z.int().nullable().meta({ description: "The human behind the client; null while there is none" }),
  resource: url("The resource of every token request, byte for byte"),
  oauth: oauthShape,
});
