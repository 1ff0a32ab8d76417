import { Fault } from "@/lib/platform/errors";

/**
 * Joins Parquet files of one row group each into one file, which can be sent while its rows are still read: only the
 * description of the row groups at its end is kept. The values in them are copied byte by byte.
 */

const MAGIC = Buffer.from("PAR1");
/** The length of the footer, and the magic. */
const TAIL_BYTES = 8;

/** Types of Thrift's compact protocol, in which a footer is written. */
const [TRUE, FALSE, BYTE, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 6, 7, 8, 9, 10, 12] as const;

type Value = bigint | Buffer | List | Struct | null;
interface List {
  type: number;
  values: Value[];
}
/** Its fields by number. */
type Struct = Map<number, { type: number; value: Value }>;

/** The numbers of fields, as the specification of Parquet has them. */
const FILE = { rows: 3, rowGroups: 4 };
const ROW_GROUP = { columns: 1, rows: 3, fileOffset: 5, ordinal: 7 };
const COLUMN = { fileOffset: 2, metadata: 3, offsetIndex: 4, columnIndex: 6 };
const METADATA = { dataPage: 9, indexPage: 10, dictionaryPage: 11, bloomFilter: 14 };

/**
 * Returns the chunks of the joined file.
 *
 * @param parts at least one file; all have the same columns
 */
export async function* joinedParquet(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield MAGIC;
  let end = MAGIC.length;
  let rows = 0n;
  let first: Struct | null = null;
  const rowGroups: Buffer[] = [];
  for await (const part of parts) {
    const { body, footer } = opened(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    for (const rowGroup of structsIn(footer, FILE.rowGroups)) {
      move(rowGroup, BigInt(end - MAGIC.length));
      rows += numberIn(rowGroup, ROW_GROUP.rows);
      rowGroups.push(encoded(STRUCT, rowGroup));
    }
    first ??= footer;
    yield body;
    end += body.length;
  }
  if (!first) throw new Fault("A Parquet file needs at least one part, which has its columns");
  first.set(FILE.rows, { type: I64, value: rows });
  const groups = Buffer.concat([listHead(STRUCT, rowGroups.length), ...rowGroups]);
  const footer = structOf(first, new Map([[FILE.rowGroups, groups]]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  yield Buffer.concat([footer, length, MAGIC]);
}

function opened(file: Buffer): { body: Buffer; footer: Struct } {
  const start = file.length - TAIL_BYTES - file.readUInt32LE(file.length - TAIL_BYTES);
  const { value } = new Decoder(file, start).read(STRUCT);
  return { body: file.subarray(MAGIC.length, start), footer: value as Struct };
}

const structsIn = (struct: Struct | undefined, field: number) =>
  (((struct?.get(field)?.value as List | undefined)?.values ?? []) as Struct[]).values();
const numberIn = (struct: Struct, field: number): bigint => (struct.get(field)?.value ?? 0n) as bigint;

/** Moves all places of a row group in its file. */
function move(rowGroup: Struct, by: bigint): void {
  shift(rowGroup, [ROW_GROUP.fileOffset], by);
  // Of 16 bits, which count less than a large file has.
  rowGroup.delete(ROW_GROUP.ordinal);
  for (const column of structsIn(rowGroup, ROW_GROUP.columns)) {
    shift(column, [COLUMN.fileOffset, COLUMN.offsetIndex, COLUMN.columnIndex], by);
    const metadata = column.get(COLUMN.metadata)?.value as Struct | undefined;
    if (metadata) shift(metadata, Object.values(METADATA), by);
  }
}

/** 0 is no place, because a file begins with its magic. */
function shift(struct: Struct, fields: readonly number[], by: bigint): void {
  for (const field of fields) {
    const held = struct.get(field);
    if (held && (held.value as bigint) > 0n) held.value = (held.value as bigint) + by;
  }
}

class Decoder {
  constructor(
    private readonly bytes: Buffer,
    private at: number,
  ) {}

  read(type: number): { type: number; value: Value } {
    return { type, value: this.value(type) };
  }

  private value(type: number): Value {
    switch (type) {
      case TRUE:
      case FALSE:
        return null;
      case BYTE:
        return BigInt(this.bytes.readInt8(this.at++));
      case DOUBLE:
        return this.take(8);
      case BINARY:
        return this.take(Number(this.varint()));
      case LIST:
      case SET:
        return this.list();
      case STRUCT:
        return this.struct();
      default:
        return zigzagged(this.varint());
    }
  }

  private list(): List {
    const head = this.bytes.readUInt8(this.at++);
    const size = head >> 4 === 15 ? Number(this.varint()) : head >> 4;
    const type = head & 15;
    // In a list a boolean is a byte.
    const each = type === TRUE || type === FALSE ? BYTE : type;
    return { type, values: Array.from({ length: size }, () => this.value(each)) };
  }

  private struct(): Struct {
    const fields: Struct = new Map();
    let number = 0;
    for (let head = this.bytes.readUInt8(this.at++); head !== 0; head = this.bytes.readUInt8(this.at++)) {
      number = head >> 4 === 0 ? Number(zigzagged(this.varint())) : number + (head >> 4);
      fields.set(number, this.read(head & 15));
    }
    return fields;
  }

  private take(length: number): Buffer {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  private varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes.readUInt8(this.at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}

const zigzagged = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);

function encoded(type: number, value: Value): Buffer {
  switch (type) {
    case TRUE:
    case FALSE:
      return Buffer.alloc(0);
    case BYTE:
      return Buffer.from([Number(BigInt.asUintN(8, value as bigint))]);
    case DOUBLE:
      return value as Buffer;
    case BINARY:
      return Buffer.concat([varint(BigInt((value as Buffer).length)), value as Buffer]);
    case LIST:
    case SET: {
      const { type: of, values } = value as List;
      const each = of === TRUE || of === FALSE ? BYTE : of;
      return Buffer.concat([listHead(of, values.length), ...values.map((one) => encoded(each, one))]);
    }
    case STRUCT:
      return structOf(value as Struct);
    default:
      return varint(((value as bigint) << 1n) ^ ((value as bigint) >> 63n));
  }
}

/** @param replaced values that are encoded already, by their fields */
function structOf(struct: Struct, replaced: ReadonlyMap<number, Buffer> = new Map()): Buffer {
  let before = 0;
  const fields = [...struct].sort(([a], [b]) => a - b);
  const parts = fields.flatMap(([number, { type, value }]) => {
    const step = number - before;
    before = number;
    const head = step < 16 ? [Buffer.from([(step << 4) | type])] : [Buffer.from([type]), varint(BigInt(number) << 1n)];
    return [...head, replaced.get(number) ?? encoded(type, value)];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

const listHead = (type: number, size: number): Buffer =>
  size < 15 ? Buffer.from([(size << 4) | type]) : Buffer.concat([Buffer.from([0xf0 | type]), varint(BigInt(size))]);

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
