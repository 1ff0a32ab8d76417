import { type FileHandle, open } from "node:fs/promises";
import { OperatorError } from "@/lib/platform/errors";

/**
 * Checks the footer of a Parquet file of unknown origin before DuckDB reads it: each of its bytes can need hundreds in memory,
 * which no limit of DuckDB counts.
 */

const MAGIC = "PAR1";
/** The length of the footer, and the magic. */
const TAIL_BYTES = 8;
/** Ten million exported events have less of both. */
const MOST_BYTES = 8 * 1024 ** 2;
const MOST_PARTS = 500_000;
const MOST_LEVELS = 16;

/** @throws OperatorError with the reason, to follow the name of the file */
export async function checkFooter(path: string): Promise<void> {
  const file = await open(path);
  try {
    countParts(await footerOf(file));
  } finally {
    await file.close();
  }
}

async function footerOf(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const tail = await read(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  if (size < MAGIC.length + TAIL_BYTES || tail.toString("latin1", 4) !== MAGIC) throw fault("it is cut off");
  const length = tail.readUInt32LE(0);
  if (length > size - MAGIC.length - TAIL_BYTES) throw fault("its footer is damaged");
  if (length > MOST_BYTES) throw fault(`its footer has more than ${MOST_BYTES / 1024 ** 2} MiB`);
  return read(file, size - TAIL_BYTES - length, length);
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const TOO_MUCH = "its footer describes too much";
const fault = (why: string) => new OperatorError(why);

/** Types of Thrift's compact protocol, in which a footer is written. */
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12,
] as const;

/** Counts the structs of a footer and the elements of its lists without keeping any. @throws OperatorError for too many, and for what is no footer */
function countParts(bytes: Buffer): void {
  let at = 0;
  let parts = 0;
  const byte = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw fault("its footer is damaged");
    return value;
  };
  const varint = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const next = byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
  };
  const skip = (type: number, level: number): void => {
    if (level > MOST_LEVELS) throw fault(TOO_MUCH);
    switch (type) {
      case TRUE:
      case FALSE:
        return;
      case BYTE:
        byte();
        return;
      case I16:
      case I32:
      case I64:
        varint();
        return;
      case DOUBLE:
        at += 8;
        return;
      case BINARY: {
        const length = varint();
        at += length;
        return;
      }
      case LIST:
      case SET: {
        const head = byte();
        const size = head >> 4 === 15 ? varint() : head >> 4;
        // In a list a boolean is a byte.
        const each = (head & 15) === TRUE || (head & 15) === FALSE ? BYTE : head & 15;
        parts += size;
        if (parts > MOST_PARTS) throw fault(TOO_MUCH);
        for (let index = 0; index < size; index++) skip(each, level + 1);
        return;
      }
      case STRUCT:
        if (++parts > MOST_PARTS) throw fault(TOO_MUCH);
        for (let head = byte(); head !== 0; head = byte()) {
          if (head >> 4 === 0) varint();
          skip(head & 15, level + 1);
        }
        return;
      default:
        throw fault("its footer is damaged");
    }
  };
  skip(STRUCT, 0);
}
