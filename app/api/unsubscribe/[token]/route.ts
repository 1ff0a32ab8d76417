import { end, endingLinks, readEnding } from "@/lib/mail-reports/subscriptions";

interface Context {
  params: Promise<{ token: string }>;
}

/** Where mail programs post that somebody wants no more of these (RFC 8058), and the button of our own page. */
export async function POST(_request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  const ending = readEnding(token);
  if (!ending) return new Response("This link is not whole.\n", { status: 404 });
  await end(ending);
  return seeOther(`${endingLinks(token).page}?done`);
}

/** A person who follows the header's address is shown the page with the button. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  return seeOther(endingLinks(token).page);
}

const seeOther = (address: string) =>
  new Response(null, { status: 303, headers: { location: address, "cache-control": "no-store" } });
