import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { backUp } from "@/lib/backup/backup";
import { BadBackup } from "@/lib/backup/format";
import { NotRestored, openBackup, opens, restore } from "@/lib/backup/restore";
import { bootEnv, ConfigError, type Env } from "@/lib/platform/env";
import { withConnection } from "@/lib/platform/pool";
import { bootSecrets, hasSecrets, saveSecrets, secretsOf } from "@/lib/platform/secrets";
import { AlreadyRunning, embeddedUrl, isInitialised, startPostgres } from "@/lib/postgres/start";
import { checkPooler } from "@/lib/server/check-pooler";
import { version } from "@/package.json";

/** `npm run backup -- <file>` and `npm run restore -- <file>`. */

const USAGE = `npm run backup -- <file>    writes all data to a file, also while the service runs
  --with-secrets           also writes the secrets that decrypt sealed data: protect the file like the secrets
npm run restore -- <file>   restores a backup into an empty database
  --secrets-lost           restores without the secrets: two-factor secrets, signing keys and the keys of
                           user pseudonyms are lost`;

/** The restore's own connection, and that of the migrations. */
const RESTORE_CONNECTIONS = 2;

class UsageError extends Error {}

main().catch((error: unknown) => {
  const isExpected = [ConfigError, AlreadyRunning, BadBackup, NotRestored, UsageError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(`${isExpected ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { "with-secrets": { type: "boolean" }, "secrets-lost": { type: "boolean" } },
  });
  const [command, file] = positionals;
  if (!file || positionals.length > 2) throw new UsageError(USAGE);
  const env = bootEnv();
  if (command === "backup") await writeBackup(env, file, values["with-secrets"] ?? false);
  else await readBackup(env, file, values["secrets-lost"] ?? false);
}

async function writeBackup(env: Env, file: string, withSecrets: boolean): Promise<void> {
  if (!env.DATABASE_URL && !isInitialised(env.DATA_DIR))
    throw new UsageError(`${env.DATA_DIR} contains no database; set DATA_DIR or DATABASE_URL as for npm start.`);
  bootSecrets(env);
  const secrets = withSecrets ? secretsOf(env) : null;
  const tables = await withDatabase(env, (url) => backUp(file, { url, version, secrets, now: new Date() }));
  const secretsPlace = env.APP_SECRETS === undefined ? `the file app-secrets in ${env.DATA_DIR}` : "APP_SECRETS";
  const advice = withSecrets
    ? "It contains the secrets: protect it like the secrets."
    : `It does not contain the secrets: store ${secretsPlace} separately.`;
  process.stdout.write(`${tables} tables written to ${file}. ${advice}\n`);
}

async function readBackup(env: Env, file: string, secretsLost: boolean): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`The file ${file} does not exist.`);
  const backup = await openBackup(file);
  try {
    const { head } = backup;
    if (!hasSecrets(env) && head.secrets !== null) saveSecrets(env.DATA_DIR, head.secrets);
    if (hasSecrets(env) || secretsLost) bootSecrets(env);
    if (!secretsLost && !opens(head)) throw new NotRestored(WRONG_SECRETS);
    // A restore takes the migration lock, which some poolers do not support; a backup is a single transaction and works
    // with any.
    if (env.DATABASE_URL) await checkPooler("DATABASE_URL", env.DATABASE_URL, RESTORE_CONNECTIONS);
    const tables = await withDatabase(env, (url) => restore(url, backup), true);
    process.stdout.write(`${tables} tables restored from ${head.at}, version ${head.version}.\n`);
  } finally {
    backup.close();
  }
}

const WRONG_SECRETS =
  "The sealed data of this backup cannot be decrypted: set APP_SECRETS to the value it was created with, or put its app-secrets file into DATA_DIR. If the secrets are lost, add --secrets-lost.";

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
