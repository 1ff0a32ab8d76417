import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { importLog } from "@/lib/logs/import";

/** `npm run import-log -- <file> --site example.com --key ffk_…`: see `importLog`. */

const USAGE = "npm run import-log -- <file> --site example.com --key ffk_… [--to http://localhost:3000] [--all]\n";

const { values, positionals } = parseArgs({
  args: process.argv.slice(process.argv.indexOf("import-log") + 1),
  allowPositionals: true,
  options: {
    site: { type: "string" },
    key: { type: "string" },
    to: { type: "string", default: "http://localhost:3000" },
    all: { type: "boolean", default: false },
  },
});
const [file] = positionals;
const { site, key, to, all } = values;

if (!file || !site || !key || !existsSync(file)) {
  process.stderr.write(file && !existsSync(file) ? `There is no file ${file}.\n` : USAGE);
  process.exit(1);
}
const stream = createReadStream(file);
const lines = createInterface({ input: file.endsWith(".gz") ? stream.pipe(createGunzip()) : stream });
try {
  const sums = await importLog(lines, { site, key, to, all, send: fetch, wait, now: () => new Date() });
  process.stdout.write(
    `${sums.lines} lines, ${sums.unreadable} of them in another format. ${sums.sent} pages sent: ${sums.stored} stored, ` +
      `${sums.duplicate} known already, ${sums.filtered} left out by the site's rules, ${sums.invalid} invalid, ${sums.error} failed.\n`,
  );
  if (sums.error > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
