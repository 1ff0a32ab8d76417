import type { Readable } from "node:stream";
import { z } from "zod";
import { OperatorError } from "@/lib/platform/errors";

/**
 * The format of backups: gzipped frames, each a 4-byte big-endian length followed by that many bytes. The first frame
 * is the head. Each table is a frame with its name, frames with its rows in COPY format, and an empty frame. The last
 * frame contains the number of tables.
 */

export const FORMAT = "footfall backup 1";

const named = { schema: z.enum(["public", "facts"]), name: z.string() };
export const headShape = z.object({
  form: z.literal(FORMAT),
  at: z.iso.datetime(),
  /** The version of the service. */
  version: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  sequences: z.array(z.object({ ...named, last: z.string(), called: z.boolean() })),
  /** A sealed constant in Base64, to test whether the current secrets open the values of the backup. */
  sealed: z.string(),
  /** The secrets, when the backup includes them. */
  secrets: z.string().nullable(),
});
export type Head = z.output<typeof headShape>;

const tableShape = z.object({ ...named, columns: z.array(z.string()) });
export const partShape = z.union([z.object({ table: tableShape }), z.object({ tables: z.int() })]);

/** What a backup or a restore has copied so far. */
export interface Copied {
  tables: number;
  /** Rows of these tables. */
  rows: number;
  /** Bytes of rows, not compressed. */
  bytes: number;
}

/** The file is not a backup, or it is incomplete. */
export class BadBackup extends OperatorError {}
const DAMAGED = "This is not a Footfall backup, or it is damaged.";
const CUT_OFF = "The backup is incomplete: it was cut off.";

export function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export const frameOf = (value: object): Buffer => frame(Buffer.from(JSON.stringify(value)));
export const END = frame(Buffer.alloc(0));

/** The maximum length of a frame; COPY writes row by row, and rows have a size limit. */
const LONGEST_FRAME = 256 * 1024 * 1024;

/** Reads frames from a stream, buffering one frame and the chunk that contains its end. */
export class Frames {
  private held: Buffer[] = [];
  private size = 0;

  private readonly chunks: AsyncIterator<Buffer>;

  constructor(from: Readable) {
    this.chunks = from[Symbol.asyncIterator]();
  }

  /** Returns the next frame. @throws BadBackup at the end of the stream and for an invalid frame. */
  async next(): Promise<Buffer> {
    const length = (await this.take(4)).readUInt32BE();
    if (length > LONGEST_FRAME) throw new BadBackup(DAMAGED);
    return this.take(length);
  }

  /** Returns the next frame, parsed as JSON. @throws BadBackup */
  async read<T>(shape: z.ZodType<T>): Promise<T> {
    const text = (await this.next()).toString();
    try {
      return shape.parse(JSON.parse(text));
    } catch {
      throw new BadBackup(DAMAGED);
    }
  }

  /** Yields the frames up to the next empty one. */
  async *upToEnd(): AsyncGenerator<Buffer> {
    for (let bytes = await this.next(); bytes.length > 0; bytes = await this.next()) yield bytes;
  }

  private async take(bytes: number): Promise<Buffer> {
    while (this.size < bytes) {
      const { done, value } = await this.chunks.next().catch((error: NodeJS.ErrnoException) => {
        // A failed system call says something about the file, not about its content.
        if (error.syscall) throw error;
        throw new BadBackup(error.code === "Z_BUF_ERROR" ? CUT_OFF : DAMAGED);
      });
      if (done) throw new BadBackup(CUT_OFF);
      this.held.push(value);
      this.size += value.length;
    }
    const all = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held);
    this.held = all.length > bytes ? [all.subarray(bytes)] : [];
    this.size = all.length - bytes;
    return all.subarray(0, bytes);
  }
}
