import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { boundedMap } from "@/lib/platform/bounded-map";
import { acceptsEncoding } from "@/lib/platform/http/http";
import { NAME_PLACE, plausibleName, TRACKERS } from "@/lib/platform/http/tracker-paths";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Names come from requests. */
const plausibleScripts = boundedMap<string, Handler>("plausible-scripts", { max: 200, ttl: 3600_000 });

/** Returns a function that finds the request handler of a tracker script. Each script is read and compressed once. */
export function trackerScripts(): (path: string) => Handler | undefined {
  const own = new Map(TRACKERS.map((name) => [`/${name}`, trackerScript(read(`public/${name}`))]));
  const plausible = read("public/plausible.js").toString();
  return (path) => {
    const found = own.get(path);
    const name = found ? null : plausibleName(path);
    if (name === null) return found;
    const script = plausibleScripts.get(name) ?? trackerScript(Buffer.from(plausible.replace(NAME_PLACE, name)));
    plausibleScripts.set(name, script);
    return script;
  };
}

const read = (file: string): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));

function trackerScript(plain: Buffer): Handler {
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
