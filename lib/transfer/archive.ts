import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import yauzl from "yauzl";
import { readLines } from "@/lib/logs/lines";
import { readAhead } from "@/lib/transfer/ahead";
import { clippedName } from "@/lib/transfer/daily-sums";
import { PARQUET_MAGIC } from "@/lib/transfer/export-lines";
import { ImportRefused } from "@/lib/transfer/import";
import { beginsJson, jsonRecords } from "@/lib/transfer/json-records";

/** Reads uploaded files: text, gzip, zip and Parquet. Nothing is unpacked to disk, so no name in an archive can reach a folder. */

export interface ArchiveLimits {
  /** Files in all archives of an import. */
  files: number;
  /** Bytes of all files, unpacked. */
  bytes: number;
}
export const ARCHIVE_LIMITS: ArchiveLimits = { files: 1_000, bytes: 4 * 1024 ** 3 };

/** A file of an import, which may be in an archive. */
export interface ImportedFile {
  /** As it was uploaded; in an archive, its path there. */
  name: string;
  /** Its bytes, packed if it is gzipped. */
  bytes: number;
  /** Returns its lines from the start; of JSON its records, each as a line of JSON. */
  lines(): AsyncGenerator<{ text: string }>;
  /** Returns its lines from the start, whatever they are. */
  textLines(): AsyncGenerator<{ text: string }>;
}

/** Returns the rows of a Parquet file as lines; `onShare` gets the share of them that was read since its last call. */
export type ParquetLines = (
  file: { name: string; path: string },
  onShare: (share: number) => void,
) => AsyncGenerator<{ text: string }>;

/** The files of an import. */
export interface OpenArchive {
  files: ImportedFile[];
  close(): Promise<void>;
}

/** Bytes of a line, such as an event with its longest properties. */
const MAX_LINE_BYTES = 1024 * 1024;
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
const PARQUET = [...Buffer.from(PARQUET_MAGIC)];
/** Byte order marks. */
const UTF16: readonly [encoding: string, mark: readonly number[]][] = [
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, index) => bytes[index] === byte);

/**
 * Opens uploaded files and the archives among them.
 *
 * @param onBytes called with the bytes of the files that were read, as in `ImportedFile.bytes`
 * @param parquetLines reads Parquet files, which no other product exports; without it, they are refused
 * @throws ImportRefused naming the archive or file, for one that is damaged, encrypted, too large or nested
 */
export async function openFiles(
  uploads: readonly { name: string; path: string; bytes: number }[],
  onBytes: (bytes: number) => void = () => {},
  parquetLines: ParquetLines = refuseParquet,
  limits = ARCHIVE_LIMITS,
): Promise<OpenArchive> {
  const budget = new Budget(limits);
  const archives: yauzl.ZipFile[] = [];
  const files: ImportedFile[] = [];
  const close = async () => {
    for (const archive of archives) archive.close();
  };
  try {
    for (const { name, path, bytes } of uploads) {
      const source = { name: clippedName(name), bytes };
      const first = await firstBytes(path, source.name);
      if (startsWith(first, PARQUET)) {
        const lines = () => parquetLines({ name: source.name, path }, (share) => onBytes(bytes * share));
        files.push({ ...source, lines, textLines: lines });
        continue;
      }
      if (!startsWith(first, ZIP)) {
        files.push(textFile(source, async () => createReadStream(path), onBytes, budget));
        continue;
      }
      const archive = await openZip(path, source.name);
      archives.push(archive);
      for await (const entry of entriesOf(archive, source.name)) {
        budget.addFile(source.name);
        budget.announce(entry.uncompressedSize, source.name);
        const inside = { name: clippedName(entry.fileName), bytes: entry.uncompressedSize };
        files.push(textFile(inside, () => streamOf(archive, entry, source.name), onBytes, budget));
      }
    }
    refuseRepeated(files);
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Every attempt to read it fails, as with another unknown file. */
const refuseParquet: ParquetLines = ({ name }) => {
  throw new ImportRefused(
    `${name} is a Parquet file, which only exports of Footfall can be. Choose CSV or JSON files.`,
  );
};

/** Two files of one name would be taken for one, whose days count twice. */
function refuseRepeated(files: readonly ImportedFile[]): void {
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) throw new ImportRefused(`${name} occurs twice. Choose each file only once.`);
    names.add(name);
  }
}

/** Counts what archives unpack to, against their own claims too. */
class Budget {
  #files = 0;
  #announced = 0;

  constructor(readonly limits: ArchiveLimits) {}

