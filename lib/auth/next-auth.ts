import { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { knownBrowserHeader } from "@/lib/auth/known-browser";
import { authOptions } from "@/lib/auth/options";
import { invalidInput } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";

/** The next-auth endpoints that our pages use. All others (pages, providers, logs) answer 404. */
const ENABLED = new Set(["GET csrf", "GET session", "POST session", "POST callback/credentials", "POST signout"]);

const BODY_LIMIT_BYTES = 16 * 1024;
const FORM = "application/x-www-form-urlencoded";

/**
 * Handles next-auth's endpoints: csrf, session, callback/credentials, signout. An unreadable body is answered 4xx; a
 * server error is answered 503 or 500 in the usual error format and changes no cookie.
 */
export async function nextAuth(
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { nextauth } = await context.params;
  if (!ENABLED.has(`${request.method} ${nextauth.join("/")}`)) return new Response(null, { status: 404 });
  const faults: unknown[] = [];
  const signedIn: string[] = [];
  try {
    const options = authOptions({
      onFault: (fault) => faults.push(fault),
      onSignIn: (email) => signedIn.push(email),
    });
    const response = await callNextAuth(await readRequest(request, nextauth, options), options);
    if (faults.length > 0) throw faults[0];
    for (const email of signedIn) response.headers.append("set-cookie", knownBrowserHeader(email));
    return await withRateLimitStatus(response);
  } catch (error) {
    return toWeb(refuse(error, requestIdOf(fromWeb(request))));
  }
}

type NextAuthRequest = Record<"query" | "body" | "cookies" | "headers", Record<string, unknown>> & { method: string };

/** Converts the request for next-auth, without `callbackUrl`: our pages redirect themselves. */
async function readRequest(request: Request, nextauth: string[], options: NextAuthOptions): Promise<NextAuthRequest> {
  const { nextUrl, cookies } = new NextRequest(request.url, { headers: request.headers });
  cookies.delete(options.cookies?.callbackUrl?.name ?? "");
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
