import { cookieHeader, cookieIn, ownCookie } from "@/lib/auth/cookies";
import type { CodeKind } from "@/lib/auth/person-ways";
import { log } from "@/lib/platform/log";
import { seal, unseal } from "@/lib/platform/secrets";

/** Sealed cookies of a browser that is on its way to the provider and back, or between the two steps of a sign-in. */

export const JOURNEY_S = 15 * 60;
const STEP_S = 10 * 60;

/** Why a browser was sent to the provider. The cookie is sealed, so what it says is what the server wrote. */
export interface Journey {
  /** Random. It takes one answer. */
  id: string;
  purpose: "sign-in" | "prove";
  /** The issuer that it was sent to: the answer of another one is refused. */
  issuer: string;
  /** The page to open afterwards, validated by `ownPath`. */
  next: string;
  /** When it was sent, in milliseconds. */
  at: number;
  /** Whether its person may create the first account. */
  isSetup?: boolean;
  /** For `prove`: the digest of the session to prove, in hexadecimal. */
  session?: string;
}

/** An identity at a provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** An identity that is to be linked to a person. */
export interface NewIdentity extends Identity {
  email: string;
}

/** A person whom the provider has named, and who still needs their second factor. */
export interface Step {
  personId: number;
  email: string;
  identity: Identity;
  kind: CodeKind;
  /** The identity to link to them then. */
  toLink?: NewIdentity;
  /** When the provider has named them, in milliseconds. */
  at: number;
}

const sealed = <Content extends { at: number }>(name: string, seconds: number) => ({
  /** Returns the `Set-Cookie` header of a content; of none, to delete the cookie. */
  header(content: Content | null): string {
    const value = content ? seal(Buffer.from(JSON.stringify(content)), `cookie:${name}`).toString("base64url") : "";
    return cookieHeader({ ...ownCookie(name), value }, content ? seconds : 0);
  },
  /** Returns the content of the cookie in a `Cookie` header; null without one, or with one that is old or forged. */
  read(cookies: string | null | undefined, now: Date): Content | null {
    const value = cookieIn(cookies, ownCookie(name).name);
    if (!value) return null;
    try {
      const content = JSON.parse(unseal(Buffer.from(value, "base64url"), `cookie:${name}`).toString()) as Content;
      return now.getTime() - content.at < seconds * 1000 ? content : null;
    } catch {
      log.debug({ cookie: name }, "a cookie could not be opened");
      return null;
    }
  },
});

export const journeyCookie = sealed<Journey>("journey", JOURNEY_S);
export const stepCookie = sealed<Step>("step", STEP_S);
