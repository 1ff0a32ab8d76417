import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/platform/errors";
import { withConnection } from "@/lib/platform/pool";

const MIGRATION_LOCK = 0x6d69_6772;

/**
 * Applies pending migrations of `prisma/migrations` in order of their names, each in its own transaction. A lock makes
 * concurrent processes migrate once. There are no down migrations; fix mistakes with a further migration.
 *
 * @param wanted selects migrations, for tests that need an older schema.
 * @returns the names of the migrations that were applied.
 * @throws when an applied migration has changed since, naming it.
 */
export function migrate(
  url: string,
  dir = path.resolve("prisma/migrations"),
  wanted: (migration: { name: string }) => boolean = () => true,
): Promise<string[]> {
  return withConnection(url, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const done = await client.query<{ name: string; checksum: string }>("SELECT name, checksum FROM migration");
    const known = new Map(done.rows.map((row) => [row.name, row.checksum]));
    const applied: string[] = [];
    for (const { name, sql, checksum } of migrationsIn(dir).filter(wanted)) {
      const before = known.get(name);
      if (before === checksum) continue;
      if (before) throw new OperatorError(`Migration ${name} was changed after it was applied; restore its text.`);
      await client.query("BEGIN");
      await client.query(sql);
      await client.query("INSERT INTO migration (name, checksum) VALUES ($1, $2)", [name, checksum]);
      await client.query("COMMIT");
      applied.push(name);
    }
    return applied;
  });
}

export function migrationsIn(dir: string): { name: string; sql: string; checksum: string }[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(dir, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}
