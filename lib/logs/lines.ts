import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** No server writes longer lines; of one that is, the rest is dropped. */
const LONGEST = 64 * 1024;

/** A line as it was read. The last one may not have ended yet. */
export interface ReadLine {
  text: string;
  ended: boolean;
  /** Where it ends in what was read, in bytes from the beginning and with its line break. */
  end: number;
}

/**
 * The lines of a log, read as they are asked for and never held together. What begins as gzip does is unpacked first.
 *
 * @param longest bytes that are kept of a line.
 * @throws Error when the file cannot be read, or its gzip is broken or ends early.
 */
export async function* readLines(source: Readable, longest = LONGEST): AsyncGenerator<ReadLine> {
  let rest: Buffer = Buffer.alloc(0);
  let before = 0;
  for await (const chunk of unpack(source)) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      const text = Buffer.concat([rest, chunk.subarray(from, at)])
        .subarray(0, longest)
        .toString();
      rest = Buffer.alloc(0);
      from = at + 1;
      yield { text: text.replace(/\r$/, ""), ended: true, end: before + from };
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]).subarray(0, longest);
    before += chunk.length;
  }
  if (rest.length > 0) yield { text: rest.toString(), ended: false, end: before };
}

async function* unpack(source: Readable): AsyncGenerator<Buffer> {
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
  // A failure of the file becomes one of the unpacked stream, which is being read.
  yield* isGzip ? pipeline(all, createGunzip(), () => {}) : all;
}
