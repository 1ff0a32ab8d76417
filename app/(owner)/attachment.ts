import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { unstable_rethrow } from "next/navigation";
import { requireOwner } from "@/app/_dashboard/answer";
import type { Owner } from "@/lib/contract/define";
import { refuse } from "@/lib/platform/http/respond";
import { signedInOwner } from "./access";

/** Response that the browser saves as a file. Never cached. */
export const attachment = (body: string | ReadableStream | Buffer<ArrayBuffer>, type: string, name: string): Response =>
  new Response(body, {
    headers: {
      "Cache-Control": "no-store",
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`,
      "X-Content-Type-Options": "nosniff",
    },
  });

interface Written {
  chunks: AsyncIterable<string | Uint8Array>;
  type: string;
  fileName: string;
}

/** Response with a file that is written while it is read: a slow reader holds one chunk in memory. */
export const exportFile = ({ chunks, type, fileName }: Written): Response =>
  attachment(Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream, type, fileName);

/**
 * Responds with a file for the signed-in owner. Without a session, a page that the browser opens leads to sign-in; whatever
 * saves the answer gets a refusal, so that no sign-in page is saved as a file.
 */
export async function fileFor(request: Request, work: (owner: Owner) => Promise<Response>): Promise<Response> {
  try {
    const isPage = request.headers.get("sec-fetch-dest") === "document";
    return await work(isPage ? await signedInOwner() : await requireOwner());
  } catch (error) {
    return refusedFile(error);
  }
}

/** The response when a file cannot be made: the error's message as text, 503 when the database is overloaded. */
function refusedFile(error: unknown): Response {
  // `notFound()` and `redirect()` of Next.
  unstable_rethrow(error);
  const { status, headers, body } = refuse(error, randomUUID());
  const { message } = (JSON.parse(body) as { error: { message: string } }).error;
  return new Response(message, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}
