import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { readLines } from "@/lib/logs/lines";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { bootEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { AlreadyRunning, embeddedUrl, isInitialised, startPostgres } from "@/lib/postgres/start";
import { checkPooler } from "@/lib/server/check-pooler";
import { migrate } from "@/lib/server/migrate";
import type { Service } from "@/lib/transfer/daily-sums";
import { GA4 } from "@/lib/transfer/ga4";
import type { Target } from "@/lib/transfer/import";
import { importEvents } from "@/lib/transfer/import-events";
import { importSums } from "@/lib/transfer/import-sums";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { UMAMI } from "@/lib/transfer/umami";

/** `npm run import -- --site <domain> <file>`: an export of Footfall's, see `importEvents`; or another service's, see `importSums`. */

const SERVICES = { plausible: PLAUSIBLE, umami: UMAMI, ga4: GA4 } as const;
type Format = "footfall" | keyof typeof SERVICES;
const FORMATS: readonly string[] = ["footfall", ...Object.keys(SERVICES)];

const USAGE = `npm run import -- --site example.com [--format footfall] <file> …
  --format footfall   an export in NDJSON, as it is or gzipped (unless told)
  --format plausible  the CSVs of Plausible's export, or a folder of them
  --format umami      its tables website_event and session as CSV with headers
  --format ga4        CSVs of Google Analytics 4: a date, at most one dimension
  A folder stands for its files *.csv and *.csv.gz.
  DATABASE_URL or DATA_DIR say which installation, as for npm start`;

/** The longest line of an export: an event's properties in their most roundabout spelling, and its words. */
const LONGEST_LINE = 1024 * 1024;
const PROGRESS_MS = 5_000;

class Misuse extends Error {}

function readArguments() {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { site: { type: "string" }, format: { type: "string", default: "footfall" } },
  });
  const { site, format } = values;
  if (positionals.length === 0 || !site || !FORMATS.includes(format)) throw new Misuse(USAGE);
  for (const file of positionals) if (!existsSync(file)) throw new Misuse(`There is no file ${file}.`);
  return { files: positionals.flatMap(filesIn), site: site.toLowerCase(), format: format as Format };
}

/** The CSVs of a folder, or the file itself. */
function filesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  const names = readdirSync(place).filter((name) => /\.csv(\.gz)?$/.test(name));
  if (names.length === 0) throw new Misuse(`There is no CSV in ${place}: unpack the export, or name its files.`);
  return names.sort().map((name) => path.join(place, name));
}

/** Opens the database of the installation, which its server may be using, for as long as the work takes. */
async function withDatabase(work: () => Promise<void>): Promise<void> {
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  if (!env.DATABASE_URL && !isInitialised(env.DATA_DIR)) throw new Misuse(`There is no database in ${env.DATA_DIR}.`);
  const own = env.DATABASE_URL ? null : await startPostgres(env.DATA_DIR).catch(besideServer);
  try {
    const url = env.DATABASE_URL ?? embeddedUrl(env.DATA_DIR, "app");
    if (own) await migrate(url);
    else if (env.DATABASE_URL) await checkPooler("DATABASE_URL", url);
    openDatabase(url);
    await work();
  } finally {
    await closeDatabase();
    await own?.stop();
  }
}

function besideServer(error: unknown): null {
  if (error instanceof AlreadyRunning) return null;
  throw error;
}

async function targetOf(host: string): Promise<Target> {
  const found = await db().siteDomain.findUnique({ where: { host }, select: { site: true } });
  if (!found) throw new Misuse(`There is no site ${host} here: add it first, with the timezone that it had.`);
  return { siteId: found.site.id, timezone: found.site.timezone, host };
}

/** How far it is, now and then. */
function teller(): (sums: { lines: number; added: number }) => void {
  let told = Date.now();
  return ({ lines, added }) => {
    if (Date.now() - told < PROGRESS_MS) return;
    told = Date.now();
    process.stderr.write(`${lines} events read, ${added} of them added …\n`);
  };
}

const linesOf = (file: string) => readLines(createReadStream(file), LONGEST_LINE);

async function importOwn(files: readonly string[], target: Target): Promise<string> {
  let [read, added] = [0, 0];
  for (const file of files) {
    const sums = await importEvents(linesOf(file), target, teller());
    read += sums.lines;
    added += sums.added;
  }
  return `${read} events read: ${added} added, ${read - added} were there already.`;
}

async function importFrom(service: Service, files: readonly string[], target: Target): Promise<string> {
  const given = files.map((file) => ({ name: path.basename(file), lines: linesOf(file) }));
  const { rows, days, ownDays, left } = await importSums(service, given, target);
  if (ownDays > 0) left.push(`${ownDays} days left out, on which the site has counted itself.`);
  return [`${rows} rows read: ${days} days are there now, marked as imported.`, ...left].join("\n");
}

try {
  const { files, site, format } = readArguments();
  await withDatabase(async () => {
    const target = await targetOf(site);
    const told = format === "footfall" ? importOwn(files, target) : importFrom(SERVICES[format], files, target);
    process.stdout.write(`${await told}\n`);
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
