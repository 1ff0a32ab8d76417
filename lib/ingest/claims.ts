import { createHash } from "node:crypto";
import type pg from "pg";
import type { Hit } from "@/lib/ingest/hit";

interface Claim {
  siteId: number;
  /** 128 bits of the id's SHA-256, as a UUID is written without its dashes. */
  key: string;
  day: string;
  /** Whose it is: an earlier batch's, that of a hit of this one which is kept, or nobody's yet. */
  holder: "earlier batch" | "hit" | null;
}

/** The event ids that the senders of a batch chose: each names one stored event of its site. */
export class Claims {
  private readonly claims = new Map<string, Claim>();
  private readonly ofHits: (Claim | null)[];

  constructor(hits: readonly Hit[]) {
    this.ofHits = hits.map((hit) => (hit.key === null ? null : this.claimFor(hit, hit.key)));
  }

  private claimFor(hit: Hit, eventId: string): Claim {
    const key = createHash("sha256").update(eventId).digest("hex").slice(0, 32);
    const name = nameOf(hit.site.id, key);
    const known = this.claims.get(name);
    if (known) return known;
    const claim: Claim = { siteId: hit.site.id, key, day: hit.at.toISOString().slice(0, 10), holder: null };
    this.claims.set(name, claim);
    return claim;
  }

  /** Writes them down, and learns which of them an earlier batch holds. */
  async stake(client: pg.PoolClient): Promise<void> {
    if (this.claims.size === 0) return;
    // In one order everywhere, so that writers wait for each other but never in a circle.
    const sorted = [...this.claims.values()].sort((a, b) => a.siteId - b.siteId || (a.key < b.key ? -1 : 1));
    const values = [arrayOf(sorted, "siteId"), arrayOf(sorted, "key"), arrayOf(sorted, "day")];
    const staked = await client.query({ name: "stake-claims", text: STAKE, values });
    if (staked.rows.length === sorted.length) return;
    const ours = new Set(staked.rows.map((row) => nameOf(row.site_id, row.key)));
    for (const [name, claim] of this.claims) if (!ours.has(name)) claim.holder = "earlier batch";
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

  /** What is filtered has no claim to its id: it is filtered again when it comes again. */
  async giveUp(client: pg.PoolClient): Promise<void> {
    const left = [...this.claims.values()].filter(({ holder }) => holder === null);
    if (left.length === 0) return;
    await client.query({
      name: "give-up-claims",
      text: GIVE_UP,
      values: [arrayOf(left, "siteId"), arrayOf(left, "key")],
    });
  }
}

const nameOf = (siteId: number, key: string) => `${siteId}|${key}`;

const arrayOf = (claims: readonly Claim[], field: "siteId" | "key" | "day"): string =>
  `{${claims.map((claim) => claim[field]).join(",")}}`;

const STAKE = `INSERT INTO facts.event_key (site_id, key, day) SELECT * FROM unnest($1::int[], $2::uuid[], $3::date[])
  ON CONFLICT DO NOTHING RETURNING site_id, replace(key::text, '-', '') AS key`;
const GIVE_UP = `DELETE FROM facts.event_key AS kept USING unnest($1::int[], $2::uuid[]) AS given(site_id, key)
  WHERE kept.site_id = given.site_id AND kept.key = given.key`;
