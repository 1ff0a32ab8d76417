import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import type { Form } from "@/lib/oauth/form";
import { managementResource } from "@/lib/oauth/tokens";
import { OAuthRefusal } from "@/lib/platform/errors";

const LONGEST_SCOPE = 512;

/** Of stored scopes those that the vocabulary has. */
export const knownScopes = (stored: readonly string[]): Scope[] =>
  stored.filter((scope): scope is Scope => Object.hasOwn(SCOPES, scope));

/**
 * The scopes that a call asks for, all of them or none: nothing is narrowed in silence. Without a `scope` it asks for
 * everything that it may have.
 *
 * @throws OAuthRefusal `invalid_scope` for one that is unknown, malformed, or not among `allowed` (RFC 6749 section 3.3).
 */
export function resolveScopes(form: Form, allowed: readonly Scope[]): Scope[] {
  const text = form.get("scope");
  const asked = text === null ? [...allowed] : [...new Set(text.slice(0, LONGEST_SCOPE + 1).split(" "))];
  const may = asked.length > 0 && asked.every((scope) => (allowed as readonly string[]).includes(scope));
  if (may && (text?.length ?? 0) <= LONGEST_SCOPE) return knownScopes(asked);
  throw new OAuthRefusal(
    "invalid_scope",
    allowed.length === 0
      ? "This client has no scopes."
      : `Ask for scopes among these, with one space between them: ${allowed.join(" ")}.`,
  );
}

/** @throws OAuthRefusal `invalid_target` unless `resource` stands there once and byte for byte (RFC 8707 section 2). */
export function requireResource(form: Form): void {
  if (form.resources.length === 1 && form.resources[0] === managementResource()) return;
  throw new OAuthRefusal("invalid_target", `Send resource once, exactly ${managementResource()}`);
}
