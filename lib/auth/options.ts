import type { NextAuthOptions, User } from "next-auth";
import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { cookieIn, cookiesAreSecure, ownCookie } from "@/lib/auth/cookies";
import type { Claims } from "@/lib/auth/oidc";
import { signInByPasskeyAnswer, signInByProviderStep } from "@/lib/auth/other-sign-in";
import { ownerOfSession, revokeSession, sidHashOf } from "@/lib/auth/session-row";
import {
  AccountDisabled,
  type Caller,
  SESSION_DAYS,
  SecondFactorNeeded,
  type SignedIn,
  signIn,
  TooManyTries,
} from "@/lib/auth/sign-in";
import { passwordIsOn } from "@/lib/auth/ways";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { describeError, log } from "@/lib/platform/log";
import { derivedKeys } from "@/lib/platform/secrets";

/** What a request needs of the configuration. */
export interface AuthEvents {
  onFault?: (fault: unknown) => void;
  onSignIn?: (email: string) => void;
  /** The OpenID Connect provider of a request that needs it. */
  oidc?: {
    provider: OAuthConfig<Claims>;
    /** Decides about a verified ID token. @returns the new session, or the page to open without one */
    enter(claims: Claims): Promise<SignedIn | string>;
  };
}

/** How long a browser may take at the provider. */
const CHECK_S = 15 * 60;

/**
 * Returns the next-auth configuration: password, passkey, provider. The JWT contains just the id of an `owner_session`
 * row, which decides whether the session is valid.
 *
 * @param events.onFault called with server errors, which next-auth itself would report as a wrong password.
 * @param events.onSignIn called with the normalised email address after a sign-in.
 * @param events.oidc the provider, for a request that needs it.
 */
export function authOptions({ onFault = () => {}, onSignIn = () => {}, oidc }: AuthEvents = {}): NextAuthOptions {
  const fail = (fault: unknown): never => {
    onFault(fault);
    throw new Error("fault");
  };
  const userOf = ({ personId, email, sid }: SignedIn): User => {
    onSignIn(email);
    return { id: String(personId), sid } as User;
  };
  /** A way to sign in by what a form sends. */
  const credentials = (
    id: string,
    fields: readonly string[],
    enter: (given: Record<string, string | undefined>, by: Caller, now: Date) => Promise<SignedIn | null>,
  ) =>
    Credentials({
      id,
      credentials: Object.fromEntries(fields.map((name) => [name, { type: "text" }])),
      async authorize(given, { headers = {} }) {
        const texts = Object.entries(given ?? {}).filter(([, value]) => typeof value === "string");
        const by = {
          address: headers[CALLER_HEADERS.address] || "unknown",
          cookies: headers.cookie,
          userAgent: headers["user-agent"],
        };
        const signedIn = await enter(Object.fromEntries(texts), by, new Date()).catch((error) => {
          if ([TooManyTries, SecondFactorNeeded, AccountDisabled].some((one) => error instanceof one)) throw error;
          return fail(error);
        });
        return signedIn && userOf(signedIn);
      },
    });
  return {
    secret: secrets()[0],
    jwt: { decode: openToken },
    session: { strategy: "jwt", maxAge: SESSION_DAYS * 86_400 },
    pages: { signIn: "/login", signOut: "/", error: "/login" },
    useSecureCookies: cookiesAreSecure(),
    cookies: {
      sessionToken: ownCookie("session"),
      csrfToken: ownCookie("csrf"),
      callbackUrl: ownCookie("callback"),
      state: checkCookie("state"),
      nonce: checkCookie("nonce"),
      pkceCodeVerifier: checkCookie("pkce"),
    },
    providers: [
      ...(passwordIsOn() ? [credentials("credentials", ["email", "password", "code"], passwordSignIn)] : []),
      credentials("passkey", ["answer"], signInByPasskeyAnswer),
      credentials("step", ["code"], signInByProviderStep),
      ...(oidc ? [oidc.provider] : []),
    ],
    callbacks: {
      async signIn({ account, profile, user }) {
        if (account?.type !== "oauth") return true;
        const entered = await oidc?.enter(profile as Claims).catch(fail);
        if (typeof entered !== "object") return entered ?? false;
        Object.assign(user, userOf(entered));
        return true;
      },
      jwt: ({ token, user }) => (user ? { sub: user.id, sid: (user as unknown as { sid: string }).sid } : token),
      async session({ session, token }) {
        const owner = typeof token.sid === "string" ? await ownerOfSession(token.sid, new Date()).catch(fail) : null;
        return { expires: session.expires, user: owner ? { email: owner.email, name: owner.name } : undefined };
      },
      redirect: ({ url, baseUrl }) => sameOriginUrl(url, baseUrl),
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === "string") await revokeSession(sidHashOf(token.sid)).catch(fail);
      },
    },
    logger: {
      error: (code, detail) => {
        // An unreadable cookie is outdated or forged and means signed out. Server errors go to `onFault`.
        if (code !== "JWT_SESSION_ERROR") log.error({ auth: code, ...describeError(detail) });
      },
      warn: (code) => log.debug({ auth: code }),
      debug: () => {},
    },
  };
}

const passwordSignIn = async (given: Record<string, string | undefined>, by: Caller, now: Date) => {
  const { email, password, code } = given;
  return email === undefined || password === undefined ? null : signIn({ email, password, code, ...by }, now);
};

const secrets = (): string[] => derivedKeys("next-auth").map((key) => key.toString("hex"));

/** Returns the id of the session in the cookies of a request; null without one, or when its cookie is outdated. */
export async function sidIn(cookies: string | null): Promise<string | null> {
  const token = cookieIn(cookies, ownCookie("session").name);
  const opened = token === null ? null : await openToken({ token, secret: "" });
  return typeof opened?.sid === "string" ? opened.sid : null;
}

/** Decodes a JWT with any current key, so that key rotation signs nobody out. New ones use the first key. */
async function openToken(given: JWTDecodeParams): Promise<JWT | null> {
  for (const secret of secrets()) {
    const token = await decode({ ...given, secret }).catch(() => null);
    if (token) return token;
  }
  return null;
}

/** A cookie of next-auth's checks of the provider's answer. */
const checkCookie = (name: string) => {
  const cookie = ownCookie(name);
  return { ...cookie, options: { ...cookie.options, maxAge: CHECK_S } };
};

function sameOriginUrl(url: string, baseUrl: string): string {
  const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
  return target && target.origin === new URL(baseUrl).origin ? target.href : baseUrl;
}
