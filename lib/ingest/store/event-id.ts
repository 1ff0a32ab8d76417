import { createHash, createHmac, randomBytes } from "node:crypto";
import type pg from "pg";
import { PAGE_KEY_DAYS } from "@/lib/contract/storage-times";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { isoTimestamp } from "@/lib/ingest/store/arrival-time";
import { DAY_MS } from "@/lib/platform/durations";
import { Refusal } from "@/lib/platform/errors";
import { ingestPool } from "@/lib/platform/pool";
import { derivedKeys } from "@/lib/platform/secrets";

/**
 * Generates ids for events whose sender chose none. Such an id is secret until the event is acknowledged, so the server
 * stores nothing about it: the id itself, authenticated with the server's key, says what happened to the event. 21
 * bytes in base64url after a prefix, 32 characters in all.
 *
 * `ffe_`: the event was stored. Index in the request, the request's nonce (12), seal (8).
 * `ffu_`: the response to COMMIT was lost. Transaction (6), position in it (2), time in milliseconds (6), seal (7).
 */

const BYTES = 21;
const NONCE_BYTES = 12;
const [STORED, IN_DOUBT] = ["ffe_", "ffu_"] as const;
const SEAL_BYTES = { [STORED]: 8, [IN_DOUBT]: 7 };
/** One digest seals this many events of a request; its parts cannot be derived from each other. */
const SEALS_PER_DIGEST = 32 / SEAL_BYTES[STORED];
type Prefix = keyof typeof SEAL_BYTES;

/** An event whose COMMIT got no response: its transaction (an xid8), its position in it, and its time. */
interface Doubt {
  xid: string;
  place: number;
  at: Date;
}

/** The event was not stored, as far as is known; with `doubt`, its transaction may have been committed. */
export class NotWritten extends Refusal {
  constructor(readonly doubt: Doubt | null) {
    const message =
      "The event could not be stored now; send it again with the same event_id. Without an event_id, it may be stored twice.";
    super("unavailable", message, undefined, 2);
  }
}

/** Generates the event ids of one request. */
export class FreshIds {
  private readonly nonce = randomBytes(NONCE_BYTES);

  constructor(private readonly siteId: number) {}

  /** Returns the id of a stored event; sending it again is a duplicate. `index` is 0 to 255. */
  stored(index: number): string {
    const body = Buffer.concat([Buffer.of(index), this.nonce]);
    return STORED + Buffer.concat([body, storedSeal(newestKey(), body, this.siteId)]).toString("base64url");
  }

  /** Returns the id of an event that may be stored or not, which is looked up when it is sent again. */
  inDoubt({ xid, place, at }: Doubt): string {
    const body = Buffer.alloc(14);
    body.writeUIntBE(Number(xid), 0, 6);
    body.writeUIntBE(place, 6, 2);
    body.writeUIntBE(at.getTime(), 8, 6);
    const seal = sealOf(newestKey(), body, this.siteId);
    return IN_DOUBT + Buffer.concat([body, seal]).toString("base64url");
  }

  /** Returns the id of an event that was not stored; it may be sent again. */
  other(): string {
    return STORED + randomBytes(BYTES).toString("base64url");
  }
}

/** Whether this id was generated for a stored event of the site. */
export const wasStored = (eventId: string, siteId: number): boolean => verifiedBody(STORED, eventId, siteId) !== null;

/** Returns the transaction of an id that was generated for an in-doubt event of the site; null for any other id. */
export function doubtOf(eventId: string, siteId: number): Doubt | null {
  const body = verifiedBody(IN_DOUBT, eventId, siteId);
  if (!body) return null;
  const at = new Date(body.readUIntBE(8, 6));
  return { xid: `${body.readUIntBE(0, 6)}`, place: body.readUIntBE(6, 2), at };
}

/** Whether the browser script generated the id: four random 16-bit numbers (lib/tracker/send.ts). */
export const isPageId = (eventId: string): boolean => /^\d{1,5}(__\d{1,5}){3}$/.test(eventId);

