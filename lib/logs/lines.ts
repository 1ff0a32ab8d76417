import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Longer lines are truncated; servers do not write any. */
const MAX_LINE_BYTES = 64 * 1024;

/** A line of a log. `ended` is false for a last line without a line break. */
export interface ReadLine {
  text: string;
  ended: boolean;
  /** Byte offset of its end, after the line break. */
  end: number;
}

/**
 * Streams the lines of a log. Decompresses gzip, which it detects by its first bytes.
 *
 * @param maxBytes longer lines are truncated.
 * @throws Error when the file cannot be read, or its gzip data is corrupt or truncated.
 */
export async function* readLines(source: Readable, maxBytes = MAX_LINE_BYTES): AsyncGenerator<ReadLine> {
  let rest: Buffer = Buffer.alloc(0);
  let before = 0;
  for await (const chunk of decompress(source)) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      const text = Buffer.concat([rest, chunk.subarray(from, at)])
        .subarray(0, maxBytes)
        .toString();
      rest = Buffer.alloc(0);
      from = at + 1;
      yield { text: text.replace(/\r$/, ""), ended: true, end: before + from };
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]).subarray(0, maxBytes);
    before += chunk.length;
  }
  if (rest.length > 0) yield { text: rest.toString(), ended: false, end: before };
}

async function* decompress(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value: first, done } = await chunks.next();
  if (done) return;
  const all = Readable.from(
    (async function* () {
      yield first;
      yield* { [Symbol.asyncIterator]: () => chunks };
    })(),
  );
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  // Errors of the source are passed on to the decompressed stream.
  yield* isGzip ? pipeline(all, createGunzip(), () => {}) : all;
}
