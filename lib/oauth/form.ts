import { OAuthRefusal, Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { readBody } from "@/lib/platform/http/respond";

const BODY_LIMIT_BYTES = 16 * 1024;

const PARAMETERS = [
  ...(["grant_type", "client_id", "client_secret", "scope"] as const),
  ...(["device_code", "refresh_token", "token", "token_type_hint"] as const),
  ...(["code", "code_verifier", "redirect_uri"] as const),
  ...(["client_assertion", "client_assertion_type"] as const),
  // Of authorization requests.
  ...(["response_type", "response_mode", "state", "code_challenge", "code_challenge_method"] as const),
] as const;
export type Parameter = (typeof PARAMETERS)[number];

/** Parameters that must not be in the URL, where browsers and logs store them (RFC 6749 section 2.3.1). */
const SECRETS = [
  ...["client_secret", "client_assertion", "code", "code_verifier", "device_code"],
  ...["refresh_token", "access_token", "token"],
];

/** The form parameters. A parameter without a value is treated as omitted (RFC 6749 section 3.2). */
export interface Form {
  get(name: Parameter): string | null;
  /** @throws OAuthRefusal `invalid_request` when it is missing. */
  need(name: Parameter): string;
  /** All values of `resource`, the only parameter that may be repeated (RFC 8707). */
  resources: readonly string[];
}

/**
 * Reads a form of at most 16 KiB. Unknown parameters are ignored.
 *
 * @throws OAuthRefusal `invalid_request` for another content type, a secret in the URL, a repeated parameter, or
 *   U+0000.
 */
export async function readForm(request: Incoming & { query: URLSearchParams }): Promise<Form> {
  if (SECRETS.some((name) => request.query.has(name))) {
    throw new OAuthRefusal("invalid_request", "Send secrets in the request body, not in the URL.");
  }
  return formOf(parse(await readBytes(request)));
}

/**
 * Returns the parameters of a form or of an authorization request.
 *
 * @throws OAuthRefusal `invalid_request` for a repeated parameter.
 */
export function formOf(form: URLSearchParams): Form {
  for (const name of PARAMETERS) {
    if (form.getAll(name).length > 1) throw new OAuthRefusal("invalid_request", `Send ${name} only once.`);
  }
  const get = (name: Parameter) => form.get(name) || null;
  return {
    get,
    need(name) {
      const value = get(name);
      if (value === null) throw new OAuthRefusal("invalid_request", `Send ${name}.`);
      return value;
    },
    resources: form.getAll("resource").filter((value) => value !== ""),
  };
}

const readBytes = (request: Incoming): Promise<Uint8Array> =>
  refusedAs("invalid_request", () => readBody(request, BODY_LIMIT_BYTES, ["application/x-www-form-urlencoded"]));

/** Reads a body, and turns its refusal into an error of OAuth. */
export async function refusedAs<Body>(code: OAuthRefusal["error"], read: () => Promise<Body>): Promise<Body> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const status = error.code === "payload_too_large" ? error.status : 400;
    throw new OAuthRefusal(code, error.message, { status });
  }
}

function parse(bytes: Uint8Array): URLSearchParams {
  const text = new TextDecoder().decode(bytes);
  if (/%00|\0/.test(text)) throw new OAuthRefusal("invalid_request", "The body contains U+0000. Remove it.");
  return new URLSearchParams(text);
}
