import { type DictionaryName, intern, textOf } from "@/lib/ingest/store/dictionary";
import { ingestPool } from "@/lib/platform/pool";
import { localDay } from "@/lib/platform/time";
import type { Target } from "@/lib/transfer/import";
import type { EventLine } from "@/lib/transfer/line";

/** The words of an export's lines in the dictionaries of the site that takes them. */

export type Words = Record<DictionaryName | "entry" | "exit", number[]>;

/** The ids of the words of each line, good while the lock of the site's days is held; 0 where a line has none. */
export async function internWords(lines: readonly EventLine[], target: Target): Promise<Words> {
  const page = await internSome(lines, target, "page", ({ hostname, path }) => path && [hostname, path]);
  await nameTitles(lines, page, target);
  return {
    page,
    entry: await internSome(
      lines,
      target,
      "page",
      (one) => one.visit_entry_path && [one.visit_entry_hostname, one.visit_entry_path],
    ),
    exit: await internSome(
      lines,
      target,
      "page",
      (one) => one.visit_exit_path && [one.visit_exit_hostname, one.visit_exit_path],
    ),
    referrer: await internSome(lines, target, "referrer", (one) => [
      one.source,
      one.channel,
      one.referrer,
      one.channel_rule,
    ]),
    campaign: await internSome(lines, target, "campaign", (one) =>
      someOf([one.utm_source, one.utm_medium, one.utm_campaign, one.utm_term, one.utm_content]),
    ),
    place: await internSome(lines, target, "place", (one) => [one.country, one.region, one.city, one.language]),
    agent: await internSome(lines, target, "agent", (one) => [
      ...[one.browser, one.browser_version, one.os, one.os_version, one.device, one.screen, one.bot],
    ]),
    name: await internSome(lines, target, "name", (one) => someOf([one.name])),
    verdict: await internSome(lines, target, "verdict", (one) =>
      someOf([
        ...[one.verdict_traffic, one.verdict_reason, one.verdict_bot, one.verdict_operator, one.verdict_purpose],
        ...[one.verdict_verified, one.verdict_version],
      ]),
    ),
  };
}

type Values = readonly (string | null)[];
const someOf = (values: Values): Values | null => (values.every((value) => value === null) ? null : values);

async function internSome(
  lines: readonly EventLine[],
  { siteId, timezone }: Target,
  name: DictionaryName,
  read: (line: EventLine) => Values | null | "",
): Promise<number[]> {
  const words = lines.flatMap((line, place) => {
    const values = read(line);
    if (!values) return [];
    const time = new Date(line.time);
    const day = () => localDay(time, timezone).toString();
    const text = textOf(values.map((value) => value ?? ""));
    return [{ place, word: { siteId, at: time.getTime(), day, text } }];
  });
  const ids = await intern(
    name,
    words.map(({ word }) => word),
    false,
  );
  const found = lines.map(() => 0);
  for (const [index, { place }] of words.entries()) found[place] = ids[index] as number;
  return found;
}

/** A page may be known by a visit that began on it before the line on which it has its title. */
async function nameTitles(lines: readonly EventLine[], pages: readonly number[], { siteId }: Target): Promise<void> {
  const titles = new Map(lines.flatMap(({ title }, place) => (title === null ? [] : [[pages[place], title] as const])));
  if (titles.size === 0) return;
  await ingestPool().query(
    `UPDATE facts.page SET title = given.title FROM unnest($2::int[], $3::text[]) AS given(id, title)
     WHERE page.site_id = $1 AND page.id = given.id AND page.title IS NULL`,
    [siteId, [...titles.keys()], [...titles.values()]],
  );
}
