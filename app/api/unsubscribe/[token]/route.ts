import { end, endingLinks, readEnding } from "@/lib/sites/reports/subscriptions";

interface Context {
  params: Promise<{ token: string }>;
}

/**
 * Where mail programs post that somebody wants no more of these. They are answered without a redirect (RFC 8058 section
 * 3.1); the button of our own page, which says so in the address, leads back to it.
 */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  const ending = readEnding(token);
  if (!ending) return new Response("This link is not whole.\n", { status: 404 });
  await end(ending);
  const ofOurPage = new URL(request.url).searchParams.has("page");
  return ofOurPage ? seeOther(`${endingLinks(token).page}?done`) : new Response("You get no more of these.\n");
}

/** A person who follows the header's address is shown the page with the button. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  return seeOther(endingLinks(token).page);
}

const seeOther = (address: string) =>
  new Response(null, { status: 303, headers: { location: address, "cache-control": "no-store" } });
