import { promisify } from "node:util";
import { constants, deflateRaw, inflateRawSync, type ZlibOptions } from "node:zlib";
import type { DimensionKey } from "@/lib/analytics/dimensions";

/** How a packed day is laid out: columns of its visits, columns of their events, and dictionaries of the ids in both. */

/** Columns with a number for each visit. Those named like a dimension hold places in a dictionary. */
const VISIT_COLUMNS = [
  /** `FLAGS`, and the visit's class of traffic above them. */
  "flags",
  /** How many of the events are the visit's. */
  "hits",
  "duration",
  "referrer",
  "campaign",
  "place",
  "agent",
  "entry_page",
  "exit_page",
] as const;

/** Columns with a number for each event, those of a visit by their time. */
export const EVENT_COLUMNS = [
  /** The type of event, `OWN`, and above that its class of traffic; of what happened on another day, whether that was `LATER`. */
  "kind",
  "page",
  "name",
  /** Milliseconds. */
  "engagement",
  /** How far the page was scrolled, one more than that; 0 where it was not told. */
  "scroll",
] as const;

/** Dictionaries: rows of an id and, for each of these dimensions, the first id of its word, 0 where it is unknown. */
export const DICTIONARIES = {
  referrers: ["source", "referrer", "channel"],
  campaigns: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
  places: ["country", "region", "city", "language"],
  agents: ["browser", "browser_version", "os", "os_version", "device", "screen", "bot"],
  pages: ["page", "hostname"],
  names: ["event"],
} as const satisfies Record<string, readonly DimensionKey[]>;

export type Dictionary = keyof typeof DICTIONARIES;
export type Column = (typeof VISIT_COLUMNS)[number] | (typeof EVENT_COLUMNS)[number] | Dictionary;

/** How many numbers a row of a dictionary has. */
export const widthOf = (dictionary: Dictionary): number => 1 + DICTIONARIES[dictionary].length;

/** The columns that hold places in a dictionary, and in which. */
export const DICTIONARY_OF = {
  referrer: "referrers",
  campaign: "campaigns",
  place: "places",
  agent: "agents",
  entry_page: "pages",
  exit_page: "pages",
  page: "pages",
  name: "names",
} as const satisfies Partial<Record<Column, Dictionary>>;
export type IdColumn = keyof typeof DICTIONARY_OF;

/** Every column, in their order in the table. */
export const COLUMNS: readonly Column[] = [
  ...VISIT_COLUMNS,
  ...EVENT_COLUMNS,
  ...(Object.keys(DICTIONARIES) as Dictionary[]),
];

/** Where a dimension's values are: the column, and which of the words in its dictionary's rows. */
export interface Place {
  column: IdColumn;
  dictionary: Dictionary;
  word: number;
}

/**
 * What packed days are counted by: dimensions, all the words of a row of a dictionary together, by its id, and the page that
 * a visit began on, also of a visit without any.
 */
export type Key = DimensionKey | "campaign_row" | "referrer_row" | "landing";

/** Before its words, a row has its own id. */
const OWN_ID = -1;

const place = (column: IdColumn, key: DimensionKey): [Key, Place] => {
  const dictionary = DICTIONARY_OF[column];
  const words: readonly DimensionKey[] = DICTIONARIES[dictionary];
  return [key, { column, dictionary, word: words.indexOf(key) }];
};

/** Where packed days know what they are counted by: all but titles, which only a page has, and traffic, which is no word. */
export const PLACES: ReadonlyMap<Key, Place> = new Map<Key, Place>([
  ["campaign_row", { column: "campaign", dictionary: "campaigns", word: OWN_ID }],
  ["referrer_row", { column: "referrer", dictionary: "referrers", word: OWN_ID }],
  ...DICTIONARIES.referrers.map((key) => place("referrer", key)),
  ...DICTIONARIES.campaigns.map((key) => place("campaign", key)),
  ...DICTIONARIES.places.map((key) => place("place", key)),
  ...DICTIONARIES.agents.map((key) => place("agent", key)),
  ...DICTIONARIES.pages.map((key) => place("page", key)),
  ...DICTIONARIES.names.map((key) => place("name", key)),
  ["entry_page", { column: "entry_page", dictionary: "pages", word: 0 }],
  ["exit_page", { column: "exit_page", dictionary: "pages", word: 0 }],
  ["landing", { column: "entry_page", dictionary: "pages", word: 0 }],
]);

