import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { copyColumns, migrationsOf, nameOf, sequencesOf, type Table, tablesOf } from "@/lib/backup/catalogue";
import { type Copied, END, FORMAT, frame, frameOf, type Head } from "@/lib/backup/format";
import { OperatorError } from "@/lib/platform/errors";
import { withConnection } from "@/lib/platform/pool";
import { seal } from "@/lib/platform/secrets";

/** Sealed into each backup, to test whether the current secrets open it. */
export const PROOF = "footfall";
export const PROOF_CONTEXT = "backup";

/** Rows are written in parts of about this size, because one frame per row would be slow. */
const PART_BYTES = 256 * 1024;

interface Options {
  url: string;
  /** The version of the service. */
  version: string;
  /** Secrets to include; null for a backup without secrets. */
  secrets: string | null;
  now: Date;
  /** Called after every part of about 256 KB. */
  onProgress?(copied: Copied): void;
}

/**
 * Writes a consistent snapshot of a database into one file while the service keeps running. Memory use is independent
 * of the size of the database. An existing file is replaced only when the new one is complete.
 *
 * @throws OperatorError when the database is not a Footfall database.
 */
export function backUp(file: string, options: Options): Promise<Copied> {
  return withConnection(options.url, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables = await tablesOf(client);
    const head = await headOf(client, options);
    const copied: Copied = { tables: 0, rows: 0, bytes: 0 };
    const part = `${file}.part`;
    // A file that is already there would keep its mode, and a link would lead elsewhere.
    await rm(part, { force: true });
    try {
      const written = createWriteStream(part, { mode: 0o600, flags: "wx" });
      const parts = partsOf(client, head, tables, copied, options.onProgress);
      await pipeline(Readable.from(parts), createGzip({ level: 6 }), written);
      await syncAndRename(part, file);
      return copied;
    } finally {
      await rm(part, { force: true });
    }
  });
}

async function headOf(client: pg.Client, { version, secrets, now }: Options): Promise<Head> {
  const migrations = await migrationsOf(client);
  if (migrations.length === 0) throw new OperatorError("There is nothing to back up: this is not a Footfall database.");
  return {
    form: FORMAT,
    at: now.toISOString(),
    version,
    migrations,
    // Sequences are not part of the snapshot: read after it was taken, they can be ahead of the rows but never behind.
    sequences: await sequencesOf(client),
    sealed: seal(Buffer.from(PROOF), PROOF_CONTEXT).toString("base64"),
    secrets,
  };
}

async function* partsOf(
  client: pg.Client,
  head: Head,
  tables: readonly Table[],
  copied: Copied,
  onProgress: (copied: Copied) => void = () => {},
): AsyncGenerator<Buffer> {
  yield frameOf(head);
  for (const table of tables) {
    yield frameOf({ table });
    const rows = client.query(copyTo(`COPY ${nameOf(table)} (${copyColumns(table)}) TO STDOUT`));
    for await (const part of inParts(rows)) {
      copied.bytes += part.length;
      onProgress(copied);
      yield frame(part);
    }
    copied.tables++;
    copied.rows += rows.rowCount;
    yield END;
  }
  yield frameOf({ tables: tables.length });
}

/** Joins chunks into parts of about `PART_BYTES`. */
async function* inParts(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [chunks, bytes]: [Buffer[], number] = [[], 0];
  for await (const chunk of rows) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

/**
 * Flushes the file to disk before renaming it, so that the final name always has a complete file, even after a crash.
 */
async function syncAndRename(part: string, file: string): Promise<void> {
  const handle = await open(part, "r");
  await handle.sync();
  await handle.close();
  await rename(part, file);
}
