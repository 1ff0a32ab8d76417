import { setTimeout } from "node:timers/promises";
import { db } from "@/lib/platform/db";
import { refuseMethod } from "@/lib/platform/http/methods";
import { isReady } from "@/lib/server/ready";
import { version } from "@/package.json";

/** Timeout for the database. Generous, because a busy machine may take a second. */
const DATABASE_TIMEOUT_MS = 3_000;

/** Answers 200 while the server is ready and the database responds, 503 otherwise. */
export async function GET(): Promise<Response> {
  const ping = db().$queryRaw`SELECT 1`.then(
    () => "ok",
    () => "unavailable",
  );
  const database = await Promise.race([ping, setTimeout(DATABASE_TIMEOUT_MS, "unavailable", { ref: false })]);
  const ok = isReady() && database === "ok";
  return Response.json(
    { status: ok ? "ok" : "unavailable", version, database },
    { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