  addFile(archive: string): void {
    if (++this.#files > this.limits.files)
      throw new ImportRefused(`${archive} contains more than ${this.limits.files} files. Choose those of one site.`);
  }

  announce(bytes: number, archive: string): void {
    this.#announced += bytes;
    if (this.#announced > this.limits.bytes) throw tooLarge(archive, this.limits);
  }
}

const tooLarge = (name: string, { bytes }: ArchiveLimits) =>
  new ImportRefused(
    `${name} unpacks to more than ${Math.floor(bytes / 1024 ** 2)} MiB. Import it in parts, such as a year at a time.`,
  );

async function firstBytes(path: string, name: string): Promise<Uint8Array> {
  const file: FileHandle = await open(path).catch((error) => {
    throw error.code === "ENOENT"
      ? new ImportRefused(`${name} is not on the server any more. Upload it again.`)
      : error;
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function textFile(
  { name, bytes }: { name: string; bytes: number },
  start: () => Promise<Readable>,
  onBytes: (bytes: number) => void,
  { limits }: Budget,
): ImportedFile {
  async function* linesOf(splitsJson: boolean) {
    const source = await start();
    try {
      const [text, first] = await peek(plainText(source, name, onBytes, limits));
      if (splitsJson && beginsJson(first.toString())) yield* jsonRecords(decoded(text), name);
      else yield* readLines(Readable.from(text), MAX_LINE_BYTES);
    } catch (error) {
      throw error instanceof ImportRefused ? error : damaged(name, error);
    } finally {
      source.destroy();
    }
  }
  return { name, bytes, lines: () => linesOf(true), textLines: () => linesOf(false) };
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Returns the text of a file in UTF-8, unpacked if it is gzipped. @throws ImportRefused for another encoding */
async function* plainText(
  source: Readable,
  name: string,
  onBytes: (bytes: number) => void,
  limits: ArchiveLimits,
): AsyncGenerator<Buffer> {
  const counted = async function* () {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      yield chunk;
    }
  };
  const [packed, first] = await peek(counted());
  const [unpacked, start] = startsWith(first, GZIP) ? await peek(gunzip(packed, name, limits)) : [packed, first];
  if (startsWith(start, ZIP) || startsWith(start, GZIP))
    throw new ImportRefused(`${name} is an archive within an archive. Unpack it first.`);
  if (startsWith(start, PARQUET))
    throw new ImportRefused(
      `${name} is a Parquet file in an archive. Unpack it first, and choose the file itself: it is compressed already.`,
    );
  const [encoding = "utf-8"] = UTF16.find(([, mark]) => startsWith(start, mark)) ?? [];
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of unpacked) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new ImportRefused(`${name} is not in ${encoding.toUpperCase()}. Open it in an editor and save it as UTF-8.`);
  }
}

/** Returns the chunks again, with the first one beside them. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<[AsyncIterable<Buffer>, Buffer]> {
  const { first, all } = await readAhead(chunks, ({ length }) => length > 0);
  return [all, first[0] ?? Buffer.alloc(0)];
}

async function* gunzip(packed: AsyncIterable<Buffer>, name: string, limits: ArchiveLimits): AsyncGenerator<Buffer> {
  let size = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      done(size > limits.bytes ? tooLarge(name, limits) : null, chunk);
    },
  });
  // The loop throws the errors of the pipeline, which destroys its last stream with them.
  const ended = pipeline(Readable.from(packed), createGunzip(), limit).catch((error) => limit.destroy(error));
  yield* limit as AsyncIterable<Buffer>;
  await ended;
}

/** Errors of yauzl, which have no code, and of zlib are about the file; others, such as those of a disk, are not. */
function damaged(name: string, error: unknown): unknown {
  const { code = "Z_", message = "" } = error as NodeJS.ErrnoException;
  return code.startsWith("Z_")
    ? new ImportRefused(`${name} is damaged (${clippedName(message)}). Download it again.`)
    : error;
}

function openZip(path: string, name: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, archive) =>
      error ? reject(damaged(name, error)) : resolve(archive),
    ),
  );
}

/** Returns the files of an archive, without folders and what operating systems add. */
async function* entriesOf(archive: yauzl.ZipFile, name: string): AsyncGenerator<yauzl.Entry> {
  for (;;) {
    const entry = await nextEntry(archive, name);
    if (entry === null) return;
    const { fileName } = entry;
    if (fileName.endsWith("/") || /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(fileName)) continue;
    if (entry.isEncrypted())
      throw new ImportRefused(`${name} is encrypted. Unpack it with its password, and choose the files inside.`);
    if (!entry.canDecodeFileData())
      throw new ImportRefused(
        `${name} is packed in a way that is not supported. Unpack it, and choose the files inside.`,
      );
    yield entry;
  }
}

function nextEntry(archive: yauzl.ZipFile, name: string): Promise<yauzl.Entry | null> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      for (const event of ["entry", "end", "error"]) archive.removeAllListeners(event);
      act();
    };
    archive.once("entry", (entry: yauzl.Entry) => settle(() => resolve(entry)));
    archive.once("end", () => settle(() => resolve(null)));
    archive.once("error", (error) => settle(() => reject(damaged(name, error))));
    archive.readEntry();
  });
}

/** yauzl ends a stream that has more bytes than its entry announces with an error. */
function streamOf(archive: yauzl.ZipFile, entry: yauzl.Entry, name: string): Promise<Readable> {
  return new Promise((resolve, reject) =>
    archive.openReadStream(entry, (error, stream) => (error ? reject(damaged(name, error)) : resolve(stream))),
  );
}
