import { type DictionaryName, intern, textOf } from "@/lib/ingest/store/dictionary";
import { storedPath } from "@/lib/platform/canonical";
import { ingestPool } from "@/lib/platform/pool";
import { localDay } from "@/lib/platform/time";
import type { Target } from "@/lib/transfer/import";
import type { EventLine } from "@/lib/transfer/line";

/** Adds the dimension values of exported lines to the dictionaries of the target site. */

/** Dictionary ids by line. */
export type Ids = Record<DictionaryName | "entry" | "exit", number[]>;

/** Returns the dictionary ids of each line, with the paths of earlier versions normalised; valid while the days lock of the site is held; 0 for no value. */
export async function internLines(lines: readonly EventLine[], target: Target): Promise<Ids> {
  const page = await internColumn(lines, target, "page", ({ hostname, path }) => path && [hostname, storedPath(path)]);
  await setTitles(lines, page, target);
  return {
    page,
    entry: await internColumn(
      lines,
      target,
      "page",
      (one) => one.visit_entry_path && [one.visit_entry_hostname, storedPath(one.visit_entry_path)],
    ),
    exit: await internColumn(
      lines,
      target,
      "page",
      (one) => one.visit_exit_path && [one.visit_exit_hostname, storedPath(one.visit_exit_path)],
    ),
    referrer: await internColumn(lines, target, "referrer", (one) => [
      one.source,
      one.channel,
      one.referrer,
      one.channel_rule,
    ]),
    campaign: await internColumn(lines, target, "campaign", (one) =>
      unlessEmpty([one.utm_source, one.utm_medium, one.utm_campaign, one.utm_term, one.utm_content]),
    ),
    place: await internColumn(lines, target, "place", (one) => [one.country, one.region, one.city, one.language]),
    agent: await internColumn(lines, target, "agent", (one) => [
      ...[one.browser, one.browser_version, one.os, one.os_version, one.device, one.screen, one.bot],
    ]),
    name: await internColumn(lines, target, "name", (one) => unlessEmpty([one.name])),
    verdict: await internColumn(lines, target, "verdict", (one) =>
      unlessEmpty([
        ...[one.verdict_traffic, one.verdict_reason, one.verdict_bot, one.verdict_operator, one.verdict_purpose],
        ...[one.verdict_verified, one.verdict_version],
      ]),
    ),
  };
}

type Values = readonly (string | null)[];
const unlessEmpty = (values: Values): Values | null => (values.every((value) => value === null) ? null : values);

async function internColumn(
  lines: readonly EventLine[],
  { siteId, timezone }: Target,
  name: DictionaryName,
  read: (line: EventLine) => Values | null | "",
): Promise<number[]> {
  const entries = lines.flatMap((line, lineIndex) => {
    const values = read(line);
    if (!values) return [];
    const time = new Date(line.time);
    const day = () => localDay(time, timezone).toString();
    const text = textOf(values.map((value) => value ?? ""));
    return [{ lineIndex, entry: { siteId, at: time.getTime(), day, text } }];
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
async function setTitles(lines: readonly EventLine[], pages: readonly number[], { siteId }: Target): Promise<void> {
  const titles = new Map(lines.flatMap(({ title }, index) => (title === null ? [] : [[pages[index], title] as const])));
  if (titles.size === 0) return;
  await ingestPool().query(
    `UPDATE facts.page SET title = given.title FROM unnest($2::int[], $3::text[]) AS given(id, title)
     WHERE page.site_id = $1 AND page.id = given.id AND page.title IS NULL`,
    [siteId, [...titles.keys()], [...titles.values()]],
  );
}
