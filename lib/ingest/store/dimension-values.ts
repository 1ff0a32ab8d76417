import { columnsOf, type DictionaryName, dictionaryNames, extraOf } from "@/lib/ingest/event/catalogue";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { type DimensionValue, intern, textOf } from "@/lib/ingest/store/dictionary";
import type { EventRow } from "@/lib/ingest/store/event-row";
import type { DimensionIds } from "@/lib/ingest/store/visits";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";
import { localDay } from "@/lib/platform/time";

/** Returns the value of an event in every dictionary; null where it has none. */
export const dimensionValuesOf = (event: EventRow): (string | null)[] =>
  dictionaryNames.map((name, index) => textIn(index, event[name] as Value));

/** Returns the dictionary ids of every event's values. The dictionaries are looked up concurrently. */
export async function internEvents(events: readonly WritableEvent[]): Promise<DimensionIds[]> {
  const ids = events.map(
    (): DimensionIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }),
  );
  await Promise.all(dictionaryNames.map((name, index) => internDimension(name, index, events, ids)));
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
    values.push(new EventValue(event, text, extraOf(name).length > 0));
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

type Value = string | Readonly<Record<string, string>> | null;
const COLUMNS = dictionaryNames.map((name) => columnsOf(name));

/** Joins the values in the order of the dictionary's columns. */
function textIn(index: number, value: Value): string | null {
  if (value === null || typeof value === "string") return value;
  return textOf((COLUMNS[index] as string[]).map((column) => value[column] as string));
}
