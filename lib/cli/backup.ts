import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { backUp } from "@/lib/backup/backup";
import type { Copied } from "@/lib/backup/format";
import { NotRestored, openBackup, opens, restore } from "@/lib/backup/restore";
import { parseArguments, progressPrinter, runCommand, UsageError } from "@/lib/cli/command";
import { formatBytes } from "@/lib/platform/bytes";
import { bootEnv, type Env } from "@/lib/platform/env";
import { withConnection } from "@/lib/platform/pool";
import { bootSecrets, hasSecrets, saveSecrets, secretsOf } from "@/lib/platform/secrets";
import { embeddedUrl, isInitialised, startPostgres } from "@/lib/postgres/start";
import { checkPooler, checkReachable } from "@/lib/server/check-pooler";
import { version } from "@/package.json";

/** `npm run backup -- <file>` and `npm run restore -- <file>`. */

const USAGE = `npm run backup -- <file>    writes all data to a file, also while the service runs
  --with-secrets           also writes the secrets that decrypt sealed data: protect the file like the secrets
npm run restore -- <file>   restores a backup into an empty database
  --secrets-lost           restores without the secrets: two-factor secrets, signing keys and the keys of
                           user pseudonyms are lost`;

const WRONG_SECRETS =
  "The sealed data of this backup cannot be decrypted: set APP_SECRETS to the value it was created with, or put its app-secrets file into DATA_DIR. If the secrets are lost, add --secrets-lost.";

/** The restore's own connection, and that of the migrations. */
const RESTORE_CONNECTIONS = 2;

async function main(): Promise<void> {
  const isBackup = process.argv[2] === "backup";
  const { positionals, values } = parseArguments(
    USAGE,
    isBackup ? { "with-secrets": { type: "boolean" } } : { "secrets-lost": { type: "boolean" } },
  );
  const [, file] = positionals;
  if (!file || positionals.length > 2) throw new UsageError(USAGE);
  const run = isBackup ? writeBackup : readBackup;
  await run(bootEnv(), path.resolve(file), Object.values(values).includes(true));
}

async function writeBackup(env: Env, file: string, withSecrets: boolean): Promise<void> {
  requireWritable(file);
  if (!env.DATABASE_URL && !isInitialised(env.DATA_DIR))
    throw new UsageError(`${env.DATA_DIR} contains no database; set DATA_DIR or DATABASE_URL as for npm start.`);
  bootSecrets(env);
  const secrets = withSecrets ? secretsOf(env) : null;
  const options = { version, secrets, now: new Date(), onProgress: progress("written") };
  // A backup is a single transaction, and works with any pooler.
  if (env.DATABASE_URL) await checkReachable("DATABASE_URL", env.DATABASE_URL);
  const copied = await withDatabase(env, (url) => backUp(file, { ...options, url }));
  const secretsPlace = env.APP_SECRETS === undefined ? `the file app-secrets in ${env.DATA_DIR}` : "APP_SECRETS";
  const advice = withSecrets
    ? "It contains the secrets: protect it like the secrets."
    : `It does not contain the secrets: store ${secretsPlace} separately.`;
  process.stdout.write(
    `${sumsOf(copied)} written to ${file} (${formatBytes(statSync(file).size)}).\n${advice}\n` +
      `Restore it with: npm run restore -- ${file}\n`,
  );
}

function requireWritable(file: string): void {
  const folder = path.dirname(file);
  if (!existsSync(folder)) throw new UsageError(`The folder ${folder} does not exist: create it, or choose another.`);
  if (existsSync(file) && statSync(file).isDirectory())
    throw new UsageError(`${file} is a folder: name a file, such as ${path.join(file, "footfall.backup")}.`);
}

async function readBackup(env: Env, file: string, secretsLost: boolean): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`The file ${file} does not exist.`);
  const backup = await openBackup(file);
  try {
    const { head } = backup;
    if (!hasSecrets(env) && head.secrets !== null) saveSecrets(env.DATA_DIR, head.secrets);
    if (hasSecrets(env) || secretsLost) bootSecrets(env);
    if (!secretsLost && !opens(head)) throw new NotRestored(WRONG_SECRETS);
    // A restore takes the migration lock, which some poolers do not support.
    if (env.DATABASE_URL) await checkPooler("DATABASE_URL", env.DATABASE_URL, RESTORE_CONNECTIONS);
    const copied = await withDatabase(env, (url) => restore(url, backup, progress("restored")), true);
    process.stdout.write(
      `${sumsOf(copied)} restored from the backup of ${head.at}, version ${head.version}.\nNext: npm start\n`,
    );
  } finally {
    backup.close();
  }
}

const sumsOf = ({ rows, tables }: Copied): string => `${rows} rows of ${tables} tables`;

const progress = (done: string) =>
  progressPrinter<Copied>(({ tables, bytes }) => `${tables} tables, ${formatBytes(bytes)} ${done}`);

/**
 * Runs `work` with the configured database. Starts the embedded one unless it is already running; `alone` requires that
 * it is not.
 */
async function withDatabase<T>(env: Env, work: (url: string) => Promise<T>, alone = false): Promise<T> {
  if (env.DATABASE_URL) return work(env.DATABASE_URL);
  if (!alone) {
    // The superuser can read everything, also beside a server of an older version, which has no other role.
    const url = embeddedUrl(env.DATA_DIR, "admin");
    if (await isRunning(url)) return work(url);
  }
  const postgres = await startPostgres(env.DATA_DIR);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

const isRunning = (url: string): Promise<boolean> => withConnection(url, async () => true).catch(() => false);

await runCommand(main);