/** What is true of a visit. */
export const FLAGS = {
  /** It is the first one of its visitor. */
  newcomer: 1,
  /** It began on the day. */
  began: 2,
  /** A page was seen in it. */
  viewed: 4,
  bounced: 8,
  /** Not a visit: an event of a server, which has no visitor. */
  visitless: 16,
} as const;
export const VISIT_TRAFFIC_SHIFT = 5;

/** What of an event's kind is its type; whether it happened on the day; and above that its class of traffic. */
export const TYPE_BITS = 15;
export const OWN = 16;
export const EVENT_TRAFFIC_SHIFT = 5;
export const LATER = 1 << EVENT_TRAFFIC_SHIFT;

/** For each type of event, 1 where it is one of these; all when none are given. */
export const typeTable = (types?: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: TYPE_BITS + 1 }, (_, type) => (!types || types.includes(type) ? 1 : 0));

/** Whole numbers from 0 up, in as few bytes as the largest takes. */
export type Numbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

/** The same numbers in the narrowest list that holds them. */
function narrowest(numbers: Numbers): Numbers {
  let most = 0;
  for (const number of numbers) if (number > most) most = number;
  if (most < 256) return new Uint8Array(numbers);
  if (most < 65_536) return new Uint16Array(numbers);
  return most < 2 ** 31 ? new Int32Array(numbers) : numbers;
}

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
/** Before what is deflated: the width of a number, and how many bytes there will be. */
const HEADER_BYTES = 5;
/** What is smaller is hardly worth the asking. */
const LEAST_DEFLATED = 32;

/**
 * Whole numbers from 0 up as bytes: as many of them for each as the largest takes, the lowest first; deflated where that
 * makes them fewer.
 */
export async function encode(numbers: Numbers): Promise<Buffer> {
  const list = narrowest(numbers);
  const plain = Buffer.from(list.buffer, list.byteOffset, list.byteLength);
  const deflated = plain.length < LEAST_DEFLATED ? plain : await deflate(plain, { level: 4 });
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(list.BYTES_PER_ELEMENT);
  header.writeUInt32LE(list.byteLength, 1);
  return Buffer.concat([header, deflated.length < plain.length ? deflated : plain]);
}

/** Bytes as numbers again, in memory of their own. At once: to have another thread inflate them costs more than it spares. */
export function decode(bytes: Buffer): Numbers {
  const kept = bytes.subarray(HEADER_BYTES);
  const length = bytes.readUInt32LE(1);
  const plain = kept.length === length ? kept : inflateRawSync(kept, inOnePiece(length));
  return listed(bytes[0] as 1 | 2 | 4 | 8, plain, plain === kept);
}

/** To be told of many small pieces takes longer than to inflate them. */
const inOnePiece = (length: number): ZlibOptions => ({ chunkSize: Math.max(length + 1, constants.Z_MIN_CHUNK) });

function listed(width: 1 | 2 | 4 | 8, { buffer, byteOffset, byteLength }: Buffer, isPart: boolean): Numbers {
  const copied = isPart || byteOffset % width !== 0;
  const [own, start] = copied ? [buffer.slice(byteOffset, byteOffset + byteLength), 0] : [buffer, byteOffset];
  if (width === 1) return new Uint8Array(own, start, byteLength);
  if (width === 2) return new Uint16Array(own, start, byteLength / 2);
  return width === 4 ? new Int32Array(own, start, byteLength / 4) : new Float64Array(own, start, byteLength / 8);
}
