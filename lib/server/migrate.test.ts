import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { expect, test } from "vitest";
import { migrationsOf } from "@/lib/backup/catalogue";
import { explainError } from "@/lib/platform/explain-error";
import { migrate } from "@/lib/server/migrate";
import { connected, emptyDatabase } from "@/lib/testing/database";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** Prisma's schema engine as WebAssembly; the native one would have to be downloaded. */
async function schemaEngine(url: string, schema: string) {
  const require = createRequire(import.meta.url);
  const dir = path.dirname(require.resolve("@prisma/schema-engine-wasm"));
  const engine = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = new WebAssembly.Module(readFileSync(path.join(dir, "schema_engine_bg.wasm")));
  const instance = new WebAssembly.Instance(module, { "./schema_engine_bg.js": engine as never });
  const exports = instance.exports as { __wbindgen_start(): void };
  (engine as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url }));
  return engine.SchemaEngine.new({ datamodels: [["schema.prisma", schema]] }, () => {}, adapter);
}

/** The SQL that creates the schema of schema.prisma in an empty database. */
async function sqlOfSchema(url: string): Promise<string> {
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  const engine = await schemaEngine(url, schema);
  const files = [{ path: "schema.prisma", content: schema }];
  const made = await engine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files, configDir: path.resolve("prisma") },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  } as never);
  return made.stdout ?? "";
}

/** Every column, index, constraint and enum value of the control tables, as lines. */
const catalogue = (url: string, sql = ""): Promise<string[]> =>
  connected(url, async (client) => {
    await client.query(sql);
    const lines = await client.query<{ line: string }>(`
      SELECT format('%s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migration'
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migration'
      UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> coalesce(to_regclass('migration'), 0)
      UNION ALL SELECT format('%s %s', enumtypid::regtype, enumlabel) FROM pg_enum
      ORDER BY 1`);
    return lines.rows.map((row) => row.line);
  });

// Constraints and indexes that schema.prisma cannot express.
const SQL_ONLY = [
  "alert_channel CHECK ((((url IS NOT NULL) = (kind = ANY (ARRAY['slack'::alert_channel_kind, 'teams'::alert_channel_kind, 'discord'::alert_channel_kind]))) AND ((host IS NULL) = (url IS NULL))))",
  "alert_channel CHECK (((email IS NOT NULL) = (kind = 'email'::alert_channel_kind)))",
  "alert_rule CHECK (((threshold IS NULL) = (condition = 'unusual'::alert_condition)))",
  "annotation CHECK ((num_nonnulls(day, at) = 1))",
  "membership CHECK (\nCASE\n    WHEN (team_role IS NULL) THEN (own_role IS NULL)\n    ELSE (role = GREATEST(own_role, team_role))\nEND)",
  "invitation CHECK ((num_nonnulls(site_id, team_id) = 1))",
  "dashboard CHECK ((num_nonnulls(compare_from, compare_to) = ANY (ARRAY[0, 2])))",
  ...["recipient_report", "report_subscription"].flatMap((table) => [
    `${table} CHECK (((hour >= 0) AND (hour <= 23)))`,
    `${table} CHECK (((month_day >= 1) AND (month_day <= 28)))`,
    `${table} CHECK (((weekday >= 1) AND (weekday <= 7)))`,
  ]),
  "CREATE UNIQUE INDEX incident_open ON public.incident USING btree (site_id, cause) WHERE (ended_at IS NULL)",
  "CREATE UNIQUE INDEX site_domain_primary ON public.site_domain USING btree (site_id) WHERE is_primary",
];

test("schema.prisma and the migrations describe the same control tables", async () => {
  const [migrated, modelled] = [await emptyDatabase(), await emptyDatabase()];
  await migrate(migrated);
  const fromMigrations = await catalogue(migrated);
  const fromSchema = await catalogue(modelled, await sqlOfSchema(modelled));
  expect(fromSchema.length).toBeGreaterThan(40);
  expect(fromMigrations.filter((line) => !SQL_ONLY.includes(line))).toEqual(fromSchema);
});

test("two processes that start at the same time migrate once, and a second start changes nothing", async () => {
  const url = await emptyDatabase();
  const [first, second] = await Promise.all([migrate(url), migrate(url)]);
  expect([first.length, second.length].sort()).toEqual([0, first.length + second.length].sort());
  expect(first.length + second.length).toBeGreaterThan(1);
  expect(await migrate(url)).toEqual([]);
});

/** A folder of migrations that each create a table. */
function migrationsNamed(names: readonly string[], onTestFinished: (remove: () => void) => void): string {
  const dir = temporaryDir(onTestFinished);
  for (const name of names) {
    mkdirSync(path.join(dir, name));
    writeFileSync(path.join(dir, name, "migration.sql"), `CREATE TABLE "${name}" (id int);`);
  }
  return dir;
}

test("a database of an older version is refused unchanged, with the way to take its events along", async ({
  onTestFinished,
}) => {
  for (const older of [
    ["20261120000000_control", "20261120000001_facts", "20261126110000_visits_by_time"],
    ["20261120000000_control"],
    // Its later migrations are part of ours, or later than ours.
    ["20261130120000_control", "20261130120100_facts", "20261202090000_alert_goal", "29990101000000_later"],
  ]) {
    const url = await emptyDatabase();
    await migrate(url, migrationsNamed(older, onTestFinished));
    const refused = await migrate(url).then(String, explainError);
    expect(refused).toMatch(/^The database is of an older version.*export the events.*npm run import --.*\.$/);
    expect(refused).not.toContain(". ");
    expect((await connected(url, migrationsOf)).map(({ name }) => name)).toEqual(older);
    expect(await catalogue(url)).toHaveLength(older.length);
  }
});

test("a database of a newer version is refused, naming the migration that this version lacks", async ({
  onTestFinished,
}) => {
  const url = await emptyDatabase();
  await migrate(url);
  const later = "29990101000000_later";
  const known = (await connected(url, migrationsOf)).map(({ name }) => name);
  await migrate(url, copyWith(later, onTestFinished));
  const refused = await migrate(url).then(String, explainError);
  expect(refused).toBe(
    `The database is of a newer version, with the migration ${later}: use that version or a later one.`,
  );
  expect((await connected(url, migrationsOf)).map(({ name }) => name)).toEqual([...known, later]);
});

/** The migrations of this version, and a further one. */
function copyWith(name: string, onTestFinished: (remove: () => void) => void): string {
  const dir = migrationsNamed([name], onTestFinished);
  cpSync("prisma/migrations", dir, { recursive: true });
  return dir;
}

test("boot fails when an applied migration was edited, naming the migration", async ({ onTestFinished }) => {
  const name = "20200101000000_first";
  const dir = migrationsNamed([name], onTestFinished);
  const url = await emptyDatabase();
  await migrate(url, dir);
  writeFileSync(path.join(dir, name, "migration.sql"), "CREATE TABLE b (id int);");
  await expect(migrate(url, dir)).rejects.toThrow(`${name} was changed`);
});
