import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/platform/errors";
import { withConnection } from "@/lib/platform/pool";

const MIGRATION_LOCK = 0x6d69_6772;

/** The folder with the migrations of this version. */
const MIGRATIONS = "prisma/migrations";

/** An applied migration. */
export interface Migration {
  name: string;
  checksum: string;
}

/**
 * Applies pending migrations in order of their names, each in its own transaction. A lock makes concurrent processes
 * migrate once. There are no down migrations; fix mistakes with a further migration.
 *
 * @param wanted selects migrations, for a restore of an older schema.
 * @returns the names of the migrations that were applied.
 * @throws OperatorError when the database has a migration that this version does not have, or has with another text.
 */
export function migrate(
  url: string,
  dir = MIGRATIONS,
  wanted: (migration: Migration) => boolean = () => true,
): Promise<string[]> {
  return withConnection(url, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const { rows: done } = await client.query<Migration>("SELECT name, checksum FROM migration ORDER BY name");
    const fault = migrationFault(done, "database", dir);
    if (fault) throw new OperatorError(fault);
    const known = new Set(done.map(({ name }) => name));
    const applied: string[] = [];
    for (const { name, sql, checksum } of migrationsIn(dir).filter(wanted)) {
      if (known.has(name)) continue;
      await client.query("BEGIN");
      await client.query(sql);
      await client.query("INSERT INTO migration (name, checksum) VALUES ($1, $2)", [name, checksum]);
      await client.query("COMMIT");
      applied.push(name);
    }
    return applied;
  });
}

/** Where the applied migrations are read, and how its events are exported by the version that applied them. */
const HOLDERS = {
  database: { work: "upgrade", start: "start that version on it" },
  backup: { work: "restore", start: "restore and start it with that version" },
};

/**
 * Returns why this version cannot use a database with these migrations, and what to do; null when it can.
 *
 * @param applied in order of their names.
 */
export function migrationFault(
  applied: readonly Migration[],
  holder: keyof typeof HOLDERS,
  dir = MIGRATIONS,
): string | null {
  const ours = migrationsIn(dir);
  const checksums = new Map(ours.map(({ name, checksum }) => [name, checksum]));
  const unknown = applied.find(({ name }) => !checksums.has(name));
  // Versions only add migrations: one before all of ours is of a version that created its tables by other ones.
  if (unknown && ours[0] && unknown.name < ours[0].name) {
    const { work, start } = HOLDERS[holder];
    return `The ${holder} is of an older version, which this version cannot ${work}: ${start}, export the events of each site under Settings, Data, then start this version with an empty database (a new DATA_DIR or DATABASE_URL), add the sites, and import each file with npm run import -- --site <domain> <file>.`;
  }
  if (unknown)
    return `The ${holder} is of a newer version, with the migration ${unknown.name}: use that version or a later one.`;
  const changed = applied.find(({ name, checksum }) => checksums.get(name) !== checksum);
  return changed ? `Migration ${changed.name} was changed after it was applied; restore its text.` : null;
}

export function migrationsIn(dir = MIGRATIONS): { name: string; sql: string; checksum: string }[] {
  return readdirSync(path.resolve(dir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.resolve(dir, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}
