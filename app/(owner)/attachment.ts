import { Readable } from "node:stream";
import { orRefusedFile, requireOwner } from "@/app/_dashboard/answer";
import type { Owner } from "@/lib/contract/define";
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
export const fileFor = (request: Request, work: (owner: Owner) => Promise<Response>): Promise<Response> =>
  orRefusedFile(async () => {
    const isPage = request.headers.get("sec-fetch-dest") === "document";
    return work(isPage ? await signedInOwner() : await requireOwner());
  });
