import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { migrationsOf } from "@/lib/backup/catalogue";
import { parseArguments, progressPrinter, runCommand, UsageError } from "@/lib/cli/command";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { bootEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { withConnection } from "@/lib/platform/pool";
import { AlreadyRunning, embeddedUrl, isInitialised, startPostgres } from "@/lib/postgres/start";
import { checkPooler } from "@/lib/server/check-pooler";
import { migrate, migrationFault, migrationsIn } from "@/lib/server/migrate";
import { openFiles } from "@/lib/transfer/archive";
import type { Service } from "@/lib/transfer/daily-sums";
import type { Target } from "@/lib/transfer/import";
import { type ImportedEvents, importEvents } from "@/lib/transfer/import-events";
import { importSums } from "@/lib/transfer/import-sums";
import { readExportFile } from "@/lib/transfer/read-export";
import { SERVICES } from "@/lib/transfer/sources";

/**
 * `npm run import -- --site <domain> <file>`: imports an export of Footfall (`importEvents`) or of another service
 * (`importSums`).
 */

type Format = "footfall" | keyof typeof SERVICES;
const FORMATS: readonly string[] = ["footfall", ...Object.keys(SERVICES)];

const USAGE = `npm run import -- --site example.com [--format footfall] <file> …
  --format footfall   an export in NDJSON, CSV or Parquet (default)
  --format plausible  the CSVs of a Plausible export, or a folder of them
  --format umami      the tables website_event and session as CSV with headers
  --format ga4        CSVs of Google Analytics 4: a date, at most one dimension
  --format matomo     reports of Matomo by day in JSON, CSV or TSV
  --format fathom     the CSVs of a Fathom export
  --format simple_analytics  the data points of its export as CSV
  --format goatcounter       the CSV or the zip of its export
  --format footfall_totals   the CSV of totals that were imported before
  A folder imports its *.csv, *.tsv, *.json and *.jsonl files, also gzipped. Files of other services can be in a zip.
  DATABASE_URL or DATA_DIR select the installation, as for npm start`;

function readArguments() {
  const { values, positionals } = parseArguments(USAGE, {
    site: { type: "string" },
    format: { type: "string", default: "footfall" },
  });
  const { site, format } = values;
  if (positionals.length === 0 || !site || !FORMATS.includes(format)) throw new UsageError(USAGE);
  for (const file of positionals) if (!existsSync(file)) throw new UsageError(`The file ${file} does not exist.`);
  return { files: positionals.flatMap(filesIn), site: site.toLowerCase(), format: format as Format };
}

/** Returns the exports in a folder, or the file itself. */
function filesIn(fileOrFolder: string): string[] {
  if (!statSync(fileOrFolder).isDirectory()) return [fileOrFolder];
  const names = readdirSync(fileOrFolder).filter((name) => /\.(csv|tsv|jsonl?)(\.gz)?$/.test(name));
  if (names.length === 0)
    throw new UsageError(`${fileOrFolder} contains no CSV, TSV or JSON file; unpack the export, or pass its files.`);
  return names.sort().map((name) => path.join(fileOrFolder, name));
}

/** Runs `work` with the installation's database, which a running server may be using. */
async function withDatabase(work: () => Promise<void>): Promise<void> {
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  if (!env.DATABASE_URL && !isInitialised(env.DATA_DIR))
    throw new UsageError(`${env.DATA_DIR} contains no database; set DATA_DIR or DATABASE_URL as for npm start.`);
  const own = env.DATABASE_URL ? null : await startPostgres(env.DATA_DIR).catch(nullIfRunning);
  try {
    const url = env.DATABASE_URL ?? embeddedUrl(env.DATA_DIR, "app");
    if (own) await migrate(url);
    else if (env.DATABASE_URL) await checkPooler("DATABASE_URL", url);
    await requireCurrent(url);
    openDatabase(url);
    await work();
  } finally {
    await closeDatabase();
    await own?.stop();
  }
}

/** Does not migrate a database that other processes may use. */
async function requireCurrent(url: string): Promise<void> {
  const applied = await withConnection(url, migrationsOf);
  const fault = migrationFault(applied, "database");
  if (fault) throw new UsageError(fault);
  if (applied.length === migrationsIn().length) return;
  throw new UsageError(
    "The database is empty or of an older version: start this version once with npm start, then import again.",
  );
}

function nullIfRunning(error: unknown): null {
  if (error instanceof AlreadyRunning) return null;
  throw error;
}

async function targetOf(host: string): Promise<Target> {
  const found = await db().siteDomain.findUnique({ where: { host }, select: { site: true } });
  if (!found) throw new UsageError(`The site ${host} does not exist; add it first, with its previous timezone.`);
  const { id: siteId, timezone, pageQuery } = found.site;
  return { siteId, timezone, pageQuery, host, now: new Date() };
}

const progress = progressPrinter<ImportedEvents>(({ lines, added }) => `${lines} events read, ${added} added`);

async function importOwn(files: readonly string[], target: Target): Promise<string> {
  let [read, added] = [0, 0];
  for (const file of files) {
    const sums = await importEvents(readExportFile(file), target, progress);
    read += sums.lines;
    added += sums.added;
  }
  return `${read} events read: ${added} added, ${read - added} already stored.`;
}

async function importFrom(service: Service, files: readonly string[], target: Target): Promise<string> {
  const uploads = files.map((file) => ({ name: path.basename(file), path: file, bytes: statSync(file).size }));
  const opened = await openFiles(uploads);
  const tables = opened.files.map(({ name, lines }) => ({ name, lines: lines() }));
  const { rows, days, ownDays, skipped: notes } = await importSums(service, tables, target).finally(opened.close);
  if (ownDays > 0) notes.push(`${ownDays} days skipped, because the site has its own data for them.`);
  return [`${rows} rows read: ${days} days imported.`, ...notes].join("\n");
}

async function main(): Promise<void> {
  const { files, site, format } = readArguments();
  await withDatabase(async () => {
    const target = await targetOf(site);
    const report = format === "footfall" ? importOwn(files, target) : importFrom(SERVICES[format], files, target);
    process.stdout.write(`${await report}\n`);
  });
}

await runCommand(main);
