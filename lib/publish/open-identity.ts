import type { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";
import { challenges } from "@/lib/identity/challenges";
import { delegations } from "@/lib/identity/delegations";
import { recoveries } from "@/lib/identity/recoveries";
import { registrations } from "@/lib/identity/registrations";
import { ERRORS, type ErrorCode } from "@/lib/platform/errors";

/** The identity endpoints: their own texts and schemas, with an example and their errors. */

interface IdentityEndpoint {
  id: string;
  title: string;
  about: string;
  input: z.ZodObject;
  output: z.ZodObject;
}

const KEY = "9b1f4c6d8e0a2b3c5d7f9e1a3b5c7d9f0e2a4b6c8d0f1e3a5b7c9d1f3e5a7b9c";
const BASE = "https://stats.example.com";
const OAUTH = {
  issuer: BASE,
  token_endpoint: `${BASE}/oauth/token`,
  revocation_endpoint: `${BASE}/oauth/revoke`,
  introspection_endpoint: `${BASE}/oauth/introspect`,
};
const CREDENTIALS = { client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…", resource: `${BASE}/api/v1/management` };
const MACHINE = { ...CREDENTIALS, scopes: ["sites:read"], site_ids: [1], owner_id: null, oauth: OAUTH };

const ALWAYS: ErrorCode[] = [
  ...([
    "malformed_json",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "invalid_input",
  ] as const),
  ...(["idempotency_key_required", "idempotency_conflict", "operation_in_progress", "rate_limited"] as const),
  ...(["internal", "unavailable", "malformed_request", "misdirected_request", "headers_too_large"] as const),
];
const PROVING: ErrorCode[] = ["recovery_key_wrong", "proof_not_verified"];

function identityEndpoint(
  { id, title, about, input, output }: IdentityEndpoint,
  example: Record<string, unknown>,
  data: Record<string, unknown>,
  more: ErrorCode[] = [],
): Endpoint {
  const codes = [...ALWAYS, ...more];
  return defineEndpoint({
    id: `identity.${id}`,
    method: "POST",
    path: `/api/v1/agents/identity/${id}`,
    title,
    about,
    tag: "Identity",
    identityKey: true,
    enveloped: true,
    input,
    example,
    answers: {
      201: { about: "Success. For 24 hours the same key and body return the same answer", output, example: data },
    },
    refusals: (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.includes(code)),
  });
}

export const IDENTITY_ENDPOINTS: readonly Endpoint[] = [
  identityEndpoint(
    challenges,
    { domain: "example.com", method: "dns", recovery_key: KEY, name: "Report writer" },
    {
      challenge_id: "chl_5Yq0cW8mT2",
      purpose: "register",
      domain: "example.com",
      method: "dns",
      value: "footfall-verify=…",
      dns_name: "_footfall-challenge.example.com",
      https_url: "https://example.com/.well-known/footfall-challenge/…",
      expires_at: "2026-11-20T10:00:00Z",
    },
  ),
  identityEndpoint(
    registrations,
    { challenge_id: "chl_5Yq0cW8mT2", scopes: ["sites:read"], recovery_key: KEY },
    MACHINE,
    [...PROVING, "domain_taken"],
  ),
  identityEndpoint(
    recoveries,
    { challenge_id: "chl_5Yq0cW8mT2", recovery_key: KEY, client_id: "ffc_w3Hk9sQ2" },
    { ...MACHINE, client_id: "ffc_p7Zd4mX1" },
    [...PROVING, "role_denied"],
  ),
  identityEndpoint(
    delegations,
    { name: "Report writer", scopes: ["sites:read", "analytics:read"] },
    {
      ...CREDENTIALS,
      requested_scopes: ["sites:read", "analytics:read"],
      scopes: [],
      site_ids: [],
      owner_id: null,
      oauth: { ...OAUTH, device_authorization_endpoint: `${BASE}/oauth/device/code` },
    },
  ),
];
