import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ListEntry, ListSource } from "@/lib/cli/lists/list-source";
import { OperatorError } from "@/lib/platform/errors";

/** What an update of one list did. */
export interface ListChange {
  name: string;
  /** Absent when the folder has no download of the list. */
  added?: string[];
  removed?: string[];
  entries?: number;
  date?: string;
}

interface DataFile {
  source: string;
  licence: string;
  date: string;
  entries: ListEntry[];
}

/** A download with fewer than this part of the known entries was cut off, or is another file. */
const LEAST_PART = 0.8;

/**
 * Rewrites the data files of the lists whose downloads are in `folder`; the same downloads again change nothing.
 *
 * @param date of the downloads, `YYYY-MM-DD`; by default the day when each file was last written.
 * @param mayShrink accepts lists with much fewer entries than before.
 * @throws OperatorError before any file is written, when a download is not in its format or much too short.
 */
export function updateLists(
  folder: string,
  {
    data,
    sources,
    date,
    mayShrink = false,
  }: { data: string; sources: readonly ListSource[]; date?: string; mayShrink?: boolean },
): ListChange[] {
  const read = sources.map((source) => ({ source, download: readDownload(folder, source) }));
  if (read.every(({ download }) => download === null)) {
    const names = sources.map(({ download, source }) => `${download} from ${source}`);
    throw new OperatorError(`${folder} has none of the downloads. Save there:\n${names.join("\n")}`);
  }
  const updates = read.map(({ source, download }) => {
    if (download === null) return { change: { name: source.name } };
    const file = path.join(data, `${source.name}.json`);
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as DataFile) : null;
    const before = new Map((known?.entries ?? []).map((entry) => [keyOf(entry), entry]));
    const after = new Map(download.entries.map((entry) => [keyOf(entry), entry]));
    if (after.size === 0 || (!mayShrink && after.size < before.size * LEAST_PART)) {
      throw new OperatorError(
        `${source.download} has ${after.size} entries instead of ${before.size}, so the download was cut off or is another file. Download it again from ${source.source}; pass --may-shrink if the list is really shorter.`,
      );
    }
    const entries = [...after.keys()].sort().map((key) => after.get(key) as ListEntry);
    const next: DataFile = { source: source.source, licence: source.licence, date: date ?? download.date, entries };
    const change: ListChange = {
      name: source.name,
      added: [...after.keys()].filter((key) => !before.has(key)),
      removed: [...before.keys()].filter((key) => !after.has(key)),
      entries: entries.length,
      date: next.date,
    };
    return { change, file, text: formatData(next) };
  });
  for (const { file, text } of updates) if (file !== undefined) writeFileSync(file, text);
  return updates.map(({ change }) => change);
}

/** Returns what identifies an entry: a text itself, else its first field. */
function keyOf(entry: ListEntry): string {
  if (typeof entry === "string") return entry;
  return `${Object.values(entry)[0]}`;
}

/** One entry a line, so that a change of a list is readable. */
function formatData({ entries, ...about }: DataFile): string {
  const head = JSON.stringify(about, null, 2).replace(/\n\}$/, "");
  return `${head},\n  "entries": [\n${entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n")}\n  ]\n}\n`;
}

function readDownload(folder: string, source: ListSource): { entries: ListEntry[]; date: string } | null {
  const place = path.join(folder, source.download);
  if (!existsSync(place)) return null;
  const names = source.download.endsWith("/") ? readdirSync(place, { recursive: true }).map(String).sort() : [""];
  const files = names.map((name) => path.join(place, name)).filter((file) => statSync(file).isFile());
  const dates = files.map((file) => statSync(file).mtime.toISOString().slice(0, 10));
  const entries = files.flatMap((file) => {
    try {
      return source.convert(readFileSync(file, "utf8"), file);
    } catch (error) {
      const [reason] = (error as Error).message.split("\n", 1);
      throw new OperatorError(
        `${file} is not what ${source.source} has: ${reason?.slice(0, 200)}. Download it again; no list was changed.`,
      );
    }
  });
  return { entries, date: dates.sort().at(-1) ?? "" };
}
