import { answerIngest } from "@/lib/ingest/api/answer-ingest";
import { INGEST_ROUTES } from "@/lib/ingest/api/requests";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { CHROME, type SendOptions } from "@/lib/testing/world";

/** Posts a body to a path that takes events, like a browser. @returns its status, and its body as JSON. */
export async function postTo(
  path: string,
  body: unknown,
  { at, address = "203.0.113.7", userAgent = CHROME, headers = {} }: SendOptions = {},
) {
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const surface = INGEST_ROUTES[path]?.surface;
  if (!surface) throw new Error(`${path} takes no events`);
  const caller = { address, now: at === undefined ? new Date() : new Date(at) };
  const response = toWeb(await answerIngest(surface, fromWeb(request), caller));
  return { status: response.status, headers: response.headers, body: await response.json() };
}
