import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
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
import { type Refreshed, type RollUp, refresh } from "@/lib/analytics/engine/copy";

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

/** A copy that nobody has used for so long is removed: nothing that was erased stays in it for longer. */
const LONGEST_UNUSED_MS = 7 * 24 * 3600_000;
const SWEEP_EVERY_MS = 3600_000;

/** Fewer events are counted within milliseconds. */
const ROLL_UP_FROM = 50_000;

/** A file that is attached. */
interface File {
  place: string;
  /** Of the attached database. */
  name: string;
  /** Questions that read it. */
  readers: number;
  /** Another file has taken its place. */
  isReplaced: boolean;
}

interface Site {
  file: File;
  timezone: string | null;
  refreshedAt: number;
  refreshing: Promise<void> | null;
  /** Copied at least once by this process. */
  isReady: boolean;
  progress: number;
}

export class Engine {
  readonly #sites = new Map<number, Promise<Site>>();
  #idle: DuckDBConnection[] = [];
  #files = 0;
  readonly #sweeping: NodeJS.Timeout;

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly pool: pg.Pool,
    private readonly options: EngineOptions,
    private readonly installation: string,
  ) {
    this.#sweeping = setInterval(() => this.sweep().catch(() => {}), SWEEP_EVERY_MS).unref();
  }

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
      // A database that was restored to an earlier moment has another timeline.
      `SELECT system_identifier::text || '/' || timeline_id || '/' || pg_database.oid AS installation
       FROM pg_control_system(), pg_control_checkpoint(), pg_database WHERE datname = current_database()`,
    );
    return new Engine(instance, pool, options, rows[0].installation);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
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
    const { file } = await this.#fresh(of);
    file.readers++;
    try {
      return await this.#read(file, statements, signal);
    } finally {
      file.readers--;
      if (file.isReplaced && file.readers === 0) await this.#remove(file);
    }
  }

  async #read(file: File, statements: readonly Statement[], signal?: AbortSignal): Promise<Row[][]> {
    const connection = this.#idle.pop() ?? (await this.instance.connect());
    const stop = () => connection.interrupt();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await connection.run(`USE ${file.name}`);
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
      await this.#remove(site.file);
    }
    for (const place of this.#placesOf(siteId)) removeFile(place);
  }

  /** Removes copies that nobody has used for long. */
  async sweep(now = Date.now()): Promise<void> {
    for (const [siteId, usedAt] of this.#usedAt()) {
      if (usedAt < now - LONGEST_UNUSED_MS) await this.forget(siteId);
    }
  }

  /** When the files of each site were last written to. */
  #usedAt(): Map<number, number> {
    const all = new Map<number, number>();
    for (const name of readdirSync(this.options.folder)) {
      const [, site] = /^(\d+)\.\d+\.duckdb(?:\.wal)?$/.exec(name) ?? [];
      const used = site && statSync(path.join(this.options.folder, name), { throwIfNoEntry: false })?.mtimeMs;
      if (used) all.set(Number(site), Math.max(all.get(Number(site)) ?? 0, used));
    }
    return all;
  }

  /** The files of a site, the newest first. */
  #placesOf(siteId: number): string[] {
    const numberOf = (name: string) => Number(name.split(".")[1]);
    return readdirSync(this.options.folder)
      .filter((name) => name.startsWith(`${siteId}.`) && name.endsWith(".duckdb"))
      .sort((a, b) => numberOf(b) - numberOf(a))
      .map((name) => path.join(this.options.folder, name));
  }

  async #attachFile(siteId: number, place: string): Promise<File> {
    const name = `site_${siteId}_${++this.#files}`;
    await this.#run(`ATTACH '${place.replaceAll("'", "''")}' AS ${name}`);
    return { place, name, readers: 0, isReplaced: false };
  }

  #newFile(siteId: number): Promise<File> {
    const [newest] = this.#placesOf(siteId);
    const number = newest ? Number(path.basename(newest).split(".")[1]) + 1 : 1;
    return this.#attachFile(siteId, path.join(this.options.folder, `${siteId}.${number}.duckdb`));
  }

  async #remove(file: File): Promise<void> {
    await this.#run(`DETACH DATABASE IF EXISTS ${file.name}`);
    removeFile(file.place);
  }

  /** Has questions read another file from now on. The one before it goes as soon as none reads it. */
  #replace(site: Site, file: File): void {
    const before = site.file;
    site.file = file;
    before.isReplaced = true;
    // Later than a question that has just been given the file begins to read it.
    setImmediate(() => {
      if (before.readers === 0) this.#remove(before).catch(() => {});
    });
  }

  async #run(sql: string): Promise<void> {
    const connection = await this.instance.connect();
    try {
      await connection.run(sql);
    } finally {
      connection.closeSync();
    }
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
    while (site.refreshing || site.timezone !== timezone || site.refreshedAt + maxAgeMs <= began) {
      site.refreshing ??= this.#refresh(site, siteId, timezone);
      const { refreshing } = site;
      // What began before this question does not see all that it has to.
      const isLate = site.isReady ? await refreshing : await within(refreshing, WAIT_FOR_COPY_MS);
      if (isLate === LATE) throw new StillCopying(site.progress);
      if (site.refreshedAt >= began && site.timezone === timezone) break;
    }
    return site;
  }

  async #attach(siteId: number): Promise<Site> {
    const [newest, ...older] = this.#placesOf(siteId);
    for (const place of older) removeFile(place);
    const known =
      newest &&
      (await this.#attachFile(siteId, newest).catch(() => {
        removeFile(newest);
        return null;
      }));
    const file = known || (await this.#newFile(siteId));
    return { file, timezone: null, refreshedAt: 0, refreshing: null, isReady: false, progress: 0 };
  }

  async #refresh(site: Site, siteId: number, timezone: string): Promise<void> {
    const began = Date.now();
    try {
      let done = await this.#bringUp(site, siteId, timezone);
      if (done === "outdated") {
        site.isReady = false;
        this.#replace(site, await this.#newFile(siteId));
        done = await this.#bringUp(site, siteId, timezone);
      } else if (done === "erased") {
        await this.#rewrite(site, siteId);
      }
      Object.assign(site, { isReady: true, refreshedAt: began, timezone });
    } finally {
      site.refreshing = null;
    }
  }

  async #bringUp(site: Site, siteId: number, timezone: string): Promise<Refreshed> {
    const connection = await this.instance.connect();
    try {
      await connection.run(`USE ${site.file.name}`);
      return await refresh({
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
    } finally {
      connection.closeSync();
    }
  }

  /** DuckDB leaves in a file what was deleted from it, until something is written over it. */
  async #rewrite(site: Site, siteId: number): Promise<void> {
    const file = await this.#newFile(siteId);
    try {
      await this.#run(`COPY FROM DATABASE ${site.file.name} TO ${file.name}`);
      await this.#run(`UPDATE ${file.name}.state SET erased = false`);
    } catch (error) {
      await this.#remove(file);
      throw error;
    }
    this.#replace(site, file);
  }
}

function removeFile(place: string): void {
  for (const suffix of ["", ".wal"]) rmSync(`${place}${suffix}`, { force: true });
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
