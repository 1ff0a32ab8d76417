import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { PROOF, PROOF_CONTEXT } from "@/lib/backup/backup";
import { copyColumns, migrationsOf, nameOf, type Table, tablesOf } from "@/lib/backup/catalogue";
import { BadBackup, type Copied, Frames, type Head, headShape, partShape } from "@/lib/backup/format";
import { OperatorError } from "@/lib/platform/errors";
import { withConnection } from "@/lib/platform/pool";
import { unseal } from "@/lib/platform/secrets";
import { type Migration, migrate, migrationFault } from "@/lib/server/migrate";

/** A refused restore; its message says what to do. */
export class NotRestored extends OperatorError {}

/** A backup that is being read. */
export interface OpenBackup {
  head: Head;
  frames: Frames;
  close(): void;
}

/** Opens a backup and reads its head. @throws BadBackup */
export async function openBackup(file: string): Promise<OpenBackup> {
  const [read, unpacked] = [createReadStream(file), createGunzip()];
  read.on("error", (error) => unpacked.destroy(error));
  const frames = new Frames(read.pipe(unpacked));
  return { head: await frames.read(headShape), frames, close: () => read.destroy() };
}

/** Returns whether the secrets of this process open the sealed values of a backup. */
export function opens({ sealed }: Head): boolean {
  try {
    return unseal(Buffer.from(sealed, "base64"), PROOF_CONTEXT).toString() === PROOF;
  } catch {
    return false;
  }
}

/**
 * Restores a backup into an empty database, in one transaction, and applies newer migrations.
 *
 * @param onProgress called after every frame of rows.
 * @throws NotRestored for a database that is not empty, and for a backup of another version that this one cannot restore; BadBackup.
 */
export async function restore(
  url: string,
  { head, frames }: OpenBackup,
  onProgress: (copied: Copied) => void = () => {},
): Promise<Copied> {
  const fault = migrationFault(head.migrations, "backup");
  if (fault) throw new NotRestored(fault);
  return withConnection(url, async (client) => {
    await refuseFilled(client, head.migrations);
    const wanted = new Set(head.migrations.map(({ name }) => name));
    await migrate(url, undefined, ({ name }) => wanted.has(name));
    await client.query("BEGIN");
    const copied = await fill(client, frames, onProgress);
    for (const { last, called, ...sequence } of head.sequences) {
      await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [nameOf(sequence), last, called]);
    }
    await client.query("COMMIT");
    await client.query("ANALYZE");
    await migrate(url);
    return copied;
  });
}

async function refuseFilled(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const wanted = new Set(migrations.map(({ name }) => name));
  const applied = await migrationsOf(client);
  const ahead = applied.some(({ name }) => !wanted.has(name));
  for (const table of ahead ? [] : await tablesOf(client)) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT 1 FROM ${nameOf(table)}) AS filled`);
    if (rows[0].filled) throw notEmpty();
  }
  if (ahead) throw notEmpty();
}

const notEmpty = () =>
  new NotRestored(
    "The database is not empty, and a restore overwrites nothing: set DATA_DIR to a new folder, or DATABASE_URL to a new database.",
  );

async function fill(client: pg.Client, frames: Frames, onProgress: (copied: Copied) => void): Promise<Copied> {
  const copied: Copied = { tables: 0, rows: 0, bytes: 0 };
  const rowsOfTable = async function* () {
    for await (const rows of frames.upToEnd()) {
      copied.bytes += rows.length;
      onProgress(copied);
      yield rows;
    }
  };
  for (; ; copied.tables++) {
    const part = await frames.read(partShape);
    if (!("table" in part)) {
      if (part.tables !== copied.tables) throw new BadBackup("The backup is incomplete: tables are missing.");
      return copied;
    }
    await makeMonth(client, part.table);
    const into = client.query(copyFrom(`COPY ${nameOf(part.table)} (${copyColumns(part.table)}) FROM STDIN`));
    await pipeline(Readable.from(rowsOfTable()), into);
    copied.rows += into.rowCount;
  }
}

/** Creates the partition of a month, which exists only once the month has begun. */
async function makeMonth(client: pg.Client, { schema, name }: Table): Promise<void> {
  const [, year, month] = (schema === "facts" && /^(?:event|visit)_(\d{4})_(\d\d)$/.exec(name)) || [];
  if (year) await client.query("SELECT facts.add_month($1::date)", [`${year}-${month}-01`]);
}
