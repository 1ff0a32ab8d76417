import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { DICTIONARIES, type DictionaryName, type DimensionValue, intern, textOf } from "@/lib/ingest/store/dictionary";
import type { EventRow } from "@/lib/ingest/store/event-row";
import type { DimensionIds } from "@/lib/ingest/store/visits";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";
import { localDay } from "@/lib/platform/time";

/** Returns the value of an event in every dictionary; null where it has none. */
export const dimensionValuesOf = (event: EventRow): (string | null)[] => TEXTS.map((read) => read(event));

/** Returns the dictionary ids of every event's values. The dictionaries are looked up concurrently. */
export async function internEvents(events: readonly WritableEvent[]): Promise<DimensionIds[]> {
  const ids = events.map(
    (): DimensionIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }),
  );
  await Promise.all(DICTIONARIES.map((name, index) => internDimension(name, index, events, ids)));
  return ids;
}

async function internDimension(
  name: DictionaryName,
  index: number,
  events: readonly WritableEvent[],
  ids: DimensionIds[],
): Promise<void> {
  const having: DimensionIds[] = [];
  const values: DimensionValue[] = [];
  for (const [position, event] of events.entries()) {
    const text = event.values[index] ?? null;
    if (text === null) continue;
    having.push(ids[position] as DimensionIds);
    values.push(new EventValue(event, text, name === "page"));
  }
  const found = await intern(name, values);
  for (const [position, idsOfEvent] of having.entries()) idsOfEvent[name] = found[position] as number;
}

/** Most values are cached by their text, so the other fields are computed only for new ones. */
class EventValue implements DimensionValue {
  readonly siteId: number;
  constructor(
    private readonly event: WritableEvent,
    readonly text: string,
    private readonly hasTitle: boolean,
  ) {
    this.siteId = event.siteId;
  }
  get at(): number {
    return millisecondOf(this.event.timestamp);
  }
  day(): string {
    return localDay(new Date(this.at), this.event.timezone).toString();
  }
  get extra(): readonly (string | null)[] {
    return this.hasTitle ? [this.event.title] : [];
  }
}

/** Joins values in the order of the dictionary's columns. */
const TEXT: Record<DictionaryName, (event: EventRow) => string | null> = {
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
