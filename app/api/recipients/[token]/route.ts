import { env } from "@/lib/platform/env";
import { confirmRecipient } from "@/lib/sites/reports/recipients";

interface Context {
  params: Promise<{ token: string }>;
}

/** The button of the page that confirms a recipient. The token is the proof, and works once. */
export async function POST(_request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  const done = await confirmRecipient(token, new Date());
  const location = `${env().BASE_URL}/recipients/confirm/${encodeURIComponent(token)}${done ? "?done" : ""}`;
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}
