import type { Chunk } from "@/lib/analytics/packed/chunks";
import {
  type Column,
  DICTIONARY_OF,
  EVENT_COLUMNS,
  FLAGS,
  type IdColumn,
  type Key,
  PLACES,
  type Place,
  widthOf,
} from "@/lib/analytics/packed/layout";
import { Numbering } from "@/lib/analytics/packed/numbering";

/**
 * Values of dimensions as numbers from 0, in the order in which they are met: what sums are kept by. Loops over
 * visits and events are plain ones: a function for each element takes ten times as long.
 */
export interface Keys {
  /** How many there are. */
  readonly size: number;
  readonly columns: Column[];
  /** The number of the value of each of these visits, or events; -1 where there can be none. */
  numbers(chunk: Chunk, of: Int32Array): Int32Array;
  /** What a number stands for: the first id of a word for each dimension. */
  valuesOf(number: number): number[];
}

const OF_EVENTS: readonly Column[] = EVENT_COLUMNS;
const isOfEvents = (key: Key): boolean => OF_EVENTS.includes(placed(key).column);

/** Entry and exit pages: visits in which no page was seen have none. */
export const isOnlyOnVisits = (column: IdColumn): boolean =>
  DICTIONARY_OF[column] === "pages" && !OF_EVENTS.includes(column);
const needsPage = (key: Key): boolean => isOnlyOnVisits(placed(key).column) && key !== "landing";

const placed = (key: Key): Place => {
  const place = PLACES.get(key);
  if (!place) throw new Error(`no packed day knows ${key}`);
  return place;
};

/** The number of what stands at each place of the dictionary of a column. */
export interface Places {
  column: IdColumn;
  numbers: Int32Array;
}

/** The values of one dimension. */
class Values implements Keys {
  readonly #ids = new Numbering();
  readonly #place: Place;

  constructor(readonly key: Key) {
    this.#place = placed(key);
  }

  get size(): number {
    return this.#ids.size;
  }

  get columns(): Column[] {
    return [this.#place.column, this.#place.dictionary];
  }

  numbers(chunk: Chunk, of: Int32Array): Int32Array {
    const { column, numbers } = this.places(chunk);
    const [places, { flags }] = [chunk.columns[column], chunk.columns];
    const found = new Int32Array(of.length);
    for (let at = 0; at < of.length; at++) found[at] = numbers[places[of[at] as number] as number] as number;
    if (needsPage(this.key)) {
      for (let at = 0; at < of.length; at++) if (!((flags[of[at] as number] as number) & FLAGS.viewed)) found[at] = -1;
    }
    return found;
  }

  valuesOf(number: number): number[] {
    return [this.#ids.idOf(number)];
  }

  places({ columns }: Chunk): Places {
    const { column, dictionary, word } = this.#place;
    const [rows, width] = [columns[dictionary], widthOf(dictionary)];
    const numbers = new Int32Array(rows.length / width);
    for (let place = 0; place < numbers.length; place++)
      numbers[place] = this.#ids.numberOf(rows[place * width + 1 + word] as number);
    return { column, numbers };
  }
}

/** Pairs of what two others number. */
class Pairs implements Keys {
  readonly #known = new Map<number, number>();
  readonly #pairs: [number, number][] = [];

  constructor(
    readonly left: Keys,
    readonly right: Keys,
  ) {}

  get size(): number {
    return this.#pairs.length;
  }

  get columns(): Column[] {
    return [...this.left.columns, ...this.right.columns];
  }

  numbers(chunk: Chunk, of: Int32Array): Int32Array {
    return this.paired(this.left.numbers(chunk, of), this.right.numbers(chunk, of));
  }

  paired(left: Int32Array, right: Int32Array): Int32Array {
    const found = new Int32Array(left.length);
    for (let at = 0; at < found.length; at++) {
      const [one, other] = [left[at] as number, right[at] as number];
      found[at] = one < 0 || other < 0 ? -1 : this.#number(one, other);
    }
    return found;
  }

  valuesOf(number: number): number[] {
    const [left, right] = this.#pairs[number] as [number, number];
    return [...this.left.valuesOf(left), ...this.right.valuesOf(right)];
  }

  #number(left: number, right: number): number {
    // Neither has anything near 2^26 values.
    const pair = left * 2 ** 26 + right;
    const known = this.#known.get(pair);
    if (known !== undefined) return known;
    this.#known.set(pair, this.#pairs.length);
    return this.#pairs.push([left, right]) - 1;
  }
}

/** What everything is counted by when it is counted by nothing. */
const ALL: Keys = {
  size: 1,
  columns: [],
  numbers: (_, of) => new Int32Array(of.length),
  valuesOf: () => [],
};

const combined = (by: readonly Key[]): Keys | null =>
  by
    .map((key): Keys => new Values(key))
    .reduceRight<Keys | null>((right, left) => (right ? new Pairs(left, right) : left), null);

/** The combinations of values of some dimensions. */
export class Combinations {
  readonly #visits: Keys | null;
  readonly #events: Keys | null;
  readonly #both: Pairs | null;
  /** Where each dimension stands among the values: those of visits come first. */
  readonly #order: number[];

  constructor(readonly by: readonly Key[]) {
    const [visits, events] = [by.filter((key) => !isOfEvents(key)), by.filter(isOfEvents)];
    this.#visits = combined(visits);
    this.#events = combined(events);
    this.#both = this.#visits && this.#events ? new Pairs(this.#visits, this.#events) : null;
    this.#order = by.map((key) => [...visits, ...events].indexOf(key));
  }

  get #keys(): Keys {
    return this.#both ?? this.#events ?? this.#visits ?? ALL;
  }

  /** Whether some of the values are those of events. */
  get ofEvents(): boolean {
    return this.#events !== null;
  }

  get size(): number {
    return this.#keys.size;
  }

  get columns(): Column[] {
    return this.#keys.columns;
  }

  valuesOf(number: number): number[] {
    const values = this.#keys.valuesOf(number);
    return this.#order.map((place) => values[place] as number);
  }

  /** Where the values of visits stand in a chunk, when they are those of one dimension and nothing else. */
  placesIn(chunk: Chunk): Places | null {
    if (this.#events || !(this.#visits instanceof Values) || this.#visits.key === "landing") return null;
    return this.#visits.places(chunk);
  }

  /** The combination of each of these visits, whatever their events are; -1 where it has none. */
  ofVisits(chunk: Chunk, visits: Int32Array): Int32Array {
    return (this.#visits ?? ALL).numbers(chunk, visits);
  }

  /** The combination of each of these events, given the visit of each; -1 where it has none. */
  of(chunk: Chunk, events: Int32Array, visitOf: Int32Array): Int32Array {
    const own = this.#events?.numbers(chunk, events);
    if (!own) return this.ofVisits(chunk, visitOf);
    return this.#both ? this.#both.paired(this.ofVisits(chunk, visitOf), own) : own;
  }
}
