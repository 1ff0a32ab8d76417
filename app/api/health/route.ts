import { db } from "@/lib/db";
import { isReady } from "@/lib/server/ready";
import { version } from "@/package.json";

/** 200 while requests are served and the database answers, 503 otherwise. */
export async function GET(): Promise<Response> {
  const database = await db().$queryRaw`SELECT 1`.then(() => "ok").catch(() => "unavailable");
  const ok = isReady() && database === "ok";
  return Response.json(
    { status: ok ? "ok" : "unavailable", version, database },
    { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
