import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** Reads the body and the certificate of a response. */

/** The validity period of a certificate. */
export interface Certificate {
  from: Date;
  until: Date;
}

/** Returns the certificate of the server; null without TLS. */
export function certificateOf({ socket }: IncomingMessage): Certificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { valid_from, valid_to } = socket.getPeerCertificate();
  return { from: new Date(valid_from), until: new Date(valid_to) };
}

/** Returns the certificate that expires first. */
export const firstToExpire = (one: Certificate | null, other: Certificate | null): Certificate | null =>
  one && other ? (one.until <= other.until ? one : other) : (one ?? other);

/** Returns whether a body is compressed or has a transfer encoding that Node does not decode. */
export const isEncoded = (headers: IncomingHttpHeaders): boolean =>
  !/^(identity)?$/i.test(headers["content-encoding"] ?? "") ||
  !/^(chunked)?$/i.test(headers["transfer-encoding"] ?? "");

/** Reads a body up to `limitBytes`. `complete` is whether that is the whole body. */
export async function readAnswerBody(
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
