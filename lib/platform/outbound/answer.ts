import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** What an answer from outside comes with: its body, as far as it is wanted, and the certificate it came under. */

/** How long a certificate is good. */
export interface Certificate {
  from: Date;
  until: Date;
}

/** The certificate that a connection was proved by; null without TLS. */
export function certificateOf({ socket }: IncomingMessage): Certificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { valid_from, valid_to } = socket.getPeerCertificate();
  return { from: new Date(valid_from), until: new Date(valid_to) };
}

/** Of several, the one that ends first. */
export const firstToEnd = (one: Certificate | null, other: Certificate | null): Certificate | null =>
  one && other ? (one.until <= other.until ? one : other) : (one ?? other);

/** Whether a body is not sent as it is: compressed, or in a form that Node does not undo. */
export const isEncoded = (headers: IncomingHttpHeaders): boolean =>
  !/^(identity)?$/i.test(headers["content-encoding"] ?? "") ||
  !/^(chunked)?$/i.test(headers["transfer-encoding"] ?? "");

/** A body up to so many bytes. @returns also whether that is all of it. */
export async function readBody(
  response: IncomingMessage,
  limitBytes: number,
): Promise<{ body: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) return { body: Buffer.concat(chunks).subarray(0, limitBytes), complete: false };
  }
  return { body: Buffer.concat(chunks), complete: true };
}
