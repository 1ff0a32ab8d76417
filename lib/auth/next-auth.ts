import { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { cookiesAreSecure, ownCookie } from "@/lib/auth/cookies";
import { discover } from "@/lib/auth/discovery";
import { JOURNEY_S, type Journey, journeyCookie, type Step, stepCookie } from "@/lib/auth/journey";
import { knownBrowserHeader } from "@/lib/auth/known-browser";
import { ownPath } from "@/lib/auth/next-path";
import { type Claims, oidcProvider } from "@/lib/auth/oidc";
import { type AuthEvents, authOptions, sidIn } from "@/lib/auth/options";
import { codeKindOf, readWays } from "@/lib/auth/person-ways";
import { type ProviderRefusal, personOfClaims, proveByClaims, provenAt } from "@/lib/auth/provider-sign-in";
import { sessionEnded } from "@/lib/auth/session-ended";
import { ownerOfSession } from "@/lib/auth/session-row";
import { needsSetup, requireSetupToken } from "@/lib/auth/setup";
import { AccountDisabled, openSession, type SignedIn, TooManyTries, takeAttempt } from "@/lib/auth/sign-in";
import { type ProviderSettings, passwordIsOn, providerSettings } from "@/lib/auth/ways";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { crossSite, isOwnOrigin } from "@/lib/platform/http/own-hosts";
import { logFault, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";
import { describeError, log } from "@/lib/platform/log";
import { takeRate } from "@/lib/platform/rate";
import { freshSecret, hexDigest } from "@/lib/platform/secrets";
import { isLanguage, LANGUAGE_COOKIE, languageCookie } from "@/lib/texts/languages";
import { currentLanguage } from "@/lib/texts/translate";

const BODY_LIMIT_BYTES = 16 * 1024;
const FORM = "application/x-www-form-urlencoded";
const TO_PROVIDER = "POST signin/oidc";
const FROM_PROVIDER = "GET callback/oidc";

/** The next-auth endpoints that our pages use. All others (pages, providers, logs) answer 404. */
const isEnabled = (endpoint: string): boolean =>
  ["GET csrf", "GET session", "POST session", "POST signout", "POST callback/passkey", "POST callback/step"].includes(
    endpoint,
  ) ||
  (endpoint === "POST callback/credentials" && passwordIsOn()) ||
  ([TO_PROVIDER, FROM_PROVIDER].includes(endpoint) && providerSettings() !== null);

/**
 * Handles next-auth's endpoints: csrf, session, signing in with a password, a passkey or the provider, signout. An
 * unreadable body is answered 4xx; a server error is answered 503 or 500 in the usual error format and changes no cookie.
 */
export async function nextAuth(
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { nextauth } = await context.params;
  const endpoint = `${request.method} ${nextauth.join("/")}`;
  if (!isEnabled(endpoint)) return new Response(null, { status: 404 });
  try {
    if (endpoint === FROM_PROVIDER) return await fromProvider(request, nextauth, new Date());
    const toAsk = await readRequest(request, nextauth);
    if (endpoint === TO_PROVIDER) return await toProvider(request, toAsk, new Date());
    return await withRateLimitStatus(await ask(toAsk, {}));
  } catch (error) {
    return toWeb(refuse(error, requestIdOf(fromWeb(request))));
  }
}

/** Calls next-auth, with a cookie for the browser of who signs in. @throws what failed in our own code */
async function ask(request: NextAuthRequest, oidc: Pick<AuthEvents, "oidc">): Promise<Response> {
  const faults: unknown[] = [];
  const signedIn: string[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const response = await callNextAuth(
    request,
    authOptions({ ...oidc, onFault, onSignIn: (email) => void signedIn.push(email) }),
  );
  if (faults.length > 0) throw faults[0];
  for (const email of signedIn) {
    response.headers.append("set-cookie", knownBrowserHeader(email));
    response.headers.append("set-cookie", stepCookie.header(null));
    const cookie = request.cookies[LANGUAGE_COOKIE] === undefined && (await languageCookieOf(email));
    if (cookie) response.headers.append("set-cookie", cookie);
  }
  return response;
}

/** Returns the cookie with the language that a person chose in another browser; null if they never did, or this one shows it. */
async function languageCookieOf(email: string): Promise<string | null> {
  const person = await db().person.findUnique({ where: { email }, select: { language: true } });
  const language = person?.language ?? undefined;
  return isLanguage(language) && language !== currentLanguage() ? languageCookie(language, cookiesAreSecure()) : null;
}

/** Sends a browser to the provider: to sign in, or to prove that the person of its session is still there. */
async function toProvider(request: Request, toAsk: NextAuthRequest, now: Date): Promise<Response> {
  const settings = requireProvider();
  // Pages of other sites must not use up the attempts of a visitor's network.
  const [origin, host] = [request.headers.get("origin"), request.headers.get("host")];
  if (origin !== null && !isOwnOrigin(origin, host, env().BASE_URL)) throw crossSite(env().BASE_URL);
  await requireAttempt(request, now);
  const { purpose, next, token } = toAsk.body;
  const isProof = purpose === "prove";
  const sid = isProof ? await sidIn(request.headers.get("cookie")) : null;
  if (isProof && !(sid && (await ownerOfSession(sid, now)))) throw sessionEnded();
  const isSetup = !isProof && (await needsSetup());
  if (isSetup) requireSetupToken(String(token ?? ""), request.headers.get(CALLER_HEADERS.local) === "1");
  const found = await discover(settings, now).catch((error) => {
    log.error(describeError(error), "the provider could not be discovered");
    throw new Refusal("unavailable", `${settings.name} cannot be reached. Try again in a moment.`, undefined, 5);
  });
  const provider = oidcProvider(settings, found, isProof);
  const response = await ask(
    // A query would become parameters of the request to the provider.
    { ...toAsk, query: { nextauth: toAsk.query.nextauth } },
    { oidc: { provider, enter: async () => REFUSED("failed") } },
  );
  const journey: Journey = {
    id: freshSecret(),
    purpose: isProof ? "prove" : "sign-in",
    issuer: settings.issuer,
    next: shortEnough(ownPath(next)),
    at: now.getTime(),
    ...(isSetup && { isSetup }),
    ...(sid && { session: hexDigest(sid) }),
  };
  response.headers.append("set-cookie", journeyCookie.header(journey));
  return response;
}

/** Browsers drop a cookie of more than 4 KB, and sealing makes the text a third longer. */
const shortEnough = (path: string): string => (path.length <= 2500 ? path : "/sites");

/** Takes a browser back from the provider. It always gets a page: what fails is logged. */
async function fromProvider(request: Request, nextauth: string[], now: Date): Promise<Response> {
  const settings = requireProvider();
  const cookies = request.headers.get("cookie");
  const journey = journeyCookie.read(cookies, now);
  const failed = journey?.purpose === "prove" ? NOT_PROVEN : REFUSED("failed");
  let response: Response;
  let step: Step | null = null;
  try {
    // Without a journey the request may come from a page of another site, and costs nothing.
    if (journey?.issuer !== settings.issuer) return redirect(failed);
    await requireAttempt(request, now);
    // Who has the cookies and the address could send the answer again: providers should refuse its code, but not all do.
    if (!(await takeRate(`oidc:answer:${journey.id}`, 1, JOURNEY_S * 1000, now)).allowed) return redirect(failed);
    const enter = async (claims: Claims): Promise<SignedIn | string> => {
      if (journey.purpose === "prove") {
        const sid = await sidIn(cookies);
        const owner = sid === null ? null : await ownerOfSession(sid, now);
        return `/confirm-identity?done=${await proveByClaims(claims, settings, journey, owner, now)}`;
      }
      const person = await personOfClaims(claims, settings, journey.isSetup === true, now);
      if (typeof person === "string") return REFUSED(person);
      const kind = codeKindOf(await readWays(db(), person.personId));
      if (kind) {
        step = { ...person, kind, at: now.getTime() };
        return `/login?step=${kind}&next=${encodeURIComponent(journey.next)}`;
      }
      const userAgent = request.headers.get("user-agent") ?? undefined;
      // Being signed in at the provider for long is no fresh proof here.
      const { personId, email, identity: by } = person;
      const opening = openSession({ personId, by, authTime: provenAt(claims, now) }, userAgent, now);
      const sid = await opening.catch((error) => {
        if (error instanceof AccountDisabled) return undefined;
        throw error;
      });
      if (sid === undefined) return REFUSED("disabled");
      return sid === null ? REFUSED("failed") : { personId, email, sid };
    };
    const provider = oidcProvider(settings, await discover(settings, now), journey.purpose === "prove");
    const toAsk = await readRequest(request, nextauth);
    response = await ask(
      { ...toAsk, query: { ...toAsk.query, callbackUrl: journey.next } },
      { oidc: { provider, enter } },
    );
  } catch (error) {
    logFault(error, requestIdOf(fromWeb(request)));
    return redirect(failed);
  }
  // next-auth sends what it refuses to pages of its own.
  if (/\/api\/auth\//.test(response.headers.get("location") ?? "/api/auth/")) {
    const isCancelled = new URL(request.url).searchParams.get("error") === "access_denied";
    response.headers.set("location", journey?.purpose !== "prove" && isCancelled ? REFUSED("cancelled") : failed);
  }
  response.headers.append("set-cookie", journeyCookie.header(null));
  if (step) response.headers.append("set-cookie", stepCookie.header(step));
  return response;
}

const REFUSED = (why: ProviderRefusal): string => `/login/refused?why=${why}`;
const NOT_PROVEN = "/confirm-identity?done=no";

const redirect = (location: string): Response => new Response(null, { status: 302, headers: { location } });

function requireProvider(): ProviderSettings {
  const settings = providerSettings();
  if (!settings) throw new Refusal("not_found", "This service has no provider to sign in with.");
  return settings;
}

/** @throws Refusal `rate_limited`: each way to the provider and back makes the server call it. */
async function requireAttempt(request: Request, now: Date): Promise<void> {
  const address = request.headers.get(CALLER_HEADERS.address) || "unknown";
  await takeAttempt(address, now).catch((error) => {
    if (!(error instanceof TooManyTries)) throw error;
    throw new Refusal("rate_limited", "Too many attempts. Try again later.", undefined, error.retryAfter);
  });
}

type NextAuthRequest = Record<"query" | "body" | "cookies" | "headers", Record<string, unknown>> & { method: string };

/** Converts the request for next-auth, without `callbackUrl`: our pages redirect themselves. */
async function readRequest(request: Request, nextauth: string[]): Promise<NextAuthRequest> {
  const { nextUrl, cookies } = new NextRequest(request.url, { headers: request.headers });
  cookies.delete(ownCookie("callback").name);
  const { callbackUrl: _inQuery, ...query } = Object.fromEntries(nextUrl.searchParams);
  const { callbackUrl: _inBody, ...body } = request.method === "POST" ? await readFields(request) : {};
  return {
    method: request.method,
    query: { ...query, nextauth },
    body,
    cookies: Object.fromEntries(cookies.getAll().map(({ name, value }) => [name, value])),
    headers: Object.fromEntries(request.headers),
  };
}

async function readFields(request: Request): Promise<Record<string, unknown>> {
  const incoming = fromWeb(request);
  const bytes = await readBody(incoming, BODY_LIMIT_BYTES, [FORM, "application/json"]);
  if (incoming.header("content-type")?.toLowerCase().startsWith(FORM)) {
    return Object.fromEntries(new URLSearchParams(Buffer.from(bytes).toString()));
  }
  const fields = parseJson(bytes);
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) return { ...fields };
  throw invalidInput([{ path: "", message: "The body must be one JSON object" }]);
}

/** Calls next-auth with a Node-style response object and returns a web Response. */
async function callNextAuth(request: NextAuthRequest, options: NextAuthOptions): Promise<Response> {
  const headers = new Map<string, string | string[]>();
  let status = 200;
  let body: string | null = null;
  const response = {
    status(code: number) {
      status = code;
      return response;
    },
    getHeader: (name: string) => headers.get(name.toLowerCase()),
    setHeader: (name: string, value: string | string[]) => void headers.set(name.toLowerCase(), value),
    json(value: object) {
      headers.set("content-type", "application/json");
      body = JSON.stringify(value);
    },
    send(value: unknown) {
      body = typeof value === "string" ? value : JSON.stringify(value ?? {});
    },
    end() {},
  };
  await NextAuth(request as never, response as never, options);
  const pairs = [...headers].flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]));
  return new Response(body, { status, headers: pairs });
}

/** next-auth answers every failed sign-in with 401; turns one that hit a rate limit into 429 with Retry-After. */
async function withRateLimitStatus(response: Response): Promise<Response> {
  if (response.status !== 401) return response;
  const body = await response.text();
  const wait = /too_many_tries(?::|%3A)(\d+)/.exec(body)?.[1];
  const headers = new Headers(response.headers);
  if (wait) headers.set("retry-after", wait);
  return new Response(body, { status: wait ? 429 : 401, headers });
}
