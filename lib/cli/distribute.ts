import { parseArguments, runCommand, UsageError } from "@/lib/cli/command";
import { bootEnv } from "@/lib/platform/env";
import { checkPooler } from "@/lib/server/check-pooler";
import { distribute, NotDistributed } from "@/lib/server/distribute";

/** `npm run distribute`. */

const USAGE = `npm run distribute   distributes events, visits and their dictionaries by site over the nodes of Citus
  DATABASE_URL is its coordinator. Stop all servers first. An interrupted run can be repeated.`;

/** The connection of this command, and that of the migrations. */
const CONNECTIONS = 2;

async function main(): Promise<void> {
  if (parseArguments(USAGE, {}).positionals.length > 0) throw new UsageError(USAGE);
  const { DATABASE_URL: url } = bootEnv();
  if (!url)
    throw new NotDistributed("Set DATABASE_URL to the coordinator of Citus: the embedded database is one node.");
  await checkPooler("DATABASE_URL", url, CONNECTIONS);
  const { tables, workers } = await distribute(url, (name) => process.stderr.write(`${name} …\n`));
  const done = tables.length > 0 ? `${tables.length} tables are now distributed` : "All tables are already distributed";
  process.stdout.write(`${done} over ${workers} workers.\nNext: npm start\n`);
}

await runCommand(main);