/** Returns the content of an id that one of our keys sealed for this site; null for any other id. */
function verifiedBody(prefix: Prefix, eventId: string, siteId: number): Buffer | null {
  if (!eventId.startsWith(prefix) || eventId.length !== 32) return null;
  const bytes = Buffer.from(eventId.slice(prefix.length), "base64url");
  const body = bytes.subarray(0, BYTES - SEAL_BYTES[prefix]);
  const seal = bytes.subarray(body.length);
  const expectedSeal = prefix === STORED ? storedSeal : sealOf;
  return derivedKeys(PURPOSE).some((key) => expectedSeal(key, body, siteId).equals(seal)) ? body : null;
}

const PURPOSE = "event ids";
const newestKey = (): Buffer => derivedKeys(PURPOSE)[0] as Buffer;

function storedSeal(key: Buffer, body: Buffer, siteId: number): Buffer {
  const [index = 0] = body;
  const [number, part] = [Math.floor(index / SEALS_PER_DIGEST), index % SEALS_PER_DIGEST];
  const digest = createHmac("sha256", key).update(`${STORED}${siteId}|${number}|`).update(body.subarray(1)).digest();
  return digest.subarray(part * SEAL_BYTES[STORED], (part + 1) * SEAL_BYTES[STORED]);
}

const sealOf = (key: Buffer, body: Buffer, siteId: number): Buffer =>
  createHmac("sha256", key).update(`${IN_DOUBT}${siteId}|`).update(body).digest().subarray(0, SEAL_BYTES[IN_DOUBT]);

/**
 * Whether an event with this server-generated id is already stored. Ids that senders chose are checked when the event
 * is written. Queries Postgres only for ids of in-doubt events.
 *
 * @throws Refusal `unavailable` while that transaction is still in progress.
 */
export function isStored(eventId: string, siteId: number): boolean | Promise<boolean> {
  if (wasStored(eventId, siteId)) return true;
  const doubt = doubtOf(eventId, siteId);
  return doubt !== null && wasCommitted(doubt, siteId);
}

async function wasCommitted(doubt: Doubt, siteId: number): Promise<boolean> {
  const status = await statusOf(doubt.xid);
  if (status === "in progress") {
    throw new Refusal("unavailable", "The event is still being stored; send it again.", undefined, 2);
  }
  return status === "committed" && hasEvent(siteId, doubt.at);
}

/**
 * Returns the status of a transaction; null when Postgres does not know it, because it is another server or too old.
 */
async function statusOf(xid: string): Promise<"in progress" | "committed" | "aborted" | null> {
  try {
    const { rows } = await ingestPool().query("SELECT pg_xact_status($1::xid8) AS status", [xid]);
    return rows[0].status;
  } catch (error) {
    const inTheFuture = (error as { code?: unknown }).code === "22023";
    if (inTheFuture) return null;
    throw error;
  }
}

const HAS_EVENT = `
  SELECT FROM facts.event
  WHERE site_id = $1 AND ts >= $2::timestamptz
    AND ts < $2::timestamptz + interval '1 millisecond' LIMIT 1`;

/**
 * Whether an event of that time exists. A Postgres that crashed before it logged a transaction reuses its id for a
 * later one that commits, but then the events are later, too.
 */
async function hasEvent(siteId: number, at: Date): Promise<boolean> {
  const found = await ingestPool().query(HAS_EVENT, [siteId, at]);
  return found.rows.length > 0;
}

interface Reservation {
  siteId: number;
  /** 128 bits of the SHA-256 of an event's key, as UUID text without dashes. */
  key: string;
  day: string;
  /** Generated by the browser script: only the same page sends it again. */
  isPageKey: boolean;
  /** Holder of the id: an earlier batch, a stored event of this batch, or none yet. */
  holder: "earlier batch" | "this batch" | null;
}

/** Reserves the keys of the events of a batch: each of them names one stored event of its site. */
export class EventIdReservations {
  private readonly reservations = new Map<string, Reservation>();
  private readonly byIndex: Reservation[][];

  constructor(events: readonly DecidedEvent[]) {
    this.byIndex = events.map((event) => event.keys.map((key) => this.reservationFor(event, key)));
  }

