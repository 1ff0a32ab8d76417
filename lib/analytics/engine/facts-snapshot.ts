import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { columnsOfFacts, type FactColumn, VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";

/** Reads the facts of a site from Postgres. */

/** A half-open interval `[start, end)` of epoch milliseconds or of day numbers. */
export type Span = readonly [start: number, end: number];

/** The unbounded span. */
export const ALL_TIME: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Joins spans that overlap or touch, in order. */
export function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [start, end] of [...spans].sort(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** What tells whether a copy is current. */
export interface SequenceNumbers {
  /** The number of the site's last fact or change; a snapshot has all before it. */
  last: number;
  /** Changes up to this number are deleted. */
  changesDeletedTo: number;
  /** When the transaction began, by the clock of Postgres. */
  at: Date;
}

/** Returns the present numbers of a site. */
export async function readNumbers(on: pg.Pool | pg.PoolClient, siteId: number): Promise<SequenceNumbers> {
  const { rows } = await on.query(
    `SELECT coalesce(max(last), 0)::float8 AS last, coalesce(max(changes_deleted_to), 0)::float8 AS "changesDeletedTo", now() AS at
     FROM facts.site_sequence WHERE site_id = $1`,
    [siteId],
  );
  return rows[0];
}

/** The facts of a site in Postgres as of one moment: reads in one read-only transaction see one snapshot of the database. */
export class FactsSnapshot implements SequenceNumbers {
  readonly last: number;
  readonly changesDeletedTo: number;
  readonly at: Date;

  private constructor(
    private readonly client: pg.PoolClient,
    readonly siteId: number,
    { last, changesDeletedTo, at }: SequenceNumbers,
  ) {
    this.last = last;
    this.changesDeletedTo = changesDeletedTo;
    this.at = at;
  }

  /** Calls `work` with a snapshot, which ends with it. */
  static async read<Result>(
    pool: pg.Pool,
    siteId: number,
    work: (snapshot: FactsSnapshot) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect();
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const result = await work(new FactsSnapshot(client, siteId, await readNumbers(client, siteId)));
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  /** The moment of the first event or visit; null for a site without facts. */
  async firstFact(): Promise<number | null> {
    const { rows } = await this.client.query(
      `SELECT least(
         (SELECT ts FROM facts.event WHERE site_id = $1 ORDER BY ts LIMIT 1),
         (SELECT started FROM facts.visit WHERE site_id = $1 ORDER BY started LIMIT 1)
       ) AS first`,
      [this.siteId],
    );
    return rows[0].first?.getTime() ?? null;
  }

  /** How many events each UTC day has, in order. */
  async eventsByDay(): Promise<{ day: number; events: number }[]> {
    const { rows } = await this.client.query(
      `SELECT (extract(epoch FROM date_trunc('day', ts, 'UTC')) * 1000)::float8 AS day, count(*)::int AS events
       FROM facts.event WHERE site_id = $1 GROUP BY 1 ORDER BY 1`,
      [this.siteId],
    );
    return rows;
  }

  /** Whether there are more events than this. */
  async hasMoreEvents(than: number): Promise<boolean> {
    const { rows } = await this.client.query(
      "SELECT count(*)::int AS events FROM (SELECT FROM facts.event WHERE site_id = $1 LIMIT $2) AS few",
      [this.siteId, than + 1],
    );
    return rows[0].events > than;
  }

  /** The spans in which facts were changed or deleted after a number. */
  async changesAfter(number: number): Promise<Span[]> {
    const { rows } = await this.client.query(
      `SELECT nullif(start, '-infinity') AS start, nullif("end", 'infinity') AS "end" FROM facts.change
       WHERE site_id = $1 AND seq > $2`,
      [this.siteId, number],
    );
    return rows.map(({ start, end }) => [start?.getTime() ?? ALL_TIME[0], end?.getTime() ?? ALL_TIME[1]]);
  }

  /** Writes the events of a span to a file. */
  events(file: string, span: Span): Promise<number> {
    return this.export(file, `SELECT ${EVENT_SELECT} FROM facts.event WHERE ${this.within("ts", span)}`);
  }

  /** Writes the events after a number to a file, but for those in some spans. */
  newEvents(file: string, number: number, without: readonly Span[]): Promise<number> {
    const others = without.map((span) => `NOT (${this.within("ts", span)})`);
    return this.export(
      file,
      `SELECT ${EVENT_SELECT} FROM facts.event WHERE ${[this.after(number), ...others].join(" AND ")}`,
    );
  }

  /** Writes the visits that began in a span to a file. */
  visits(file: string, span: Span): Promise<number> {
    return this.export(file, `SELECT ${VISIT_SELECT} FROM facts.visit WHERE ${this.within("started", span)}`);
  }

  /** Writes the visits of the events after a number to a file. */
  visitsOfNew(file: string, number: number): Promise<number> {
    const events = `FROM facts.event WHERE ${this.after(number)}`;
    return this.export(
      file,
      `SELECT ${VISIT_SELECT} FROM facts.visit WHERE site_id = ${this.siteId}
         AND started > (SELECT min(ts) ${events}) - interval '${VISIT_SPAN_MS} milliseconds'
         AND (visitor_id, visit_id) IN (SELECT visitor_id, visit_id ${events})`,
    );
  }

  /** Writes values of a dictionary to a file. @param chosen an SQL condition that contains only integers. */
  dictionaryValues(file: string, dictionary: string, columns: readonly string[], chosen: string): Promise<number> {
    const all = ["id", ...columns.map((column) => `coalesce(${column}, '')`)];
    return this.export(
      file,
      `SELECT ${all.join(", ")} FROM facts.${dictionary} WHERE site_id = ${this.siteId} AND ${chosen}`,
    );
  }

  /** Writes the imported sums to a file. */
  imported(file: string): Promise<number> {
    return this.export(
      file,
      `SELECT dimension, day - DATE '1970-01-01', value, visitors, visits, bounces, duration_ms, pageviews, events
       FROM facts.imported WHERE site_id = ${this.siteId}`,
    );
  }

  private after(number: number): string {
    return `site_id = ${this.siteId} AND seq > ${number}`;
  }

  private within(column: string, [start, end]: Span): string {
    const at = (moment: number) => `'${new Date(moment).toISOString()}'::timestamptz`;
    return [
      `site_id = ${this.siteId}`,
      ...(Number.isFinite(start) ? [`${column} >= ${at(start)}`] : []),
      ...(Number.isFinite(end) ? [`${column} < ${at(end)}`] : []),
    ].join(" AND ");
  }

  /** @returns how many rows were written. */
  private async export(file: string, select: string): Promise<number> {
    const stream = this.client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT csv)`));
    try {
      await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
    return (stream as unknown as { rowCount: number }).rowCount;
  }
}

/** Returns the account that the work for a site is charged to; null when the site was deleted. */
export async function accountOf(pool: pg.Pool, siteId: number): Promise<string | null> {
  const { rows } = await pool.query("SELECT account_of_site($1) AS account", [siteId]);
  return rows[0].account;
}

/** The id of the database. A restored database has another id, even under the same name. */
export async function databaseId(pool: pg.Pool): Promise<string> {
  const cluster = await pool
    .query(
      // A database restored to an earlier moment has another timeline.
      "SELECT system_identifier::text || '/' || timeline_id AS id FROM pg_control_system(), pg_control_checkpoint()",
    )
    .then(
      ({ rows }) => rows[0].id as string,
      (error) => {
        // Some hosts allow this function to superusers only.
        if (error.code === "42501") return "";
        throw error;
      },
    );
  const { rows } = await pool.query(
    "SELECT oid::text || '/' || 'facts.event'::regclass::oid AS id FROM pg_database WHERE datname = current_database()",
  );
  return `${cluster}/${rows[0].id}`;
}

/** Imported amounts that do not fit the copy's column are not money. */
const REVENUE = "CASE WHEN abs(revenue) < 1e20 THEN round(revenue, 18) END";

const vital = (key: string): string =>
  `CASE WHEN type = ${EVENT_TYPES.vitals} AND jsonb_typeof(props -> '${key}') = 'number' THEN (props ->> '${key}')::float8 END`;

/** Building an object anew takes longer than all other columns, and is not needed where all values are text. */
const PROPS = `CASE WHEN props @? '$.* ? (@.type() <> "string")'
  THEN (SELECT json_object_agg(key, value) FROM jsonb_each_text(props) WHERE value IS NOT NULL)::text ELSE props::text END`;

/** SQL for the value of a column in the copy. */
function copiedValue([name, { type, copied, nullable }]: [string, FactColumn]): string[] {
  if (!copied) return [];
  if (type === "timestamptz") return [`${name} AT TIME ZONE 'UTC'`];
  if (type === "numeric") return [REVENUE];
  if (type === "jsonb") return [PROPS];
  return [nullable ? `coalesce(${name}, 0)` : name];
}

/** In the order of the tables of a site's file, without what is found there. Properties are text, as filters compare them. */
const EVENT_SELECT = [
  ...columnsOfFacts("event").flatMap(copiedValue),
  ...["lcp", "inp", "cls", "fcp", "ttfb"].map(vital),
].join(", ");
const VISIT_SELECT = columnsOfFacts("visit").flatMap(copiedValue).join(", ");
