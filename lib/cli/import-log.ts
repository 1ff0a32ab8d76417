import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { importFile } from "@/lib/logs/file";
import { type ImportResult, ImportStopped } from "@/lib/logs/import";
import { summary } from "@/lib/logs/summary";
import { givenIngestKey } from "@/lib/platform/env";

/** `npm run import-log -- <file>`: see `importLog`. */

const USAGE = `npm run import-log -- <file, or - for stdin> --site example.com --key-file <file>
  --key-file <file>  holds an ingest key of the site; or set INGEST_KEY
  --to <address>     where this service is; http://localhost:3000 unless told
  --all              people's pages too, for sites without the script
  --state <file>     remembers where this import ends; the next goes on there
  --from <line>      go on from this line`;

const PROGRESS_MS = 5_000;

class Misuse extends Error {}

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
    throw new Misuse(
      "A key among the arguments is seen by everybody on this machine: rotate it, and give the new one by --key-file or INGEST_KEY.",
    );
  }
  const [file] = positionals;
  const { site, to, all, state } = values;
  const from = Number(values.from);
  if (!file || positionals.length > 1 || !site) throw new Misuse(USAGE);
  if (!Number.isSafeInteger(from) || from < 1) throw new Misuse("--from is the number of a line, from 1.");
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol)) {
    throw new Misuse("--to is where this service is, such as https://stats.example.com.");
  }
  if (state !== undefined && (file === "-" || from > 1))
    throw new Misuse("--state goes with a file, and without --from.");
  return { file, state, site: site.toLowerCase(), keyFile: values["key-file"], to, all, from };
}

async function readKey(keyFile: string | undefined): Promise<string> {
  const key = (keyFile === undefined ? givenIngestKey() : await readFile(keyFile, "utf8"))?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Misuse(`There is no key: put an ingest key of the site into a file for --key-file, or into INGEST_KEY.`);
}

/** How far it is, now and then: an import of months takes a while. */
function teller(): (sums: ImportResult) => void {
  let told = Date.now();
  return ({ line, sent }) => {
    if (Date.now() - told < PROGRESS_MS) return;
    told = Date.now();
    process.stderr.write(`Line ${line}:  ${sent} pages sent …\n`);
  };
}

try {
  const { file, state, keyFile, ...rest } = readArguments();
  const key = await readKey(keyFile);
  if (file !== "-" && !existsSync(file)) throw new Misuse(`There is no file ${file}.`);
  const now = () => new Date();
  const options = { ...rest, key, send: fetch, wait, now, progress: teller() };
  const sums = await importFile(file, state, options);
  process.stdout.write(summary(sums));
  if (sums.error > 0) process.exitCode = 1;
} catch (error) {
  if (error instanceof ImportStopped) {
    process.stdout.write(summary(error.sums));
    process.stderr.write(`${error.message}\nGo on later with --state, or with --from ${error.sums.next}\n`);
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  }
  process.exitCode = 1;
}
