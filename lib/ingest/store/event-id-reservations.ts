import { createHash } from "node:crypto";
import type pg from "pg";
import { isoTimestamp } from "@/lib/ingest/store/arrival-time";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";
import { ingestPool } from "@/lib/platform/pool";

interface Claim {
  siteId: number;
  /** 128 bits of the id's SHA-256, as a UUID is written without its dashes. */
  key: string;
  day: string;
  /** The browser script made it: only its page sends it again. */
  isPageKey: boolean;
  /** Whose it is: an earlier batch's, that of a hit of this one which is kept, or nobody's yet. */
  holder: "earlier batch" | "hit" | null;
}

/** Longer than a page waits before it sends again what a server had no room for: lib/tracker/send.ts, LONGEST_MS. */
const PAGE_KEYS_KEPT_DAYS = 8;
/** Blocks of 8 KiB, about 120 keys each, that one statement sweeps: none takes long, however many keys there are. */
const SWEPT_BLOCKS = 2_000;

/** The event ids that the senders of a batch chose: each names one stored event of its site. */
export class EventIdReservations {
  private readonly claims = new Map<string, Claim>();
  private readonly ofHits: (Claim | null)[];

  constructor(hits: readonly WritableEvent[]) {
    this.ofHits = hits.map((hit) => (hit.key === null ? null : this.claimFor(hit, hit.key)));
  }

  private claimFor(hit: WritableEvent, eventId: string): Claim {
    const key = createHash("sha256").update(eventId).digest("hex").slice(0, 32);
    const name = nameOf(hit.siteId, key);
    const known = this.claims.get(name);
    if (known) return known;
    const day = isoTimestamp(hit.timestamp).slice(0, 10);
    const claim: Claim = { siteId: hit.siteId, key, day, isPageKey: hit.isPageKey, holder: null };
    this.claims.set(name, claim);
    return claim;
  }

  /** Writes them down, and learns which of them an earlier batch holds. */
  async stake(client: pg.PoolClient): Promise<void> {
    // In one order everywhere, so that writers wait for each other but never in a circle.
    const sorted = [...this.claims.values()].sort((a, b) => a.siteId - b.siteId || (a.key < b.key ? -1 : 1));
    const staked = await Promise.all(
      TABLES.map(({ table, stake, holds }) => {
        const claims = sorted.filter(holds);
        const values = [arrayOf(claims, "siteId"), arrayOf(claims, "key"), arrayOf(claims, "day")];
        return claims.length > 0 ? client.query({ name: `stake-${table}`, text: stake, values }) : { rows: [] };
      }),
    );
    const ours = staked.flatMap(({ rows }) => rows);
    if (ours.length === sorted.length) return;
    const names = new Set(ours.map((row) => nameOf(row.site_id, row.key)));
    for (const [name, claim] of this.claims) if (!names.has(name)) claim.holder = "earlier batch";
  }

  /** Whether the id of this hit names another stored event. */
  isTaken(index: number): boolean {
    return (this.ofHits[index]?.holder ?? null) !== null;
  }

  /** The hit is kept, and its id is its own from now on. */
  take(index: number): void {
    const claim = this.ofHits[index];
    if (claim) claim.holder = "hit";
  }

  /** The statements that give up what is filtered: it has no claim to its id, and is filtered again when it comes again. */
  giveUp(): pg.QueryConfig[] {
    const left = [...this.claims.values()].filter(({ holder }) => holder === null);
    return TABLES.flatMap(({ table, giveUp, holds }) => {
      const claims = left.filter(holds);
      const values = [arrayOf(claims, "siteId"), arrayOf(claims, "key")];
      return claims.length > 0 ? [{ name: `give-up-${table}`, text: giveUp, values }] : [];
    });
  }
}

const nameOf = (siteId: number, key: string) => `${siteId}|${key}`;

const arrayOf = (claims: readonly Claim[], field: "siteId" | "key" | "day"): string =>
  `{${claims.map((claim) => claim[field]).join(",")}}`;

const tableOf = (table: "event_key" | "page_key", holds: (claim: Claim) => boolean) => ({
  table,
  holds,
  stake: `INSERT INTO facts.${table} (site_id, key, day) SELECT * FROM unnest($1::int[], $2::uuid[], $3::date[])
    ON CONFLICT DO NOTHING RETURNING site_id, replace(key::text, '-', '') AS key`,
  giveUp: `DELETE FROM facts.${table} AS kept USING unnest($1::int[], $2::uuid[]) AS given(site_id, key)
    WHERE kept.site_id = given.site_id AND kept.key = given.key`,
});

const TABLES = [tableOf("event_key", ({ isPageKey }) => !isPageKey), tableOf("page_key", ({ isPageKey }) => isPageKey)];

/** Forgets the ids that pages made so long ago that they send nothing again, some blocks of the table at a time. */
export async function deleteExpiredPageKeys(now: Date, sweptBlocks = SWEPT_BLOCKS): Promise<void> {
  const kept = new Date(now.getTime() - PAGE_KEYS_KEPT_DAYS * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await ingestPool().query(
    "SELECT (pg_relation_size('facts.page_key') / current_setting('block_size')::int)::int AS blocks",
  );
  for (let from = 0; from < rows[0].blocks; from += sweptBlocks) {
    await ingestPool().query("DELETE FROM facts.page_key WHERE ctid >= $1::tid AND ctid < $2::tid AND day < $3::date", [
      `(${from},0)`,
      `(${from + sweptBlocks},0)`,
      kept,
    ]);
  }
}
