import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * A MaxMind DB file (format 2.0) read in place. The databases of cities would take 130 MB of memory; this keeps small
 * pages of what is asked for, 16 MB at most, each at the one spot where its number belongs. A page that is not there
 * is read from the operating system's own cache in a few microseconds.
 */

const PAGE = 1024;
/** What a page holds of the next one, so that a node never lies across two. */
const OVERLAP = 64;
const SPOTS = 16_384;
const METADATA_MARK = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");
const METADATA_MOST = 128 * 1024;
/** Zero bytes between the tree and the data. */
const SEPARATOR = 16;

type Read = { value: unknown; next: number };

export class Mmdb {
  private readonly file: number;
  private readonly pages = Buffer.allocUnsafeSlow(SPOTS * (PAGE + OVERLAP));
  private readonly held = new Int32Array(SPOTS).fill(-1);
  private readonly nodeCount: number;
  private readonly recordBits: number;
  private readonly treeBytes: number;
  private readonly isIpv6: boolean;
  private ipv4Start: number | null = null;
  /** The node that the first 16 bits of an address of IPv4 lead to, where it is known: most of the way is one step. */
  private readonly ipv4Nodes = new Int32Array(65_536).fill(-1);

  /** @throws when the file cannot be read or is no such database. */
  constructor(path: string) {
    this.file = openSync(path, "r");
    try {
      const { size } = fstatSync(this.file);
      const start = Math.max(0, size - METADATA_MOST);
      const mark = this.readBytes(start, size - start).lastIndexOf(METADATA_MARK);
      if (mark === -1) throw new Error(`${path} is no MaxMind database (.mmdb)`);
      const base = start + mark + METADATA_MARK.length;
      const metadata = this.decode(base, base).value as Record<string, number>;
      this.nodeCount = metadata.node_count ?? 0;
      this.recordBits = metadata.record_size ?? 0;
      if (![24, 28, 32].includes(this.recordBits)) throw new Error(`${path} has records of ${this.recordBits} bits`);
      this.treeBytes = (this.nodeCount * this.recordBits) / 4;
      this.isIpv6 = metadata.ip_version === 6;
    } catch (error) {
      closeSync(this.file);
      throw error;
    }
  }

  /**
   * Where the record of an address lies, to be given to `read`; addresses of one network share it.
   *
   * @param address its 4 or 16 bytes. @returns null when the database knows nothing of it.
   */
  find(address: readonly number[]): number | null {
    if (address.length === 16 && !this.isIpv6) return null;
    const node =
      address.length === 4 ? this.walk(this.ipv4Node(address), address, 16, 32) : this.walk(0, address, 0, 128);
    return node > this.nodeCount ? node - this.nodeCount + this.treeBytes : null;
  }

  private ipv4Node(address: readonly number[]): number {
    const place = (address[0] ?? 0) * 256 + (address[1] ?? 0);
    const known = this.ipv4Nodes[place] ?? -1;
    if (known >= 0) return known;
    const node = this.walk(this.isIpv6 ? this.startOfIpv4() : 0, address, 0, 16);
    this.ipv4Nodes[place] = node;
    return node;
  }

