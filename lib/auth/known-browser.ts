import { createHmac, timingSafeEqual } from "node:crypto";
import { ownCookie } from "@/lib/auth/cookies";
import { derivedKey, derivedKeys, freshSecret } from "@/lib/platform/secrets";

/**
 * A cookie by which a browser shows that someone signed in to an account on it before (OWASP "device cookies"). It opens
 * nothing: it only counts wrong passwords of this browser apart, so that strangers cannot lock its person out.
 */

const YEAR_S = 365 * 86_400;

/** `email` is normalised. It is not in the cookie, only in what is signed. */
const macOf = (key: Buffer, id: string, email: string): Buffer =>
  createHmac("sha256", key).update(`${id}\n${email}`).digest();

/** The cookie for a browser on which the person of an address has just signed in, or read their mailbox. */
export function knownBrowserCookie(email: string) {
  const { name, options } = ownCookie("browser");
  const id = freshSecret();
  const value = `${id}.${macOf(derivedKey("known-browser"), id, email).toString("base64url")}`;
  return { name, value, options: { ...options, maxAge: YEAR_S } };
}

/** The same as a `Set-Cookie` header. */
export function knownBrowserHeader(email: string): string {
  const { name, value, options } = knownBrowserCookie(email);
  const secure = options.secure ? "; Secure" : "";
  return `${name}=${value}; Path=${options.path}; Max-Age=${options.maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Reads the cookie of a browser.
 *
 * @param cookies the `Cookie` header.
 * @param email the normalised address that is being signed in to.
 * @returns the id of the browser when someone signed in to this very account on it, otherwise null.
 */
export function knownBrowserOf(cookies: string | undefined, email: string): string | null {
  const { name } = ownCookie("browser");
  const pair = (cookies ?? "").split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  const [id = "", mac = ""] = (pair ?? "").slice(name.length + 1).split(".");
  const given = Buffer.from(mac, "base64url");
  const known =
    given.length === 32 && derivedKeys("known-browser").some((key) => timingSafeEqual(macOf(key, id, email), given));
  return known ? id : null;
}
