import { refuseMethod } from "@/lib/platform/http/methods";
import { readHealth } from "@/lib/server/health";
import { version } from "@/package.json";

/** Answers 200 while events are stored, and 503 otherwise. */
export async function GET(): Promise<Response> {
  const { status, ...parts } = await readHealth();
  return Response.json(
    { status, version, ...parts },
    { status: status === "unavailable" ? 503 : 200, headers: { "cache-control": "no-store" } },
  );
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
