import { createHmac, timingSafeEqual } from "node:crypto";
import { cookieHeader, cookieIn, ownCookie } from "@/lib/auth/cookies";
import { derivedKey, derivedKeys, freshSecret } from "@/lib/platform/secrets";

/**
 * Device cookies (OWASP): prove that someone signed in to an account in this browser before. They grant no access; they
 * only give the browser its own limit of failed attempts, so that strangers cannot lock its person out.
 */

const YEAR_S = 365 * 86_400;

/** `email` is normalised. It is signed but not part of the cookie. */
const macOf = (key: Buffer, id: string, email: string): Buffer =>
  createHmac("sha256", key).update(`${id}\n${email}`).digest();

/** Returns the cookie for a browser in which the person has just signed in or opened an emailed link. */
export function knownBrowserCookie(email: string) {
  const { name, options } = ownCookie("browser");
  const id = freshSecret();
  const value = `${id}.${macOf(derivedKey("known-browser"), id, email).toString("base64url")}`;
  return { name, value, options: { ...options, maxAge: YEAR_S } };
}

/** The same as a `Set-Cookie` header. */
export const knownBrowserHeader = (email: string): string => cookieHeader(knownBrowserCookie(email), YEAR_S);

/**
 * Reads the device cookie.
 *
 * @param cookies the `Cookie` header.
 * @param email the normalised address of the account.
 * @returns the browser's id if someone signed in to this account in it before; otherwise null.
 */
export function knownBrowserOf(cookies: string | undefined, email: string): string | null {
  const [id = "", mac = ""] = (cookieIn(cookies, ownCookie("browser").name) ?? "").split(".");
  const given = Buffer.from(mac, "base64url");
  const isValid =
    given.length === 32 && derivedKeys("known-browser").some((key) => timingSafeEqual(macOf(key, id, email), given));
  return isValid ? id : null;
}
