import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** No server writes longer lines; of one that is, the rest is dropped. */
const LONGEST = 64 * 1024;

/** A line as it was read. The last one may not have ended yet. */
export interface ReadLine {
  text: string;
  ended: boolean;
}

/**
 * The lines of a log, read as they are asked for and never held together. What begins as gzip does is unpacked first.
 *
 * @throws Error when the file cannot be read, or its gzip is broken or ends early.
 */
export async function* readLines(source: Readable): AsyncGenerator<ReadLine> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of unpack(source)) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, LONGEST);
    for (const line of lines) yield { text: line.slice(0, LONGEST).replace(/\r$/, ""), ended: true };
  }
  if (rest !== "") yield { text: rest, ended: false };
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
