import { FIRST_SCOPES, SCOPES, type Scope } from "@/lib/contract/access";
import { findAssistant } from "@/lib/oauth/assistants";
import type { Assistant } from "@/lib/oauth/client-metadata";
import { type Form, formOf } from "@/lib/oauth/form";
import { isLoopback, matchesRedirect } from "@/lib/oauth/redirect-uris";
import { requireResource, resolveScopes, withoutOfflineAccess } from "@/lib/oauth/request-parameters";
import { mcpResource } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";
import { OAuthRefusal, Refusal } from "@/lib/platform/errors";
import type { Internet } from "@/lib/platform/outbound/outbound";

const MAX_STATE_LENGTH = 4096;
/** The longest query of a request, encoded. The page sends it back with the decision. */
export const MAX_REQUEST_LENGTH = 7000;

/** A valid authorization request (RFC 6749 section 4.1.1). */
export interface AuthorizationRequest {
  assistant: Assistant;
  /** One of the assistant's, as it was sent. */
  redirectUri: string;
  state: string | null;
  scopes: Scope[];
  /** The audience of the tokens. */
  resource: string;
  codeChallenge: string;
}

/** A request of a known assistant that is refused: the assistant is told at its redirect URI. */
export interface RefusedRequest {
  assistant: Assistant;
  redirectUri: string;
  refusal: OAuthRefusal;
  redirectTo: string;
  /**
   * Whether the browser may go there by itself. Anyone can register a redirect URI, and a link to our page must not lead to any
   * website (RFC 9700 section 4.11.2): only apps on the person's own machine are answered at once.
   */
  isAutomatic: boolean;
}

/**
 * Reads the parameters of an authorization request.
 *
 * @param internet replaces the Internet in tests.
 * @throws Refusal when the assistant or its redirect URI is unknown: then nothing may be sent to that URI (RFC 6749 section
 *   4.1.2.1).
 */
export async function readAuthorizationRequest(
  query: URLSearchParams,
  personId: number,
  now: Date,
  internet?: Internet,
): Promise<AuthorizationRequest | RefusedRequest> {
  if (`${query}`.length > MAX_REQUEST_LENGTH) {
    throw new Refusal(
      "invalid_input",
      `The request of the agent is too long: at most ${MAX_REQUEST_LENGTH} characters.`,
    );
  }
  const clientId = once(query, "client_id");
  const redirectUri = once(query, "redirect_uri");
  const assistant = await findAssistant(clientId, personId, now, internet);
  if (!matchesRedirect(assistant.redirectUris, redirectUri)) {
    throw new Refusal("invalid_input", "The agent asks for an answer at an address that is not one of its own.");
  }
  const [state = null] = query.getAll("state");
  try {
    return { assistant, redirectUri, ...parametersOf(formOf(query)) };
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    const parameters = { error: error.error, error_description: error.description };
    const redirectTo = answerAt(redirectUri, state, parameters);
    return { assistant, redirectUri, refusal: error, redirectTo, isAutomatic: isLoopback(redirectUri) };
  }
}

/** @throws Refusal unless the parameter is sent once. */
function once(query: URLSearchParams, name: string): string {
  const [value, ...more] = query.getAll(name);
  if (value && more.length === 0 && !value.includes("\0")) return value;
  throw new Refusal("invalid_input", `The request of the agent is not complete: it needs ${name} once.`);
}

/** @throws OAuthRefusal */
function parametersOf(form: Form): Pick<AuthorizationRequest, "state" | "scopes" | "resource" | "codeChallenge"> {
  if (form.need("response_type") !== "code") {
    throw new OAuthRefusal("unsupported_response_type", "response_type must be code.");
  }
  if ((form.get("response_mode") ?? "query") !== "query") {
    throw new OAuthRefusal("invalid_request", "response_mode must be query.");
  }
  // Without a method the challenge would be the verifier itself (RFC 7636 section 4.3).
  if (form.get("code_challenge_method") !== "S256") {
    throw new OAuthRefusal("invalid_request", "code_challenge_method must be S256.");
  }
  const codeChallenge = form.need("code_challenge");
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw new OAuthRefusal("invalid_request", "code_challenge must be the SHA-256 of the verifier in base64url.");
  }
  const state = form.get("state");
  if ((state?.length ?? 0) > MAX_STATE_LENGTH) {
    throw new OAuthRefusal("invalid_request", `state must have at most ${MAX_STATE_LENGTH} characters.`);
  }
  const resource = form.resources.length === 0 ? mcpResource() : requireResource(form);
  return { state, scopes: scopesOf(form), resource, codeChallenge };
}

/** What an assistant gets that names no scope is for reading: it asks for more when it needs more. */
function scopesOf(form: Form): Scope[] {
  const asked = withoutOfflineAccess(form);
  return asked.get("scope") ? resolveScopes(asked, Object.keys(SCOPES) as Scope[]) : [...FIRST_SCOPES];
}

/** Returns the address of an answer to the assistant, with `state` as it was sent and `iss` (RFC 9207). */
export function answerAt(redirectUri: string, state: string | null, parameters: Record<string, string>): string {
  const all = new URLSearchParams({ ...parameters, ...(state === null ? {} : { state }), iss: env().BASE_URL });
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${all}`;
}
