import { columnsOf, type DictionaryName, dictionaryNames, extraOf } from "@/lib/ingest/event/catalogue";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { intern } from "@/lib/ingest/store/dictionary";
import { type DimensionValue, textOf } from "@/lib/ingest/store/dictionary-rows";
import type { DimensionIds } from "@/lib/ingest/store/visits";

/** Returns the dictionary ids of every event's values. The dictionaries are looked up concurrently. */
export async function internEvents(events: readonly DecidedEvent[]): Promise<DimensionIds[]> {
  const ids = events.map(
    (): DimensionIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }),
  );
  await Promise.all(dictionaryNames.map((name) => internDimension(name, events, ids)));
  return ids;
}

async function internDimension(
  name: DictionaryName,
  events: readonly DecidedEvent[],
  ids: readonly DimensionIds[],
): Promise<void> {
  const having: DimensionIds[] = [];
  const values: DimensionValue[] = [];
  for (const [position, event] of events.entries()) {
    const value = valueIn(event, name);
    if (value === null) continue;
    having.push(ids[position] as DimensionIds);
    values.push(value);
  }
  const found = await intern(name, values);
  for (const [position, idsOfEvent] of having.entries()) idsOfEvent[name] = found[position] as number;
}

const NO_EXTRA: readonly string[] = [];

/** Returns the value of an event in a dictionary; null where it has none. */
function valueIn(event: DecidedEvent, name: DictionaryName): DimensionValue | null {
  const value = event[name] as string | Readonly<Record<string, string>> | null;
  if (value === null) return null;
  return {
    siteId: event.siteId,
    at: millisecondOf(event.timestamp),
    timezone: event.timezone,
    text: typeof value === "string" ? value : textOf(columnsOf(name).map((column) => value[column] as string)),
    extra: extraOf(name).length > 0 ? [event.page?.title ?? null] : NO_EXTRA,
  };
}