  private reservationFor(event: DecidedEvent, text: string): Reservation {
    const key = createHash("sha256").update(text).digest("hex").slice(0, 32);
    const name = nameOf(event.siteId, key);
    const known = this.reservations.get(name);
    if (known) return known;
    const day = isoTimestamp(event.timestamp).slice(0, 10);
    const reservation: Reservation = { siteId: event.siteId, key, day, isPageKey: event.isPageKey, holder: null };
    this.reservations.set(name, reservation);
    return reservation;
  }

  /** Inserts the ids and finds out which of them earlier batches hold. */
  async reserve(client: pg.PoolClient): Promise<void> {
    // Sorted in the same order everywhere, so that writers cannot deadlock.
    const sorted = [...this.reservations.values()].sort((a, b) => a.siteId - b.siteId || (a.key < b.key ? -1 : 1));
    const inserted = await Promise.all(
      KEY_TABLES.map(({ table, reserve, includes }) => {
        const reservations = sorted.filter(includes);
        const values = [arrayOf(reservations, "siteId"), arrayOf(reservations, "key"), arrayOf(reservations, "day")];
        return reservations.length > 0
          ? client.query({ name: `reserve-${table}`, text: reserve, values })
          : { rows: [] };
      }),
    );
    const reserved = inserted.flatMap(({ rows }) => rows);
    if (reserved.length === sorted.length) return;
    const names = new Set(reserved.map((row) => nameOf(row.site_id, row.key)));
    for (const [name, reservation] of this.reservations) if (!names.has(name)) reservation.holder = "earlier batch";
  }

  /** Whether any of the event's keys already names another stored event. */
  isTaken(index: number): boolean {
    return this.byIndex[index]?.some(({ holder }) => holder !== null) ?? false;
  }

  /** Marks the keys as held by this event, which is stored. */
  confirm(index: number): void {
    for (const reservation of this.byIndex[index] ?? []) reservation.holder = "this batch";
  }

  /**
   * Returns the statements that release the keys of events that are not stored: filtered events are filtered again when
   * they are sent again, and a duplicate holds no further key.
   */
  release(): pg.QueryConfig[] {
    const unused = [...this.reservations.values()].filter(({ holder }) => holder === null);
    return KEY_TABLES.flatMap(({ table, release, includes }) => {
      const reservations = unused.filter(includes);
      const values = [arrayOf(reservations, "siteId"), arrayOf(reservations, "key")];
      return reservations.length > 0 ? [{ name: `release-${table}`, text: release, values }] : [];
    });
  }
}

const nameOf = (siteId: number, key: string) => `${siteId}|${key}`;

const arrayOf = (reservations: readonly Reservation[], field: "siteId" | "key" | "day"): string =>
  `{${reservations.map((reservation) => reservation[field]).join(",")}}`;

const tableOf = (table: "event_key" | "page_key", includes: (reservation: Reservation) => boolean) => ({
  table,
  includes,
  reserve: `INSERT INTO facts.${table} (site_id, key, day) SELECT * FROM unnest($1::int[], $2::uuid[], $3::date[])
    ON CONFLICT DO NOTHING RETURNING site_id, replace(key::text, '-', '') AS key`,
  release: `DELETE FROM facts.${table} AS stored USING unnest($1::int[], $2::uuid[]) AS released(site_id, key)
    WHERE stored.site_id = released.site_id AND stored.key = released.key`,
});

const KEY_TABLES = [
  tableOf("event_key", ({ isPageKey }) => !isPageKey),
  tableOf("page_key", ({ isPageKey }) => isPageKey),
];

const FIRST_DIGITS = [..."0123456789abcdef"];

/** Deletes ids from pages that are too old to be sent again, in parts by their first digit, so that no statement takes long. */
export async function deleteExpiredPageKeys(now: Date): Promise<void> {
  const firstRetained = new Date(now.getTime() - PAGE_KEY_DAYS * DAY_MS).toISOString().slice(0, 10);
  for (const digit of FIRST_DIGITS) {
    await ingestPool().query("DELETE FROM facts.page_key WHERE day < $1::date AND left(key::text, 1) = $2", [
      firstRetained,
      digit,
    ]);
  }
}
