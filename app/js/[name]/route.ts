import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { NAME_PLACE, plausibleName } from "@/lib/platform/http/tracker-paths";
import { t } from "@/lib/texts/translate";

/** The tracker under the names of Plausible's script. Under `npm start` the fast path serves it before this route. */
export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const name = plausibleName(`/js/${(await params).name}`);
  if (name === null) return new Response(`${t("There is no script of this name.")}\n`, { status: 404 });
  const script = (await readFile("public/plausible.js", "utf8")).replace(NAME_PLACE, name);
  const etag = `"${createHash("sha256").update(script).digest("base64url").slice(0, 22)}"`;
  const isUnchanged = request.headers.get("if-none-match") === etag;
  const headers = { "content-type": "text/javascript; charset=utf-8", etag };
  return new Response(isUnchanged ? null : script, { status: isUnchanged ? 304 : 200, headers });
}
