import { endEmails, readUnsubscribeToken, unsubscribeLinks } from "@/lib/sites/reports/unsubscribe";
import { t } from "@/lib/texts/translate";

interface Context {
  params: Promise<{ token: string }>;
}

/**
 * One-click unsubscribe of email programs, answered without a redirect (RFC 8058 section 3.1). The button of our own
 * page posts here with `?page` and is redirected back to it.
 */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  const ended = readUnsubscribeToken(token);
  if (!ended) return new Response(`${t("This link is incomplete.")}\n`, { status: 404 });
  await endEmails(ended);
  const isOwnPage = new URL(request.url).searchParams.has("page");
  return isOwnPage ? seeOther(`${unsubscribeLinks(token).page}?done`) : new Response(`${t("Unsubscribed.")}\n`);
}

/** Redirects a person who opens the List-Unsubscribe URL to the page with the button. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  return seeOther(unsubscribeLinks(token).page);
}

const seeOther = (address: string) =>
  new Response(null, { status: 303, headers: { location: address, "cache-control": "no-store" } });
