import { createReadStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { PROOF, PROOF_PLACE } from "@/lib/backup/backup";
import { columnsOf, type Migration, migrationsOf, nameOf, type Table, tablesOf } from "@/lib/backup/catalogue";
import { BadBackup, Frames, type Head, headShape, partShape } from "@/lib/backup/format";
import { unseal } from "@/lib/platform/secrets";
import { migrate, migrationsIn } from "@/lib/server/migrate";

/** Why a backup is not restored; its message says what to do. */
export class NotRestored extends Error {}

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

/** Whether the secrets of this process open what is sealed in a backup. */
export function opens({ sealed }: Head): boolean {
  try {
    return unseal(Buffer.from(sealed, "base64"), PROOF_PLACE).toString() === PROOF;
  } catch {
    return false;
  }
}

/**
 * Fills an empty database with what is in a backup and brings it up to date. It is all there afterwards, or nothing of it.
 *
 * @returns how many tables were filled.
 * @throws NotRestored for a database that holds anything, and for a backup of a newer version; BadBackup.
 */
export async function restore(url: string, { head, frames }: OpenBackup, dir?: string): Promise<number> {
  refuseNewer(head.migrations, dir);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await refuseFilled(client, head.migrations);
    const wanted = new Set(head.migrations.map(({ name }) => name));
    await migrate(url, dir, ({ name }) => wanted.has(name));
    await client.query("BEGIN");
    const filled = await fill(client, frames);
    for (const { last, called, ...sequence } of head.sequences) {
      await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [nameOf(sequence), last, called]);
    }
    await client.query("COMMIT");
    await client.query("ANALYZE");
    await migrate(url, dir);
    return filled;
  } finally {
    await client.end();
  }
}

function refuseNewer(migrations: readonly Migration[], dir = path.resolve("prisma/migrations")): void {
  const ours = new Map(migrationsIn(dir).map(({ name, checksum }) => [name, checksum]));
  const strange = migrations.find(({ name, checksum }) => ours.get(name) !== checksum);
  if (!strange) return;
  throw new NotRestored(
    `The backup is of another version than this one, which does not know its migration ${strange.name}; use that version.`,
  );
}

async function refuseFilled(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const wanted = new Set(migrations.map(({ name }) => name));
  const there = await migrationsOf(client);
  const ahead = there.some(({ name }) => !wanted.has(name));
  for (const table of ahead ? [] : await tablesOf(client)) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${nameOf(table)}) AS filled`);
    if (rows[0].filled) throw notEmpty();
  }
  if (ahead) throw notEmpty();
}

const notEmpty = () =>
  new NotRestored("The database is not empty, and nothing is written over what is there: restore into a new one.");

async function fill(client: pg.Client, frames: Frames): Promise<number> {
  for (let filled = 0; ; filled++) {
    const part = await frames.read(partShape);
    if (!("table" in part)) {
      if (part.tables !== filled) throw new BadBackup("The backup lacks tables that it says it has.");
      return filled;
    }
    await makeMonth(client, part.table);
    const into = client.query(copyFrom(`COPY ${nameOf(part.table)} (${columnsOf(part.table)}) FROM STDIN`));
    await pipeline(Readable.from(frames.upToEnd()), into);
  }
}

/** The facts of a month have a table of their own, which is made when the month comes. */
async function makeMonth(client: pg.Client, { schema, name }: Table): Promise<void> {
  const [, year, month] = (schema === "facts" && /^(?:event|visit)_(\d{4})_(\d\d)$/.exec(name)) || [];
  if (year) await client.query("SELECT facts.add_month($1::date)", [`${year}-${month}-01`]);
}
