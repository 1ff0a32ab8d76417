import type { NextAuthOptions } from "next-auth";
import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { cookiesAreSecure, ownCookie } from "@/lib/auth/cookies";
import { ownerOfSession, revokeSession, sidHashOf } from "@/lib/auth/session-row";
import { SESSION_DAYS, SecondFactorNeeded, signIn, TooManyTries } from "@/lib/auth/sign-in";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { describeError, log } from "@/lib/platform/log";
import { derivedKeys } from "@/lib/platform/secrets";

interface AuthEvents {
  onFault?: (fault: unknown) => void;
  onSignIn?: (email: string) => void;
}

/**
 * Returns the next-auth configuration: email and password only. The JWT contains just the id of an `owner_session` row,
 * which decides whether the session is valid.
 *
 * @param events.onFault called with server errors, which next-auth itself would report as a wrong password.
 * @param events.onSignIn called with the normalised email address after a sign-in.
 */
export function authOptions({ onFault = () => {}, onSignIn = () => {} }: AuthEvents = {}): NextAuthOptions {
  const fail = (fault: unknown): never => {
    onFault(fault);
    throw new Error("fault");
  };
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
    },
    providers: [password(fail, onSignIn)],
    callbacks: {
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

const secrets = (): string[] => derivedKeys("next-auth").map((key) => key.toString("hex"));

/** Decodes a JWT with any current key, so that key rotation signs nobody out. New ones use the first key. */
async function openToken(given: JWTDecodeParams): Promise<JWT | null> {
  for (const secret of secrets()) {
    const token = await decode({ ...given, secret }).catch(() => null);
    if (token) return token;
  }
  return null;
}

function password(fail: (fault: unknown) => never, onSignIn: (email: string) => void) {
  return Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
    async authorize(given, request) {
      if (!given || typeof given.email !== "string" || typeof given.password !== "string") return null;
      const headers = request.headers ?? {};
      const signedIn = await signIn(
        {
          email: given.email,
          password: given.password,
          code: typeof given.code === "string" ? given.code : undefined,
          address: headers[CALLER_HEADERS.address] || "unknown",
          cookies: headers.cookie,
          userAgent: headers["user-agent"],
        },
        new Date(),
      ).catch((error) => {
        if (error instanceof TooManyTries || error instanceof SecondFactorNeeded) throw error;
        return fail(error);
      });
      if (!signedIn) return null;
      onSignIn(signedIn.email);
      return { id: String(signedIn.personId), sid: signedIn.sid };
    },
  });
}

function sameOriginUrl(url: string, baseUrl: string): string {
  const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
  return target && target.origin === new URL(baseUrl).origin ? target.href : baseUrl;
}
