import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { OutdatedCopy, refresh } from "@/lib/analytics/engine/copy";
import type { Derived } from "@/lib/analytics/engine/copy-options";
import { accountOf, databaseId } from "@/lib/analytics/engine/facts-snapshot";
import { isBroken, isDamaged, patternFaultOf, StillCopying } from "@/lib/analytics/engine/failure";
import { lockFolder, othersIn, quoted, unusedIn } from "@/lib/analytics/engine/files";
import { type OpenSite, OpenSites } from "@/lib/analytics/engine/open-sites";
import { type Columns, parquetOf } from "@/lib/analytics/engine/parquet";
import { type ParquetPage, ParquetPages } from "@/lib/analytics/engine/parquet-pages";
import { type Row, runStatement, type Statement } from "@/lib/analytics/engine/statement";
import { LATE, type Limit, within } from "@/lib/analytics/engine/within";
import { DAY_MS } from "@/lib/platform/durations";
import { FairQueue } from "@/lib/platform/fair-queue";
import { describeError, log } from "@/lib/platform/log";
import { counter } from "@/lib/platform/metrics";
import { CONNECT_WITHIN_MS, readingPool } from "@/lib/platform/pool";

/** DuckDB with one file per site, a copy of the site's facts. */

const MAX_AGE_MS = 1_000;
/** A copy is refreshed again after this many times the duration of its last refresh. */
const REST = 10;
const WAIT_FOR_COPY_MS = 1_500;
/** How many times as long a query waits for a copy that takes only a moment. */
const MOST_WAITS = 20;
const IDLE_MS = 15 * 60_000;
/** A query that has waited for a refresh accepts a copy of this age, because refreshing a very large site can take long. */
const LATE_AGE_MS = 10_000;
const LONGEST_UNUSED_MS = 7 * DAY_MS;
const SWEEP_EVERY_MS = 3600_000;
const INTERRUPT_EVERY_MS = 50;
/** Temporary files may take this many times the memory limit. */
const TEMPORARY_SHARE = 4;

/** Fewer events are counted in less than half a second without a rollup, which takes longer than the rest of their copy. */
const ROLL_UP_FROM = 100_000;
const COPYING = counter({ name: "footfall_analytics_copying_seconds_total", help: "Time spent on copying facts." });

const DAMAGED = "the copy of a site is damaged and is made again";
const NOT_REMOVED = "the damaged copy of a site was not removed";
const KEEPS_ERASED = "a copy keeps erased data, because its file cannot be rewritten";

export interface EngineOptions {
  /** The folder of the sites' files. */
  folder: string;
  databaseUrl: string;
  memoryMegabytes: number;
  threads: number;
  derived: Derived;
  /** Sites with fewer events have no rollup. */
  rollUpFrom?: number;
  /** How old a copy may be when a query reads it, in milliseconds. */
  maxAgeMs?: number;
  /** How long a query waits for a copy that is being made, in milliseconds. */
  waitForCopyMs?: number;
  /** A site's file is closed after this many milliseconds without a query. */
  idleMs?: number;
  /** Connections to Postgres. */
  connections?: number;
  /** How long a query waits for one of them, in milliseconds. */
  connectWithinMs?: number;
}

export interface SiteOfCopy {
  siteId: number;
  timezone: string;
  /** Whether slashes at the end of a path make no other page, so that the copy leaves them out; false when not given. */
  mergeSlashes?: boolean;
}

