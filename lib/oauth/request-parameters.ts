import { SCOPES, type Scope } from "@/lib/contract/access";
import type { Form } from "@/lib/oauth/form";
import { resources } from "@/lib/oauth/tokens";
import { OAuthRefusal } from "@/lib/platform/errors";

const MAX_SCOPE_LENGTH = 512;

/** Returns the stored scopes that still exist. */
export const knownScopes = (stored: readonly string[]): Scope[] =>
  stored.filter((scope): scope is Scope => Object.hasOwn(SCOPES, scope));

/**
 * Returns the requested scopes, or `unasked` when `scope` is omitted: all allowed ones by default. Never narrows the
 * request silently.
 *
 * @throws OAuthRefusal `invalid_scope` when a scope is unknown, malformed or not in `allowed` (RFC 6749 section 3.3).
 */
export function resolveScopes(form: Form, allowed: readonly Scope[], unasked = allowed): Scope[] {
  const text = form.get("scope");
  const requested = text === null ? [...unasked] : [...new Set(text.slice(0, MAX_SCOPE_LENGTH + 1).split(" "))];
  const isAllowed = requested.length > 0 && requested.every((scope) => (allowed as readonly string[]).includes(scope));
  if (isAllowed && (text?.length ?? 0) <= MAX_SCOPE_LENGTH) return knownScopes(requested);
  throw new OAuthRefusal(
    "invalid_scope",
    allowed.length === 0
      ? "This client has no scopes."
      : `Request only these scopes, separated by single spaces: ${allowed.join(" ")}.`,
  );
}

/** Assistants name `offline_access` to get refresh tokens, which each of them gets: it is no scope of ours. */
export function withoutOfflineAccess(form: Form): Form {
  const scope =
    form
      .get("scope")
      ?.replace(/(^| )offline_access(?= |$)/, "")
      .trim() || null;
  return { ...form, get: (name) => (name === "scope" ? scope : form.get(name)) };
}

/**
 * Returns the requested resource, which becomes the audience of the tokens.
 *
 * @param allowed what may be requested: with a code or refresh token, only what it was issued for.
 * @throws OAuthRefusal `invalid_target` unless `resource` is sent exactly once and is one of these, byte by byte (RFC 8707
 *   section 2).
 */
export function requireResource(form: Form, allowed: readonly string[] = resources()): string {
  const [resource, ...more] = form.resources;
  if (resource !== undefined && more.length === 0 && allowed.includes(resource)) return resource;
  throw new OAuthRefusal("invalid_target", `Send the resource parameter once, exactly as ${allowed.join(" or ")}`);
}
