import { crc32, deflateRawSync } from "node:zlib";

/** Writes zip archives for tests, also wrong ones. */

export interface ZipEntry {
  name: string;
  data: Buffer | string;
  /** What the archive says about the entry, if it is not true. */
  claims?: { size?: number; flags?: number; method?: number };
}

/** Returns an archive of these entries. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, claims = {} } of entries) {
    const raw = Buffer.from(data);
    const packed = deflateRawSync(raw);
    const file = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(claims.flags ?? 0x0800, 2);
    shared.writeUInt16LE(claims.method ?? 8, 4);
    shared.writeUInt32LE(crc32(raw), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claims.size ?? raw.length, 18);
    shared.writeUInt16LE(file.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, file, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), shared, tail, file]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from("PK\u0005\u0006"), end]);
}
