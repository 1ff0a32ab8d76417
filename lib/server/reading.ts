import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/**
 * Pages that are only read: their HTML is all there is to them. Next sends scripts along that draw each page once more in
 * the browser, 150 KB of them, for which a phone is deaf for half a second. Here they are left out, but for our own few
 * lines; links then load pages, which takes no longer.
 */
const isReading = (path: string): boolean => path === "/" || path === "/docs" || path.startsWith("/docs/");

/** Marks a script that stays on such a page. */
export const KEPT = { "data-kept": "" };

/** Whether the page that is asked for is only read. */
export const asksForReading = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && isReading(url.split("?", 1)[0] ?? "");

/**
 * Answers Next's router if it is what asks for such a page, be it to go there or to have it at hand. It would draw the page
 * into the one that is open, where none of our own lines run. An answer that is no drawing has it load the page instead,
 * as a link without scripts would; what it only wants at hand it then does without.
 * @returns whether it was the router, which has its answer then
 */
export function sendRouterToPage({ headers }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.rsc === undefined) return false;
  response.writeHead(200, { "content-type": "text/html", "content-length": 0, "cache-control": "no-store" }).end();
  return true;
}

/** The page without scripts and without what is loaded for them, except for those that are `KEPT`. */
export const withoutScripts = (html: string): string =>
  html
    .replace(/<script\b([^>]*)>.*?<\/script>/gs, (script, attributes: string) =>
      attributes.includes("data-kept") ? script : "",
    )
    .replace(/<link\b[^>]*\bas="script"[^>]*>/g, "");

/** Has the answer to such a request sent without its scripts, and compresses it, which nobody else does then. */
export function answerForReading(request: IncomingMessage, response: ServerResponse): void {
  const zips = /\bgzip\b/.test(`${request.headers["accept-encoding"]}`);
  delete request.headers["accept-encoding"];
  const { end, writeHead } = response;
  const chunks: Buffer[] = [];
  let complete = false;
  // Headers wait until all is there: only then is known how it is sent.
  response.flushHeaders = () => {};
  response.writeHead = ((status: number, ...rest: []) => {
    if (complete) return writeHead.call(response, status, ...rest);
    response.statusCode = status;
    return response;
  }) as ServerResponse["writeHead"];
  response.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    const written = rest.at(-1);
    if (typeof written === "function") process.nextTick(written);
    return true;
  }) as ServerResponse["write"];
  response.end = ((...given: unknown[]) => {
    const [last] = given;
    if (typeof last === "string" || last instanceof Uint8Array) chunks.push(Buffer.from(last as string));
    complete = true;
    const done = given.find((one) => typeof one === "function") as (() => void) | undefined;
    return end.call(response, finished(response, Buffer.concat(chunks), zips), "utf8", done);
  }) as ServerResponse["end"];
}

/** What is sent of a whole answer. */
function finished(response: ServerResponse, whole: Buffer, zips: boolean): Buffer {
  // A page that says that there is none is drawn in the browser, by those very scripts.
  const isPage = `${response.getHeader("content-type")}`.startsWith("text/html");
  if (!isPage || response.statusCode !== 200) return whole;
  const html = Buffer.from(withoutScripts(whole.toString()));
  response.removeHeader("content-length");
  if (!zips) return html;
  response.setHeader("content-encoding", "gzip");
  return gzipSync(html);
}
