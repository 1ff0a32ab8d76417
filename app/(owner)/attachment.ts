import { Readable } from "node:stream";
import { orRefusedFile, ownerOfRequest } from "@/app/_dashboard/answer";
import type { SearchParams } from "@/components/reports/filters";
import { csvOf } from "@/components/reports/parts/csv";
import type { Sheet } from "@/components/reports/sheet";
import type { Owner } from "@/lib/contract/define";
import { Refusal } from "@/lib/platform/errors";
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

interface Answered {
  /** The `format` of the file and, for CSV, the `table`: the first if none is named. */
  query: SearchParams;
  sheets: readonly Sheet[];
  /** What the answer is called in names of files, and what names a file by its part. */
  key: string;
  name(part: string): string;
}

/** Response with the answer of a report as JSON, or one of its tables as CSV. @throws Refusal `not_found` for an unknown table */
export function answerFile(answer: unknown, { query, sheets, key, name }: Answered): Response {
  if (query.format === "json")
    return attachment(JSON.stringify(answer, null, 2), "application/json", `${name(key)}.json`);
  const sheet = query.table === undefined ? sheets[0] : sheets.find((one) => one.key === query.table);
  if (sheet) return attachment(csvOf(sheet), "text/csv; charset=utf-8", `${name(`${key}-${sheet.key}`)}.csv`);
  const names = sheets.map((one) => one.key).join(", ");
  throw new Refusal("not_found", `The report has no table of this name; table must be one of ${names}.`);
}

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
    return work(isPage ? await signedInOwner() : await ownerOfRequest());
  });
