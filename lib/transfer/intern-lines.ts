import { type DictionaryName, dictionaryNames, exportedFields, isOptional } from "@/lib/ingest/event/catalogue";
import { intern, joinText } from "@/lib/ingest/store/dictionary";
import { setMissingTitles } from "@/lib/ingest/store/imported-facts";
import { storedPath } from "@/lib/platform/canonical";
import type { Target } from "@/lib/transfer/import";
import type { EventLine } from "@/lib/transfer/line";

/** Adds the dimension values of exported lines to the dictionaries of the target site. */

/** Dictionary ids by line. */
export type Ids = Record<DictionaryName | "entry" | "exit", number[]>;

/** Returns the dictionary ids of each line, with the paths of earlier versions normalised; valid while the days lock of the site is held; 0 for no value. */
export async function internLines(lines: readonly EventLine[], target: Target): Promise<Ids> {
  const ids = {} as Ids;
  for (const name of dictionaryNames)
    ids[name] = await internColumn(lines, target, name, (line) => valuesIn(name, exportedFields(name), line));
  await setTitles(lines, ids.page, target);
  for (const [key, fields] of [
    ["entry", ["visit_entry_hostname", "visit_entry_path"]],
    ["exit", ["visit_exit_hostname", "visit_exit_path"]],
  ] as const)
    ids[key] = await internColumn(lines, target, "page", (line) => valuesIn("page", fields, line));
  return ids;
}

type Values = readonly (string | null)[];

/** Returns the value of a dictionary in these fields of a line; null for none. */
function valuesIn(name: DictionaryName, fields: readonly (keyof EventLine)[], line: EventLine): Values | null {
  const values = fields.map((field) => line[field] as string | null);
  if (name === "page") {
    const [host = null, path = null] = values;
    return path === null || path === "" ? null : [host, storedPath(path)];
  }
  return isOptional(name) && values.every((value) => value === null) ? null : values;
}

async function internColumn(
  lines: readonly EventLine[],
  { siteId, timezone }: Target,
  name: DictionaryName,
  read: (line: EventLine) => Values | null,
): Promise<number[]> {
  const entries = lines.flatMap((line, lineIndex) => {
    const values = read(line);
    if (!values) return [];
    const time = new Date(line.time);
    const text = joinText(values.map((value) => value ?? ""));
    return [{ lineIndex, entry: { siteId, at: time.getTime(), timezone, text } }];
  });
  const ids = await intern(
    name,
    entries.map(({ entry }) => entry),
    false,
  );
  const idsByLine = lines.map(() => 0);
  for (const [index, { lineIndex }] of entries.entries()) idsByLine[lineIndex] = ids[index] as number;
  return idsByLine;
}

/** Sets missing page titles. A page may be interned as an entry page before the line with its title. */
const setTitles = (lines: readonly EventLine[], pages: readonly number[], { siteId }: Target): Promise<void> =>
  setMissingTitles(
    siteId,
    new Map(lines.flatMap(({ title }, index) => (title === null ? [] : [[pages[index] as number, title] as const]))),
  );
