import type { Readable } from "node:stream";
import { z } from "zod";

/**
 * How a backup is written: frames, each a length of four bytes (big-endian) and so many bytes, compressed as gzip. The
 * first frame is the head; then come the tables, each a frame that names it, its rows as COPY writes them, in frames, and
 * an empty frame; then a frame that says how many tables there were.
 */

export const FORM = "footfall backup 1";

const named = { schema: z.enum(["public", "facts"]), name: z.string() };
export const headShape = z.object({
  form: z.literal(FORM),
  at: z.iso.datetime(),
  /** Of the service. */
  version: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  sequences: z.array(z.object({ ...named, last: z.string(), called: z.boolean() })),
  /** Something sealed: whether other secrets open what is in here can be tried with it. In Base64. */
  sealed: z.string(),
  /** The secrets themselves, where they were asked for. */
  secrets: z.string().nullable(),
});
export type Head = z.output<typeof headShape>;

const tableShape = z.object({ ...named, columns: z.array(z.string()) });
export const partShape = z.union([z.object({ table: tableShape }), z.object({ tables: z.int() })]);

/** The file is no backup, or not a whole one. */
export class BadBackup extends Error {}
const DAMAGED = "This is no backup of ours, or it is damaged.";

export function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export const frameOf = (value: object): Buffer => frame(Buffer.from(JSON.stringify(value)));
export const END = frame(Buffer.alloc(0));

/** No frame is longer: COPY hands over rows one by one, and a row has a limit of its own. */
const LONGEST_FRAME = 256 * 1024 * 1024;

/** Reads frames from a stream, holding no more than one and what came with it. */
export class Frames {
  private held: Buffer[] = [];
  private size = 0;

  private readonly chunks: AsyncIterator<Buffer>;

  constructor(from: Readable) {
    this.chunks = from[Symbol.asyncIterator]();
  }

  /** The next frame. @throws BadBackup at the end of the stream, and for what is no frame. */
  async next(): Promise<Buffer> {
    const length = (await this.take(4)).readUInt32BE();
    if (length > LONGEST_FRAME) throw new BadBackup(DAMAGED);
    return this.take(length);
  }

  /** The next frame as the JSON that it is. */
  async read<T>(shape: z.ZodType<T>): Promise<T> {
    const text = (await this.next()).toString();
    try {
      return shape.parse(JSON.parse(text));
    } catch {
      throw new BadBackup(DAMAGED);
    }
  }

  /** The frames up to the next empty one. */
  async *upToEnd(): AsyncGenerator<Buffer> {
    for (let bytes = await this.next(); bytes.length > 0; bytes = await this.next()) yield bytes;
  }

  private async take(bytes: number): Promise<Buffer> {
    while (this.size < bytes) {
      const { done, value } = await this.chunks.next().catch(() => {
        throw new BadBackup(DAMAGED);
      });
      if (done) throw new BadBackup("The backup ends in the middle.");
      this.held.push(value);
      this.size += value.length;
    }
    const all = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held);
    this.held = all.length > bytes ? [all.subarray(bytes)] : [];
    this.size = all.length - bytes;
    return all.subarray(0, bytes);
  }
}
