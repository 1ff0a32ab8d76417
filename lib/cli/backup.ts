import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { backUp } from "@/lib/backup/backup";
import { BadBackup } from "@/lib/backup/format";
import { NotRestored, openBackup, opens, restore } from "@/lib/backup/restore";
import { bootEnv, ConfigError, type Env } from "@/lib/platform/env";
import { withConnection } from "@/lib/platform/pool";
import { bootSecrets, hasSecrets, keepSecrets, secretsOf } from "@/lib/platform/secrets";
import { AlreadyRunning, embeddedUrl, isInitialised, startPostgres } from "@/lib/postgres/start";
import { checkPooler } from "@/lib/server/check-pooler";
import { version } from "@/package.json";

/** `npm run backup -- <file>` and `npm run restore -- <file>`. */

const USAGE = `npm run backup -- <file>    writes everything into a file, also while the service runs
  --with-secrets           the secrets that what is sealed is opened with, too: keep such a file as you keep them
npm run restore -- <file>   fills an empty database with it
  --secrets-lost           although nothing opens what is sealed: second factors, signing keys and the keys
                           of users' pseudonyms are lost`;

/** Its own, and that of the migrations. */
const CONNECTIONS_OF_A_RESTORE = 2;

class Misuse extends Error {}

main().catch((error: unknown) => {
  const known = [ConfigError, AlreadyRunning, BadBackup, NotRestored, Misuse].some((kind) => error instanceof kind);
  process.stderr.write(`${known ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { "with-secrets": { type: "boolean" }, "secrets-lost": { type: "boolean" } },
  });
  const [what, file] = positionals;
  if (!file || positionals.length > 2) throw new Misuse(USAGE);
  const env = bootEnv();
  if (what === "backup") await writeBackup(env, file, values["with-secrets"] ?? false);
  else await readBackup(env, file, values["secrets-lost"] ?? false);
}

async function writeBackup(env: Env, file: string, withSecrets: boolean): Promise<void> {
  if (!env.DATABASE_URL && !isInitialised(env.DATA_DIR)) throw new Misuse(`There is no database in ${env.DATA_DIR}.`);
  bootSecrets(env);
  const secrets = withSecrets ? secretsOf(env) : null;
  const tables = await withDatabase(env, (url) => backUp(file, { url, version, secrets, now: new Date() }));
  const kept = env.APP_SECRETS === undefined ? `the file app-secrets in ${env.DATA_DIR}` : "APP_SECRETS";
  const advice = withSecrets
    ? "With the secrets: keep it as you keep them."
    : `Without the secrets: keep ${kept} elsewhere.`;
  process.stdout.write(`${tables} tables are in ${file}. ${advice}\n`);
}

async function readBackup(env: Env, file: string, secretsLost: boolean): Promise<void> {
  if (!existsSync(file)) throw new Misuse(`There is no file ${file}.`);
  const backup = await openBackup(file);
  try {
    const { head } = backup;
    if (!hasSecrets(env) && head.secrets !== null) keepSecrets(env.DATA_DIR, head.secrets);
    if (hasSecrets(env) || secretsLost) bootSecrets(env);
    if (!secretsLost && !opens(head)) throw new NotRestored(WRONG_SECRETS);
    // It takes the lock of migrations; a backup is one transaction, which any pooler passes on.
    if (env.DATABASE_URL) await checkPooler("DATABASE_URL", env.DATABASE_URL, CONNECTIONS_OF_A_RESTORE);
    const tables = await withDatabase(env, (url) => restore(url, backup), true);
    process.stdout.write(`${tables} tables as they stood at ${head.at}, of version ${head.version}.\n`);
  } finally {
    backup.close();
  }
}

const WRONG_SECRETS =
  "What is sealed in this backup cannot be opened here: set APP_SECRETS to what it was made with, or put that file app-secrets into DATA_DIR. If it is lost, say --secrets-lost.";

/** The database that is configured. The embedded one is started where nobody runs it; `alone` asks for just that. */
async function withDatabase<T>(env: Env, work: (url: string) => Promise<T>, alone = false): Promise<T> {
  if (env.DATABASE_URL) return work(env.DATABASE_URL);
  if (!alone) {
    // The superuser may read everything, also beside a server of an older version, which knows no other role.
    const url = embeddedUrl(env.DATA_DIR, "admin");
    if (await answers(url)) return work(url);
  }
  const postgres = await startPostgres(env.DATA_DIR);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

const answers = (url: string): Promise<boolean> => withConnection(url, async () => true).catch(() => false);