  /** Follows these bits of an address down the tree, as far as it goes. */
  private walk(from: number, address: readonly number[], first: number, end: number): number {
    let node = from;
    for (let bit = first; bit < end && node < this.nodeCount; bit++) {
      node = this.child(node, ((address[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    }
    return node;
  }

  /** The record at a place that `find` gave: text, lists and objects; numbers that are not whole are left out. */
  read(record: number): unknown {
    return this.decode(record, this.treeBytes + SEPARATOR).value;
  }

  /** In a database of IPv6 the addresses of IPv4 stand under 96 zero bits. */
  private startOfIpv4(): number {
    if (this.ipv4Start === null) {
      let node = 0;
      for (let bit = 0; bit < 96 && node < this.nodeCount; bit++) node = this.child(node, 0);
      this.ipv4Start = node;
    }
    return this.ipv4Start;
  }

  /** The left (0) or right (1) record of a node. */
  private child(node: number, side: number): number {
    const offset = (node * this.recordBits) / 4;
    const { pages } = this;
    const at = this.locate(offset);
    if (this.recordBits === 24) return pages.readUIntBE(at + side * 3, 3);
    if (this.recordBits === 32) return pages.readUInt32BE(at + side * 4);
    const middle = pages[at + 3] ?? 0;
    return side === 0
      ? ((middle & 0xf0) << 20) | pages.readUIntBE(at, 3)
      : ((middle & 0x0f) << 24) | pages.readUIntBE(at + 4, 3);
  }

  /** Where in `pages` this byte of the file is, followed by at least `OVERLAP` more. */
  private locate(offset: number): number {
    const number = Math.floor(offset / PAGE);
    const spot = number % SPOTS;
    const start = spot * (PAGE + OVERLAP);
    if (this.held[spot] !== number) {
      this.held[spot] = -1;
      readSync(this.file, this.pages, start, PAGE + OVERLAP, number * PAGE);
      this.held[spot] = number;
    }
    return start + (offset % PAGE);
  }

  /** Good until the next is asked for. */
  private bytes(offset: number, length: number): Buffer {
    if (length > OVERLAP) return this.readBytes(offset, length);
    const at = this.locate(offset);
    return this.pages.subarray(at, at + length);
  }

  private readBytes(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.file, bytes, 0, length, offset);
    return bytes;
  }

  /** Reads one field: a control byte of type and size, then its bytes. Pointers count from `base`. */
  private decode(offset: number, base: number): Read {
    const head = this.bytes(offset, 6);
    const control = head[0] ?? 0;
    let type = control >> 5;
    if (type === 1) return this.follow(head, offset, base);
    const sizeAt = type === 0 ? 2 : 1;
    if (type === 0) type = 7 + (head[1] ?? 0);
    const short = control & 0x1f;
    const more = Math.max(0, short - 28);
    const size = more === 0 ? short : ([29, 285, 65_821][more - 1] ?? 0) + head.readUIntBE(sizeAt, more);
    return this.content(type, offset + sizeAt + more, size, base);
  }

  private follow(head: Buffer, offset: number, base: number): Read {
    const control = head[0] ?? 0;
    const length = ((control >> 3) & 3) + 1;
    const high = length === 4 ? 0 : (control & 7) * 256 ** length;
    const added = [0, 2048, 526_336, 0][length - 1] ?? 0;
    const target = base + high + head.readUIntBE(1, length) + added;
    return { value: this.decode(target, base).value, next: offset + 1 + length };
  }

  private content(type: number, offset: number, size: number, base: number): Read {
    const next = offset + size;
    switch (type) {
      case TEXT:
        return { value: this.bytes(offset, size).toString("utf8"), next };
      case UINT16:
      case UINT32:
        return { value: size === 0 ? 0 : this.bytes(offset, size).readUIntBE(0, size), next };
      case MAP:
        return this.map(offset, size, base);
      case LIST:
        return this.list(offset, size, base);
      case BOOLEAN:
        return { value: size === 1, next: offset };
      default:
        return { value: undefined, next };
    }
  }

  private map(offset: number, size: number, base: number): Read {
    const entries: [string, unknown][] = [];
    let next = offset;
    for (let index = 0; index < size; index++) {
      const key = this.decode(next, base);
      const value = this.decode(key.next, base);
      entries.push([String(key.value), value.value]);
      next = value.next;
    }
    return { value: Object.fromEntries(entries), next };
  }

  private list(offset: number, size: number, base: number): Read {
    const value: unknown[] = [];
    let next = offset;
    for (let index = 0; index < size; index++) {
      const item = this.decode(next, base);
      value.push(item.value);
      next = item.next;
    }
    return { value, next };
  }
}

const TEXT = 2;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;
const LIST = 11;
const BOOLEAN = 14;
