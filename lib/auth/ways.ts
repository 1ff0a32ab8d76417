import { isIP } from "node:net";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";

/** The ways to sign in that this service offers. */
export interface Ways {
  password: boolean;
  /** The name of the provider for buttons; null without one. */
  provider: string | null;
  /** Whether browsers offer passkeys at `BASE_URL`. */
  passkeys: boolean;
}

/** Returns the ways to sign in that this service offers. */
export const waysToSignIn = (): Ways => ({
  password: passwordIsOn(),
  provider: providerSettings()?.name ?? null,
  passkeys: passkeysWork(),
});

/** Whether people can use passwords: to sign in, to sign up and to reauthenticate. */
export const passwordIsOn = (): boolean => env().PASSWORD_SIGN_IN === "on";

/** @throws Refusal `role_denied` when passwords are turned off. */
export function requirePasswordSignIn(): void {
  if (passwordIsOn()) return;
  const { name } = providerSettings() ?? { name: "the provider" };
  throw new Refusal("role_denied", `This service does not use passwords. On the sign-in page, continue with ${name}.`);
}

/** An OpenID Connect provider, as configured. */
export interface ProviderSettings {
  /** Compared byte by byte. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** The domains whose addresses may sign in, in ASCII; empty for all. */
  domains: readonly string[];
}

/** Returns the provider that people can sign in with; null without one. */
export function providerSettings(): ProviderSettings | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_ALLOWED_DOMAINS } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME ?? new URL(OIDC_ISSUER).host,
    domains: OIDC_ALLOWED_DOMAINS,
  };
}

/** The host that passkeys are made for (the relying party id of WebAuthn): the one of `BASE_URL`. */
export const passkeyHost = (): string => new URL(env().BASE_URL).hostname;

/** Whether a passkey works on this service now. @param rpId the host it was made for; null when that is not known yet */
export const passkeyWorks = (rpId: string | null): boolean =>
  passkeysWork() && (rpId ?? passkeyHost()) === passkeyHost();

/** Browsers offer passkeys on https and on localhost, and for names only, not for IP addresses. */
function passkeysWork(): boolean {
  const { protocol, hostname } = new URL(env().BASE_URL);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost";
}