export class Engine {
  readonly #sites: OpenSites;
  readonly #temporary: string;
  #idle: DuckDBConnection[] = [];
  readonly #longCopies = new FairQueue();
  readonly #parquetPages = new ParquetPages();
  readonly #sweeping: NodeJS.Timeout;

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly pool: pg.Pool,
    private readonly options: EngineOptions,
    private readonly installation: string,
  ) {
    this.#temporary = temporaryIn(options.folder);
    this.#sites = new OpenSites(instance, options.folder, options.idleMs ?? IDLE_MS);
    this.#sweeping = setInterval(() => this.#sweepOrLog(), SWEEP_EVERY_MS).unref();
  }

  /** @throws FolderInUse */
  static async open(options: EngineOptions): Promise<Engine> {
    const { folder, databaseUrl, memoryMegabytes, threads, connections = 2, connectWithinMs } = options;
    const temporary = temporaryIn(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${memoryMegabytes}MB`,
      threads: `${threads}`,
      temp_directory: temporary,
      max_temp_directory_size: `${memoryMegabytes * TEMPORARY_SHARE}MB`,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      // DuckDB often estimates far too few rows after a filter; a nested loop would take minutes.
      asof_loop_join_threshold: "0",
    });
    const pool = readingPool({
      connectionString: databaseUrl,
      max: connections,
      connectionTimeoutMillis: connectWithinMs ?? CONNECT_WITHIN_MS,
    });
    try {
      await confine(instance, folder);
      await lockFolder(instance, folder);
      rmSync(temporary, { recursive: true, force: true });
      mkdirSync(temporary, { mode: 0o700 });
      return new Engine(instance, pool, options, await databaseId(pool));
    } catch (error) {
      instance.closeSync();
      await pool.end();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#parquetPages.close();
    await this.#sites.settle();
    for (const connection of this.#idle) connection.closeSync();
    this.#idle = [];
    this.instance.closeSync();
    await this.pool.end();
  }

  /**
   * Runs statements one after the other in one transaction with its own temporary tables. A file that is outdated or
   * damaged is built again once.
   *
   * @returns the rows of each statement.
   * @throws StillCopying, the error of DuckDB, or the signal's reason once it is aborted.
   */
  async query(of: SiteOfCopy, statements: readonly Statement[], signal?: AbortSignal): Promise<Row[][]> {
    const limit = this.#limit(signal);
    try {
      return await this.#answer(of, statements, limit);
    } catch (error) {
      if (signal?.aborted) throw error;
      // One log line, even if many queries fail at the same time.
      const isFirst = this.#sites.isOpen(of.siteId);
      if (error instanceof OutdatedCopy) {
        if (isFirst) log.info({ site_id: of.siteId }, "the copy of a site is outdated and is made again");
        await within(this.forget(of.siteId), limit);
        return this.#answer(of, statements, limit);
      }
      if (!isDamaged(error)) throw error;
      if (isFirst) log.warn({ site_id: of.siteId, ...describeError(error) }, DAMAGED);
      await within(
        this.forget(of.siteId).catch((fault) => log.warn({ site_id: of.siteId, ...describeError(fault) }, NOT_REMOVED)),
        limit,
      );
      if (isBroken(error)) throw error;
      return this.#answer(of, statements, limit);
    }
  }

  /** Returns what DuckDB has against a regular expression; null when it takes it. */
  async patternFault(pattern: string): Promise<string | null> {
    const connection = await this.instance.connect();
    try {
      await connection.run("SELECT regexp_matches('', $1)", [pattern]);
      return null;
    } catch (error) {
      const fault = patternFaultOf(error);
      if (fault === null) throw error;
      return fault;
    } finally {
      connection.closeSync();
    }
  }

  /** As `parquetOf`. */
  async parquet(columns: Columns, rows: string): Promise<Uint8Array> {
    const connection = await this.instance.connect();
    try {
      return await parquetOf(connection, this.#temporary, columns, rows);
    } finally {
      connection.closeSync();
    }
  }

  /** As `ParquetPages.page`. */
  parquetPage(file: string, columns: Columns, from: number): Promise<ParquetPage> {
    return this.#parquetPages.page(file, columns, from);
  }

  /** Removes the copy of a site. */
  forget(siteId: number): Promise<void> {
    return this.#sites.remove(siteId);
  }

  /** Removes the copies of all other sites. */
  async keep(siteIds: readonly number[]): Promise<void> {
    for (const siteId of othersIn(this.options.folder, siteIds)) await this.forget(siteId);
  }

  /** Removes copies that were not used for a week, so that erased data does not stay in them. */
  async sweep(now = Date.now()): Promise<void> {
    for (const siteId of unusedIn(this.options.folder, now - LONGEST_UNUSED_MS)) await this.forget(siteId);
  }

  async #sweepOrLog(): Promise<void> {
    await this.sweep().catch((error) => log.warn(describeError(error), "unused copies were not removed"));
  }

  /** How long a query waits at once for a copy that is being made. */
  #limit(signal: AbortSignal | undefined): Limit {
    return { until: performance.now() + (this.options.waitForCopyMs ?? WAIT_FOR_COPY_MS), signal };
  }

  async #answer(of: SiteOfCopy, statements: readonly Statement[], limit: Limit): Promise<Row[][]> {
    limit.signal?.throwIfAborted();
    const site = await this.#sites.of(of.siteId, limit);
    const work = this.#fresh(site, of, limit).then(() => this.#run(site, statements, limit.signal));
    site.queries.add(work);
    try {
      return await work;
    } finally {
      site.queries.delete(work);
      site.queriedAt = Date.now();
    }
  }

  async #run(site: OpenSite, statements: readonly Statement[], signal?: AbortSignal): Promise<Row[][]> {
    const connection = this.#idle.pop() ?? (await this.instance.connect());
    let interrupting: NodeJS.Timeout | undefined;
    const stop = () => {
      connection.interrupt();
      // An interrupt before a statement begins has no effect.
      interrupting = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await connection.run(`USE ${site.name}`);
      await connection.run("BEGIN READ ONLY");
      const all: Row[][] = [];
      for (const statement of statements) {
        signal?.throwIfAborted();
        all.push(await runStatement(connection, statement));
      }
      await connection.run("ROLLBACK");
      this.#idle.push(connection);
      return all;
    } catch (error) {
      connection.closeSync();
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", stop);
      clearInterval(interrupting);
    }
  }

  /** Refreshes the copy unless it is fresh enough. */
  async #fresh(site: OpenSite, of: SiteOfCopy, limit: Limit): Promise<void> {
    const { maxAgeMs = MAX_AGE_MS } = this.options;
    // Refreshing a small site takes milliseconds, so its copy is refreshed more often.
    const ageMs = Math.min(maxAgeMs, REST * site.refreshMs);
    const began = Date.now();
    while (site.refreshing || !isMadeFor(site, of) || site.refreshedAt + ageMs <= began) {
      limit.signal?.throwIfAborted();
      site.refreshing ??= this.#refresh(site, of);
      // A refresh that began before this query may miss events.
      let wait = limit;
      for (let waits = 1; (await within(site.refreshing, wait)) === LATE; waits++, wait = this.#limit(limit.signal)) {
        const isUsable = site.isReady && isMadeFor(site, of);
        if (isUsable && began - site.refreshedAt < LATE_AGE_MS) return;
        // A copy without progress is short and ends soon, unless Postgres is stuck.
        if (!isUsable && (site.progress !== null || waits === MOST_WAITS)) throw new StillCopying(site.progress ?? 0);
      }
      if (site.refreshedAt >= began && isMadeFor(site, of)) break;
    }
  }

  /** @throws StillCopying when the site was deleted, or its file is about to be. */
  async #accountOf(site: OpenSite, siteId: number): Promise<string> {
    const account = site.isLeaving ? null : await accountOf(this.pool, siteId);
    if (account === null) throw new StillCopying(0);
    return account;
  }

  async #refresh(site: OpenSite, { siteId, timezone, mergeSlashes = false }: SiteOfCopy): Promise<void> {
    const began = Date.now();
    site.progress = null;
    const connection = await this.instance.connect();
    try {
      await connection.run(`USE ${site.name}`);
      const holdsErased = await refresh({
        connection,
        pool: this.pool,
        siteId,
        timezone,
        mergeSlashes,
        installation: this.installation,
        temporary: this.#temporary,
        derived: this.options.derived,
        rollUpFrom: this.options.rollUpFrom ?? ROLL_UP_FROM,
        progress: (share) => Object.assign(site, { progress: share, isReady: false }),
        inTurn: async (work) =>
          this.#longCopies.run(await this.#accountOf(site, siteId), async () => {
            await this.#accountOf(site, siteId);
            return work();
          }),
        // Without a question to Postgres, because the copy holds one of its two connections.
        mayContinue: async () => {
          if (site.isLeaving) throw new StillCopying(0);
        },
      });
      const refreshMs = Date.now() - began;
      Object.assign(site, { isReady: true, refreshedAt: began, refreshMs, timezone, mergeSlashes });
      if (holdsErased)
        this.#sites
          .rewrite(siteId)
          .catch((error) => log.warn({ site_id: siteId, ...describeError(error) }, KEEPS_ERASED));
    } finally {
      site.refreshing = null;
      connection.closeSync();
      COPYING.inc((Date.now() - began) / 1000);
    }
  }
}

const temporaryIn = (folder: string): string => path.join(folder, "temporary");

const isMadeFor = (site: OpenSite, { timezone, mergeSlashes = false }: SiteOfCopy): boolean =>
  site.timezone === timezone && site.mergeSlashes === mergeSlashes;

/** Lets SQL reach the files of this folder and nothing else of the machine or the network, and change no setting. */
async function confine(instance: DuckDBInstance, folder: string): Promise<void> {
  const connection = await instance.connect();
  try {
    await connection.run(
      `SET allowed_directories = [${quoted(`${folder}${path.sep}`)}]; SET enable_external_access = false; SET lock_configuration = true`,
    );
  } finally {
    connection.closeSync();
  }
}
