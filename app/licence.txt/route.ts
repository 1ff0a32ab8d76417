import { readFileSync } from "node:fs";

/** Read at build. */
export const dynamic = "force-static";

/** The licence of the software. */
export const GET = (): Response =>
  new Response(readFileSync("LICENSE", "utf8"), { headers: { "content-type": "text/plain; charset=utf-8" } });
