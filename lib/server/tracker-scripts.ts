import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { acceptsEncoding } from "@/lib/platform/http/http";
import { TRACKERS } from "@/lib/platform/http/tracker-paths";

/** Returns request handlers for the tracker scripts by path. Each script is read and compressed once. */
export const trackerScripts = () => new Map(TRACKERS.map((name) => [`/${name}`, trackerScript(`public/${name}`)]));

function trackerScript(file: string) {
  const plain = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const forms = { br: brotliCompressSync(plain), gzip: gzipSync(plain, { level: 9 }) };
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    const encoding = (["br", "gzip"] as const).find((name) => acceptsEncoding(request, name));
    const body = encoding ? forms[encoding] : plain;
    const unchanged = request.headers["if-none-match"] === etag;
    response.writeHead(unchanged ? 304 : 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      etag,
      ...(encoding && !unchanged ? { "content-encoding": encoding } : {}),
      ...(unchanged ? {} : { "content-length": body.length }),
    });
    response.end(unchanged || request.method === "HEAD" ? undefined : body);
  };
}
