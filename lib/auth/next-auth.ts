import { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { knownBrowserHeader } from "@/lib/auth/known-browser";
import { authOptions } from "@/lib/auth/options";
import { invalidInput } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";

/** What our own pages ask of next-auth. Its other addresses (pages, providers, logs of its own) do not exist here. */
const USED = new Set(["GET csrf", "GET session", "POST session", "POST callback/credentials", "POST signout"]);

const BODY_LIMIT_BYTES = 16 * 1024;
const FORM = "application/x-www-form-urlencoded";

/**
 * next-auth's own addresses: csrf, session, callback/credentials, signout. A body that cannot be read is a 4xx; a fault
 * of ours is a 503 or 500 in the one form of errors, and changes no cookie.
 */
export async function nextAuth(
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { nextauth } = await context.params;
  if (!USED.has(`${request.method} ${nextauth.join("/")}`)) return new Response(null, { status: 404 });
  const faults: unknown[] = [];
  const signedIn: string[] = [];
  try {
    const options = authOptions({
      onFault: (fault) => faults.push(fault),
      onSignIn: (email) => signedIn.push(email),
    });
    const answered = await ask(await readAsked(request, nextauth, options), options);
    if (faults.length > 0) throw faults[0];
    for (const email of signedIn) answered.headers.append("set-cookie", knownBrowserHeader(email));
    return await limited(answered);
  } catch (error) {
    return toWeb(refuse(error, requestIdOf(fromWeb(request))));
  }
}

type Asked = Record<"query" | "body" | "cookies" | "headers", Record<string, unknown>> & { method: string };

/** The request as next-auth takes it. Where to go next is our pages' own affair, so no `callbackUrl` reaches it. */
async function readAsked(request: Request, nextauth: string[], options: NextAuthOptions): Promise<Asked> {
  const { nextUrl, cookies } = new NextRequest(request.url, { headers: request.headers });
  cookies.delete(options.cookies?.callbackUrl?.name ?? "");
  const { callbackUrl: _asked, ...query } = Object.fromEntries(nextUrl.searchParams);
  const { callbackUrl: _sent, ...body } = request.method === "POST" ? await readFields(request) : {};
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

/** next-auth fills in a response of Node's kind; here it becomes one of the web's. */
async function ask(asked: Asked, options: NextAuthOptions): Promise<Response> {
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
  await NextAuth(asked as never, response as never, options);
  const pairs = [...headers].flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]));
  return new Response(body, { status, headers: pairs });
}

/** next-auth answers every failed sign-in with 401; too many tries are a 429 that says when to come back. */
async function limited(response: Response): Promise<Response> {
  if (response.status !== 401) return response;
  const body = await response.text();
  const wait = /too_many_tries(?::|%3A)(\d+)/.exec(body)?.[1];
  const headers = new Headers(response.headers);
  if (wait) headers.set("retry-after", wait);
  return new Response(body, { status: wait ? 429 : 401, headers });
}
