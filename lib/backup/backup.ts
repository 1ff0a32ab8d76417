import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { columnsOf, migrationsOf, nameOf, sequencesOf, type Table, tablesOf } from "@/lib/backup/catalogue";
import { END, FORMAT, frame, frameOf, type Head } from "@/lib/backup/format";
import { seal } from "@/lib/platform/secrets";

/** Sealed into each backup, to test whether the current secrets open it. */
export const PROOF = "footfall";
export const PROOF_CONTEXT = "backup";

/** Rows are written in chunks of about this size, because one frame per row would be slow. */
const CHUNK_BYTES = 256 * 1024;

interface Options {
  url: string;
  /** The version of the service. */
  version: string;
  /** Secrets to include; null for a backup without secrets. */
  secrets: string | null;
  now: Date;
}

/**
 * Writes a consistent snapshot of a database into one file while the service keeps running. Memory use is independent
 * of the size of the database. An existing file is replaced only when the new one is complete.
 *
 * @returns the number of tables.
 * @throws when the database is not a Footfall database.
 */
export async function backUp(file: string, options: Options): Promise<number> {
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  const part = `${file}.part`;
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables = await tablesOf(client);
    const head = await headOf(client, options);
    const written = createWriteStream(part, { mode: 0o600 });
    await pipeline(Readable.from(partsOf(client, head, tables)), createGzip({ level: 6 }), written);
    await syncAndRename(part, file);
    return tables.length;
  } finally {
    await client.end();
    await rm(part, { force: true });
  }
}

async function headOf(client: pg.Client, { version, secrets, now }: Options): Promise<Head> {
  const migrations = await migrationsOf(client);
  if (migrations.length === 0) throw new Error("There is nothing to back up: this is not a Footfall database.");
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

async function* partsOf(client: pg.Client, head: Head, tables: readonly Table[]): AsyncGenerator<Buffer> {
  yield frameOf(head);
  for (const table of tables) {
    yield frameOf({ table });
    yield* rowsOf(client, table);
    yield END;
  }
  yield frameOf({ tables: tables.length });
}

async function* rowsOf(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  const rows = client.query(copyTo(`COPY ${nameOf(table)} (${columnsOf(table)}) TO STDOUT`));
  let [chunks, bytes]: [Buffer[], number] = [[], 0];
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < CHUNK_BYTES) continue;
    yield frame(Buffer.concat(chunks));
    [chunks, bytes] = [[], 0];
  }
  if (bytes > 0) yield frame(Buffer.concat(chunks));
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
