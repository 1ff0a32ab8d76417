import { randomUUID } from "node:crypto";
import { unstable_rethrow } from "next/navigation";
import { refuse } from "@/lib/platform/http/respond";

/** Response that the browser saves as a file. Never cached. */
export const attachment = (body: string | ReadableStream, type: string, name: string): Response =>
  new Response(body, {
    headers: {
      "Cache-Control": "no-store",
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`,
      "X-Content-Type-Options": "nosniff",
    },
  });

/** The response when a file cannot be made: the error's message as text, 503 when the database is overloaded. */
export function refusedFile(error: unknown): Response {
  // `notFound()` and `redirect()` of Next.
  unstable_rethrow(error);
  const { status, headers, body } = refuse(error, randomUUID());
  const { message } = (JSON.parse(body) as { error: { message: string } }).error;
  return new Response(message, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}
