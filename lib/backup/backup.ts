import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { columnsOf, migrationsOf, nameOf, sequencesOf, type Table, tablesOf } from "@/lib/backup/catalogue";
import { END, FORM, frame, frameOf, type Head } from "@/lib/backup/format";
import { seal } from "@/lib/platform/secrets";

/** Sealed into each backup, to try secrets with. */
export const PROOF = "footfall";
export const PROOF_PLACE = "backup";

/** Rows are handed on in pieces of about this size: one by one they would cost more than they are. */
const PIECE_BYTES = 256 * 1024;

interface Options {
  url: string;
  /** Of the service. */
  version: string;
  /** To be written into the backup; null for a backup without. */
  secrets: string | null;
  now: Date;
}

/**
 * Writes everything that a database holds into one file, as it stood at one moment, while the service goes on. What is in
 * memory at once does not grow with the database.
 *
 * @returns how many tables there were.
 * @throws when the database is not one of ours. A file that was there stays until the new one is whole.
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
  if (migrations.length === 0) throw new Error("There is nothing to back up: this is not a database of Footfall's.");
  return {
    form: FORM,
    at: now.toISOString(),
    version,
    migrations,
    // They have no snapshot: read after that of the rows was taken, they may be further, and are never behind.
    sequences: await sequencesOf(client),
    sealed: seal(Buffer.from(PROOF), PROOF_PLACE).toString("base64"),
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
  let [piece, bytes]: [Buffer[], number] = [[], 0];
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    piece.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield frame(Buffer.concat(piece));
    [piece, bytes] = [[], 0];
  }
  if (bytes > 0) yield frame(Buffer.concat(piece));
}

/** What stands under the name is whole, also after the power has failed. */
async function syncAndRename(part: string, file: string): Promise<void> {
  const handle = await open(part, "r");
  await handle.sync();
  await handle.close();
  await rename(part, file);
}
