import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";
import pg from "pg";
import { type RollUp, refresh } from "@/lib/analytics/engine/copy";

/** DuckDB with a file for each site, each a copy of the site's facts. */

export interface EngineOptions {
  /** Where files of sites are. */
  folder: string;
  databaseUrl: string;
  memoryMegabytes: number;
  threads: number;
  rollUp: RollUp;
  /** Sites with fewer events have no rollup. */
  rollUpFrom?: number;
  /** How old a copy may be when a question reads it, in milliseconds. */
  maxAgeMs?: number;
  /** Connections to Postgres. */
  connections?: number;
}

export interface SiteOfCopy {
  siteId: number;
  timezone: string;
}

/** A value that is bound to a statement. */
export type Value = number | string | boolean | bigint | Date | null | readonly (number | string | null)[];
export interface Statement {
  sql: string;
  values: readonly Value[];
}
export type Row = Record<string, unknown>;

/** The site's first copy is not made yet. */
export class StillCopying extends Error {
  constructor(
    /** The share that is copied, from 0 to 1. */
    readonly progress: number,
  ) {
    super("The site's facts are being copied");
  }
}

/** How long a question waits for a copy that is being made. */
const WAIT_FOR_COPY_MS = 1_500;

/** Fewer events are counted within milliseconds. */
const ROLL_UP_FROM = 50_000;

interface Site {
  name: string;
  refreshedAt: number;
  refreshing: Promise<void> | null;
  /** Copied at least once by this process. */
  isReady: boolean;
  progress: number;
}

export class Engine {
  readonly #sites = new Map<number, Promise<Site>>();
  #idle: DuckDBConnection[] = [];

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly pool: pg.Pool,
    private readonly options: EngineOptions,
    private readonly installation: string,
  ) {}

  static async open(options: EngineOptions): Promise<Engine> {
    const { folder, databaseUrl, memoryMegabytes, threads, connections = 2 } = options;
    mkdirSync(path.join(folder, "temporary"), { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${memoryMegabytes}MB`,
      threads: `${threads}`,
      temp_directory: path.join(folder, "temporary"),
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    });
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    pool.on("error", () => {});
    const { rows } = await pool.query(
      "SELECT system_identifier::text AS id, current_database() AS name FROM pg_control_system()",
    );
    return new Engine(instance, pool, options, `${rows[0].id}/${rows[0].name}`);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#sites.values()].map(async (site) => (await site).refreshing));
    for (const connection of this.#idle) connection.closeSync();
    this.#idle = [];
    this.instance.closeSync();
    await this.pool.end();
  }

  /**
   * Runs statements one after the other in one transaction. Temporary tables that they make are theirs alone.
   *
   * @returns the rows of each statement: numbers (also of 64 bits, as doubles), texts, lists and dates.
   * @throws StillCopying, or what DuckDB says; the signal's reason once it is aborted.
   */
  async ask(of: SiteOfCopy, statements: readonly Statement[], signal?: AbortSignal): Promise<Row[][]> {
    signal?.throwIfAborted();
    const site = await this.#fresh(of);
    const connection = this.#idle.pop() ?? (await this.instance.connect());
    const stop = () => connection.interrupt();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await connection.run(`USE ${site.name}`);
      await connection.run("BEGIN READ ONLY");
      const all: Row[][] = [];
      for (const statement of statements) all.push(await run(connection, statement));
      await connection.run("ROLLBACK");
      this.#idle.push(connection);
      return all;
    } catch (error) {
      connection.closeSync();
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Removes what is kept of a site. */
  async forget(siteId: number): Promise<void> {
    const site = await this.#sites.get(siteId)?.catch(() => null);
    this.#sites.delete(siteId);
    if (site) {
      await site.refreshing?.catch(() => {});
      const connection = await this.instance.connect();
      await connection.run(`DETACH DATABASE IF EXISTS ${site.name}`);
      connection.closeSync();
    }
    for (const suffix of ["", ".wal"]) rmSync(`${this.#fileOf(siteId)}${suffix}`, { force: true });
  }

  #fileOf(siteId: number): string {
    return path.join(this.options.folder, `${siteId}.duckdb`);
  }

  /** The site with a copy that is as fresh as it has to be. */
  async #fresh({ siteId, timezone }: SiteOfCopy): Promise<Site> {
    let attaching = this.#sites.get(siteId);
    if (!attaching) {
      attaching = this.#attach(siteId);
      this.#sites.set(siteId, attaching);
      attaching.catch(() => this.#sites.delete(siteId));
    }
    const site = await attaching;
    const { maxAgeMs = 1_000 } = this.options;
    const began = Date.now();
    while (site.refreshing || site.refreshedAt + maxAgeMs <= began) {
      site.refreshing ??= this.#refresh(site, siteId, timezone);
      const { refreshing } = site;
      // What began before this question does not see all that it has to.
      const isLate = site.isReady ? await refreshing : await within(refreshing, WAIT_FOR_COPY_MS);
      if (isLate === LATE) throw new StillCopying(site.progress);
      if (site.refreshedAt >= began) break;
    }
    return site;
  }

  async #attach(siteId: number): Promise<Site> {
    const name = `site_${siteId}`;
    const site: Site = { name, refreshedAt: 0, refreshing: null, isReady: false, progress: 0 };
    const connection = await this.instance.connect();
    const attach = () =>
      connection.run(`ATTACH IF NOT EXISTS '${this.#fileOf(siteId).replaceAll("'", "''")}' AS ${name}`);
    try {
      await attach().catch(async () => {
        for (const suffix of ["", ".wal"]) rmSync(`${this.#fileOf(siteId)}${suffix}`, { force: true });
        await attach();
      });
    } finally {
      connection.closeSync();
    }
    return site;
  }

  async #refresh(site: Site, siteId: number, timezone: string): Promise<void> {
    const began = Date.now();
    const connection = await this.instance.connect();
    try {
      await connection.run(`USE ${site.name}`);
      await refresh({
        connection,
        pool: this.pool,
        siteId,
        timezone,
        installation: this.installation,
        temporary: path.join(this.options.folder, "temporary"),
        rollUp: this.options.rollUp,
        rollUpFrom: this.options.rollUpFrom ?? ROLL_UP_FROM,
        progress: (share) => {
          site.progress = share;
          if (share < 1) site.isReady = false;
        },
      });
      site.isReady = true;
      site.refreshedAt = began;
    } finally {
      site.refreshing = null;
      connection.closeSync();
    }
  }
}

const LATE = Symbol("late");

async function within(work: Promise<void>, ms: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(LATE), ms);
  });
  // It goes on when nobody waits any more.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function run(connection: DuckDBConnection, { sql, values }: Statement): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql, values.map(bound), values.map(typeOf) as DuckDBType[]);
  return reader.getRowObjectsJS().map((row) => plain(row) as Row);
}

function bound(value: Value): DuckDBValue {
  if (value instanceof Date) return new DuckDBTimestampValue(BigInt(value.getTime()) * 1000n);
  if (!Array.isArray(value)) return value as DuckDBValue;
  const areWhole = value.every(Number.isInteger);
  return listValue(value.map((one) => (areWhole ? BigInt(one as number) : (one as string | number | null))));
}

function typeOf(value: Value): DuckDBType | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length > 0 && value.every(Number.isInteger)) return LIST(BIGINT);
  return LIST(value.length > 0 && value.every((one) => typeof one === "number") ? DOUBLE : VARCHAR);
}

/** 64-bit numbers as doubles, as everywhere in answers. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
