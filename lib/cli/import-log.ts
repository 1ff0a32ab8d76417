import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
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

const PROGRESS_MS = 5_000;

class UsageError extends Error {}

function readArguments() {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      site: { type: "string" },
      key: { type: "string" },
      "key-file": { type: "string" },
      to: { type: "string", default: "http://localhost:3000" },
      all: { type: "boolean", default: false },
      from: { type: "string", default: "1" },
      state: { type: "string" },
    },
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

/** Returns a function that prints progress every few seconds, because large imports take a while. */
function progressPrinter(): (sums: ImportResult) => void {
  let printedAt = Date.now();
  return ({ line, sent }) => {
    if (Date.now() - printedAt < PROGRESS_MS) return;
    printedAt = Date.now();
    process.stderr.write(`Line ${line}:  ${sent} pages sent …\n`);
  };
}

try {
  const { file, state, keyFile, ...rest } = readArguments();
  const key = await readKey(keyFile);
  if (file !== "-" && !existsSync(file)) throw new UsageError(`The file ${file} does not exist.`);
  const now = () => new Date();
  const options = { ...rest, key, send: fetch, wait, now, progress: progressPrinter() };
  const sums = await importFile(file, state, options);
  process.stdout.write(summary(sums));
  if (sums.error > 0) process.exitCode = 1;
} catch (error) {
  if (error instanceof ImportStopped) {
    process.stdout.write(summary(error.sums));
    process.stderr.write(`${error.message}\nContinue later with --state, or with --from ${error.sums.next}\n`);
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  }
  process.exitCode = 1;
}
