import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { DICTIONARIES, type DictionaryName, type DimensionValue, intern, textOf } from "@/lib/ingest/store/dictionary";
import type { EventRow } from "@/lib/ingest/store/event-row";
import type { DimensionIds } from "@/lib/ingest/store/visits";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";
import { localDay } from "@/lib/platform/time";

/** The words of a hit in every dictionary; null where it has none. */
export const dimensionValuesOf = (hit: EventRow): (string | null)[] => TEXTS.map((read) => read(hit));

/** The dictionary ids of every hit's words. What several dictionaries do not know yet is asked for at once. */
export async function internEvents(hits: readonly WritableEvent[]): Promise<DimensionIds[]> {
  const ids = hits.map(
    (): DimensionIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }),
  );
  await Promise.all(DICTIONARIES.map((name, place) => internDimension(name, place, hits, ids)));
  return ids;
}

async function internDimension(
  name: DictionaryName,
  place: number,
  hits: readonly WritableEvent[],
  ids: DimensionIds[],
): Promise<void> {
  const having: DimensionIds[] = [];
  const words: DimensionValue[] = [];
  for (const [index, hit] of hits.entries()) {
    const text = hit.words[place] ?? null;
    if (text === null) continue;
    having.push(ids[index] as DimensionIds);
    words.push(new EventValue(hit, text, name === "page"));
  }
  const found = await intern(name, words);
  for (const [position, known] of having.entries()) known[name] = found[position] as number;
}

/** Most words are known by their text: the rest is only asked for new ones. */
class EventValue implements DimensionValue {
  readonly siteId: number;
  constructor(
    private readonly hit: WritableEvent,
    readonly text: string,
    private readonly hasTitle: boolean,
  ) {
    this.siteId = hit.siteId;
  }
  get at(): number {
    return millisecondOf(this.hit.timestamp);
  }
  day(): string {
    return localDay(new Date(this.at), this.hit.timezone).toString();
  }
  get extra(): readonly (string | null)[] {
    return this.hasTitle ? [this.hit.title] : [];
  }
}

/** Values stand in the order of their dictionary's columns. */
const TEXT: Record<DictionaryName, (hit: EventRow) => string | null> = {
  page: ({ page }) => page && textOf([page.hostname, page.path]),
  referrer: ({ referrer: { source, channel, url, rule } }) => textOf([source, channel, url, rule]),
  campaign: ({ campaign: tagged }) =>
    tagged && textOf([tagged.source, tagged.medium, tagged.campaign, tagged.term, tagged.content]),
  place: ({ place: { country, region, city, language } }) => textOf([country, region, city, language]),
  agent: ({ agent: { browser, browser_version, os, os_version, device, screen, bot } }) =>
    textOf([browser, browser_version, os, os_version, device, screen, bot]),
  name: ({ name }) => name,
  verdict: ({ verdict: why }) =>
    why && textOf([why.traffic, why.reason, why.bot, why.operator, why.purpose, why.verified, why.version]),
};
const TEXTS = DICTIONARIES.map((name) => TEXT[name]);
