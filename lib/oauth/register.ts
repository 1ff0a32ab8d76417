import { z } from "zod";
import { legibleName } from "@/lib/oauth/client-metadata";
import { type OAuthRequest, refuseOAuth, requirePost, routeOf } from "@/lib/oauth/entry-point";
import { refusedAs } from "@/lib/oauth/form";
import { isRedirectUri } from "@/lib/oauth/redirect-uris";
import { countedAddress } from "@/lib/platform/counted-address";
import { db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";
import { ASSISTANT_REGISTRATIONS } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { freshSecret, hexDigest } from "@/lib/platform/secrets";

const BODY_LIMIT_BYTES = 16 * 1024;
const MAX_REDIRECTS = 20;
const DEFAULT_NAME = "Unnamed agent";

/** Unknown fields, such as `application_type` and `logo_uri`, are accepted and not stored. */
const metadataShape = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/**
 * `POST /oauth/register`: dynamic registration of an assistant (RFC 7591). Anyone may call it, so it is limited by address and in
 * total, and gives no access: a person must consent. Each assistant is a public client, whatever authentication it asks for.
 *
 * @returns 201 with the client information (section 3.2.1), or an OAuth error.
 */
export async function answerRegistration(request: OAuthRequest, now: Date): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    requirePost(request);
    await countRegistration(request.header(CALLER_HEADERS.address) || "unknown", now);
    const { name, redirectUris } = await readAssistant(request);
    const id = `ffp_${freshSecret().slice(0, 24)}`;
    await db().assistant.create({ data: { id, name, redirectUris, createdAt: now, readAt: now } });
    const registered = {
      client_id: id,
      client_id_issued_at: Math.floor(now.getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    return answer(201, registered, requestId, { pragma: "no-cache" });
  } catch (error) {
    return refuseOAuth(error, requestId, request);
  }
}

/** The Next route handler. */
export const registrationRoute = routeOf(answerRegistration);

async function countRegistration(from: string, now: Date): Promise<void> {
  const { address, everyone } = ASSISTANT_REGISTRATIONS;
  const counts = [
    { key: `oauth:register:${hexDigest(countedAddress(from))}`, ...address },
    { key: "oauth:register", ...everyone },
  ];
  for (const { key, limit, seconds } of counts) {
    const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
    if (allowed) continue;
    const description = "Too many registrations. Use an earlier one, or try again after Retry-After.";
    throw new OAuthRefusal("temporarily_unavailable", description, { status: 429, retryAfter });
  }
}

async function readAssistant(request: Incoming): Promise<{ name: string; redirectUris: string[] }> {
  const parsed = metadataShape.safeParse(await readMetadata(request));
  if (!parsed.success) {
    throw new OAuthRefusal("invalid_client_metadata", "Send JSON with client_name and 1 to 20 redirect_uris.");
  }
  const { client_name, redirect_uris, grant_types, response_types } = parsed.data;
  if (grant_types?.includes("authorization_code") === false || response_types?.includes("code") === false) {
    throw new OAuthRefusal(
      "invalid_client_metadata",
      "Only the authorization_code grant with the code response exists.",
    );
  }
  if (!redirect_uris.every(isRedirectUri)) {
    throw new OAuthRefusal(
      "invalid_redirect_uri",
      "Each redirect URI must be https, http on localhost, 127.0.0.1 or [::1], or the scheme of an app, without fragment, user and wildcard, in its normal spelling.",
    );
  }
  return { name: legibleName(client_name) || DEFAULT_NAME, redirectUris: [...new Set(redirect_uris)] };
}

const readMetadata = (request: Incoming): Promise<unknown> =>
  refusedAs("invalid_client_metadata", async () =>
    parseJson(await readBody(request, BODY_LIMIT_BYTES, ["application/json"])),
  );
