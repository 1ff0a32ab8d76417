import { setTimeout } from "node:timers/promises";
import { db } from "@/lib/platform/db";
import { refuseMethod } from "@/lib/platform/http/methods";
import { isReady } from "@/lib/server/ready";
import { version } from "@/package.json";

/** A database that has not answered by then is not there for anyone who asks; a busy machine may take a second. */
const ANSWER_WITHIN_MS = 3_000;

/** 200 while requests are served and the database answers, 503 otherwise. */
export async function GET(): Promise<Response> {
  const asked = db().$queryRaw`SELECT 1`.then(
    () => "ok",
    () => "unavailable",
  );
  const database = await Promise.race([asked, setTimeout(ANSWER_WITHIN_MS, "unavailable", { ref: false })]);
  const ok = isReady() && database === "ok";
  return Response.json(
    { status: ok ? "ok" : "unavailable", version, database },
    { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
