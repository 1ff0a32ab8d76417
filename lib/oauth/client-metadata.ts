import { z } from "zod";
import { isRedirectUri } from "@/lib/oauth/redirect-uris";
import { boundedMap } from "@/lib/platform/bounded-map";
import { Refusal } from "@/lib/platform/errors";
import { parseJson } from "@/lib/platform/json";
import { type Internet, type Page, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { clip, parseUrl, plainText } from "@/lib/platform/text";

/** Client id metadata documents: an assistant's `client_id` is the https URL of a document that describes it. */

/** Software that asks people for access by the authorization code grant. Nothing of it is verified. */
export interface Assistant {
  /** The `client_id`: the URL of a metadata document, or the id of a registration. */
  id: string;
  name: string;
  redirectUris: readonly string[];
  /** Where its public keys are, if it signs its requests for tokens (`private_key_jwt`); null without. */
  jwksUri: string | null;
  /** Whether it has no other way than to sign them. */
  mustSign: boolean;
  /** When this was read from its document, or registered. */
  readAt: Date;
}

/** The document cannot be read now, whatever is in it. */
export class Unread extends Refusal {}

const MAX_URL_LENGTH = 500;
const LIMITS = { limitBytes: 16 * 1024, deadlineMs: 5_000 };
const MAX_NAME_BYTES = 100;
const MAX_REDIRECTS = 50;
/** A document is read again after the time that its own headers say, within these bounds. */
const LEAST_SECONDS = 60;
const MOST_SECONDS = 24 * 3600;
const DEFAULT_SECONDS = 300;

interface Cached {
  assistant: Assistant;
  until: number;
}
const documents = boundedMap<string, Cached>("client-metadata", { max: 500, ttl: MOST_SECONDS * 1000 });

const METHODS = ["none", "private_key_jwt"] as const;

const documentShape = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  // Assistants have no secret here.
  token_endpoint_auth_method: z.enum(METHODS).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  jwks_uri: z.string().max(MAX_URL_LENGTH).optional(),
  client_secret: z.undefined().optional(),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes("authorization_code"))
    .optional(),
  response_types: z
    .array(z.string())
    .refine((types) => types.includes("code"))
    .optional(),
});

/** Whether a `client_id` is the URL of a metadata document, rather than the id of a registration. */
export const isMetadataUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

/** Whether the URL is https with a path, and written as a browser writes it, without user, fragment or other port. */
export function isAllowedMetadataUrl(clientId: string): boolean {
  if (clientId.length > MAX_URL_LENGTH || !/^[\x21-\x7e]+$/.test(clientId) || /[#@\\]/.test(clientId)) return false;
  const url = parseUrl(clientId);
  return url !== null && url.href === clientId && url.protocol === "https:" && url.pathname !== "/" && url.port === "";
}

const sentence = (why: string) => `The description of this agent cannot be used: ${why}. Tell its maker.`;
const unusable = (why: string) => new Refusal("invalid_input", sentence(why));

/**
 * Returns the assistant that a metadata document describes. The document is read from the public internet only, without
 * redirects, and kept as long as its headers say, from a minute to a day.
 *
 * @param admit is called before the document is read, and may refuse.
 * @param internet replaces the Internet in tests.
 * @throws Refusal `invalid_input` for a document that is not about this `client_id`; Unread for one that cannot be read.
 */
export async function readMetadata(
  clientId: string,
  now: Date,
  admit: () => Promise<void>,
  internet?: Internet,
): Promise<Assistant> {
  if (!isAllowedMetadataUrl(clientId)) throw unusable("its address is not an https URL with a path");
  const cached = documents.get(clientId);
  if (cached && now.getTime() < cached.until) return cached.assistant;
  await admit();
  const page = await read(clientId, internet);
  const assistant = { ...assistantOf(clientId, page), readAt: now };
  documents.set(clientId, { assistant, until: now.getTime() + secondsToKeep(page) * 1000 });
  return assistant;
}

async function read(clientId: string, internet?: Internet): Promise<Page> {
  try {
    return await readPage(clientId, LIMITS, internet);
  } catch (error) {
    if (error instanceof Unreachable) throw new Unread("invalid_input", sentence("its address does not answer"));
    throw error;
  }
}

function assistantOf(clientId: string, { status, headers, body, complete }: Page): Omit<Assistant, "readAt"> {
  const type = `${headers["content-type"] ?? ""}`.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (status === 404 || status === 410) throw unusable("it does not exist any more");
  if (status !== 200) throw new Unread("invalid_input", sentence("its address does not answer with a document"));
  if (!/^application\/(json|[\w.-]+\+json)$/.test(type)) throw unusable("it is not JSON");
  if (!complete) throw unusable("it is too long");
  const parsed = documentShape.safeParse(jsonOf(body));
  if (!parsed.success) throw unusable("it does not describe a client that asks people for consent");
  const { client_id, client_name, redirect_uris: redirectUris } = parsed.data;
  const { jwks_uri: jwksUri = null, token_endpoint_auth_method: method = "none" } = parsed.data;
  if (client_id !== clientId) throw unusable("it is about another address");
  const name = legibleName(client_name) || new URL(clientId).host;
  const methods = [method, ...(parsed.data.token_endpoint_auth_methods_supported ?? [])];
  const signs = methods.includes("private_key_jwt");
  if (signs && (jwksUri === null || !isAllowedMetadataUrl(jwksUri))) throw unusable("its jwks_uri is not an https URL");
  return {
    id: clientId,
    name,
    redirectUris: redirectUris.filter(isRedirectUri),
    jwksUri: signs ? jwksUri : null,
    mustSign: signs && !methods.includes("none"),
  };
}

/** Returns the name of an assistant as people may see it; empty without one. */
export const legibleName = (name = ""): string => clip(plainText(name).trim(), MAX_NAME_BYTES);

function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof Refusal) throw unusable("it is not JSON");
    throw error;
  }
}

/** Returns for how long a document may be kept (RFC 9111 section 4.2.1). */
function secondsToKeep({ headers }: Page): number {
  const control = headers["cache-control"] ?? "";
  if (/\bno-(store|cache)\b/i.test(control)) return LEAST_SECONDS;
  const seconds = Number(/\bmax-age="?(\d{1,9})/i.exec(control)?.[1] ?? DEFAULT_SECONDS);
  return Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS);
}
