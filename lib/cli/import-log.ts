import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArguments, progressPrinter, runCommand, UsageError } from "@/lib/cli/command";
import { importFile } from "@/lib/logs/file";
import { type ImportResult, ImportStopped } from "@/lib/logs/import";
import { summary } from "@/lib/logs/summary";
import { ingestKeyFromEnv } from "@/lib/platform/env";

/** `npm run import-log -- <file>`: see `importLog`. */

const USAGE = `npm run import-log -- <file, or - for stdin> --site example.com --key-file <file>
  --key-file <file>  holds an ingest key of the site; or set INGEST_KEY
  --to <url>         URL of this service; default http://localhost:3000
  --all              import human visitors too, for sites without the script
  --state <file>     stores where this import ends, so that the next continues there
  --from <line>      continue from this line`;

function readArguments() {
  const { values, positionals } = parseArguments(USAGE, {
    site: { type: "string" },
    key: { type: "string" },
    "key-file": { type: "string" },
    to: { type: "string", default: "http://localhost:3000" },
    all: { type: "boolean", default: false },
    from: { type: "string", default: "1" },
    state: { type: "string" },
  });
  if (values.key !== undefined) {
    throw new UsageError(
      "A key in the arguments is visible to all users of this machine; rotate it, and pass the new one by --key-file or INGEST_KEY.",
    );
  }
  const [file] = positionals;
  const { site, to, all, state } = values;
  const from = Number(values.from);
  if (!file || positionals.length > 1 || !site) throw new UsageError(USAGE);
  if (!Number.isSafeInteger(from) || from < 1) throw new UsageError("--from must be a line number of 1 or more.");
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol)) {
    throw new UsageError("--to must be the URL of this service, such as https://stats.example.com.");
  }
  if (state !== undefined && (file === "-" || from > 1))
    throw new UsageError("--state requires a file, and cannot be combined with --from.");
  return { file, state, site: site.toLowerCase(), keyFile: values["key-file"], to, all, from };
}

async function readKey(keyFile: string | undefined): Promise<string> {
  const key = (keyFile === undefined ? ingestKeyFromEnv() : await readFile(keyFile, "utf8"))?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError("The ingest key is missing; pass a file that contains it by --key-file, or set INGEST_KEY.");
}

async function main(): Promise<void> {
  const { file, state, keyFile, ...rest } = readArguments();
  const key = await readKey(keyFile);
  if (file !== "-" && !existsSync(file)) throw new UsageError(`The file ${file} does not exist.`);
  const progress = progressPrinter<ImportResult>(({ line, sent }) => `Line ${line}:  ${sent} pages sent`);
  const options = { ...rest, key, send: fetch, wait, now: () => new Date(), progress };
  const sums = await importFile(file, state, options).catch(explainStop);
  process.stdout.write(summary(sums));
  if (sums.error > 0) process.exitCode = 1;
}

function explainStop(error: unknown): never {
  if (!(error instanceof ImportStopped)) throw error;
  process.stdout.write(summary(error.sums));
  throw new ImportStopped(
    `${error.message}\nContinue later with --state, or with --from ${error.sums.next}`,
    error.sums,
  );
}

await runCommand(main);
