import { existsSync } from "node:fs";
import { parseArguments, runCommand, UsageError } from "@/lib/cli/command";
import { aiAgents } from "@/lib/cli/lists/ai-agents";
import { crawlerAddresses } from "@/lib/cli/lists/crawler-addresses";
import { dataCentres } from "@/lib/cli/lists/data-centres";
import type { ListSource } from "@/lib/cli/lists/list-source";
import { referrerSpam } from "@/lib/cli/lists/referrer-spam";
import { sourceLists } from "@/lib/cli/lists/sources";
import { type ListChange, updateLists } from "@/lib/cli/lists/update";

/** `npm run update-lists -- <folder>`: see `updateLists`. */

const SOURCES: readonly ListSource[] = [aiAgents, crawlerAddresses, dataCentres, referrerSpam, ...sourceLists];
const DATA = "lib/ingest/enrich/data";

const USAGE = `npm run update-lists -- <folder of downloads>
  --date <YYYY-MM-DD>  the date of the downloads; default: when each file was written
  --may-shrink         accept lists with much fewer entries than before
Downloads, by their names in the folder:
${SOURCES.map(({ download, source }) => `  ${download.padEnd(18)} ${source}`).join("\n")}`;

/** Changed entries that are printed; the rest is in the diff. */
const MAX_PRINTED = 10;

function describe({ name, added, removed, entries, date }: ListChange): string {
  if (added === undefined || removed === undefined) return `${name}: no download\n`;
  const some = (sign: string, keys: string[]) => {
    const rest = keys.length > MAX_PRINTED ? [`${sign} ${keys.length - MAX_PRINTED} more`] : [];
    return [...keys.slice(0, MAX_PRINTED).map((key) => `${sign} ${key}`), ...rest];
  };
  const lines = [`${name}: ${entries} entries of ${date}, ${added.length} added, ${removed.length} removed`];
  return [...lines, ...some("  +", added), ...some("  -", removed), ""].join("\n");
}

async function main(): Promise<void> {
  const { values, positionals } = parseArguments(USAGE, {
    date: { type: "string" },
    "may-shrink": { type: "boolean", default: false },
  });
  const [folder] = positionals;
  if (!folder || positionals.length > 1) throw new UsageError(USAGE);
  if (!existsSync(folder)) throw new UsageError(`The folder ${folder} does not exist.\n${USAGE}`);
  if (values.date !== undefined && !/^20\d\d-[01]\d-[0-3]\d$/.test(values.date)) {
    throw new UsageError("--date must be a date such as 2026-11-27.");
  }
  const options = { data: DATA, sources: SOURCES, mayShrink: values["may-shrink"] };
  const changes = updateLists(folder, { ...options, ...(values.date === undefined ? {} : { date: values.date }) });
  process.stdout.write(changes.map(describe).join(""));
  if (changes.some(({ added, removed }) => (added?.length ?? 0) + (removed?.length ?? 0) > 0)) {
    process.stdout.write(
      "Raise EDITION in lib/ingest/enrich/classify.ts, so that stored visits are classified again.\n",
    );
  }
}

await runCommand(main);
