import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/options";

/** What our own pages ask of next-auth. Its other addresses (pages, providers, logs of its own) do not exist here. */
const USED = new Set(["GET csrf", "GET session", "POST session", "POST callback/credentials", "POST signout"]);

/** next-auth's own addresses: csrf, session, callback/credentials, signout. What it cannot read is a 400. */
export async function nextAuth(
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { nextauth } = await context.params;
  if (!USED.has(`${request.method} ${nextauth.join("/")}`)) return new Response(null, { status: 404 });
  try {
    return await limited(await NextAuth(request as never, context as never, authOptions()));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return Response.json({ error: "The request could not be read." }, { status: 400 });
  }
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
