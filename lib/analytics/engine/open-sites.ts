import { renameSync, rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { isBroken, isDiskFull, isStillOpen, StillCopying } from "@/lib/analytics/engine/failure";
import { fileOf, quoted, removeFile } from "@/lib/analytics/engine/files";
import { LATE, type Limit, unlessAborted, within } from "@/lib/analytics/engine/within";
import { describeError, log } from "@/lib/platform/log";

/** A site whose file is open. */
export interface OpenSite {
  name: string;
  /** The zone of the local days in the file; null before the first look at it. */
  timezone: string | null;
  /** Whether its paths have no slash at their end. */
  mergeSlashes: boolean;
  refreshedAt: number;
  /** How long that took. */
  refreshMs: number;
  refreshing: Promise<void> | null;
  /** Copied by this process, and not half of a state. */
  isReady: boolean;
  /** Progress of a long copy, 0 to 1; null when none is being made. */
  progress: number | null;
  queries: Set<Promise<unknown>>;
  queriedAt: number;
  /** Whether its file is about to be closed or removed, so that a copy of it is of no use. */
  isLeaving: boolean;
}

/** Does something with a site's file that nothing else uses any more. */
type Leaving = (connection: DuckDBConnection, site: OpenSite) => Promise<void>;

/** Transactions that look at all databases keep a file open that is closed meanwhile. They take milliseconds. */
const RELEASED_AFTER_MS = 10;
const MOST_TRIES = 500;

/** Waits for work of others, who handle its error. */
const settled = (work: Promise<unknown> | null | undefined) => Promise.allSettled([work]);

/** Opens a file, as soon as it is not open any more. */
async function onceReleased(attach: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await attach();
      return;
    } catch (error) {
      if (!isStillOpen(error) || tries === MOST_TRIES) throw error;
      await setTimeout(RELEASED_AFTER_MS);
    }
  }
}

/** Open files take memory. Beyond this number, idle ones are closed. */
const MOST_OPEN = 64;
const MOMENT_MS = 1_000;

/** How long after a failure, as on a full disk, a file is not rewritten again. */
const REWRITE_RETRY_MS = 10 * 60_000;

/** The open files of an engine: opened by the first query, closed when idle. */
export class OpenSites {
  readonly #sites = new Map<number, Promise<OpenSite>>();
  /** Sites whose files are being closed or removed. */
  readonly #leaving = new Map<number, Promise<void>>();
  /** When files that could not be rewritten may be tried again, in epoch milliseconds. */
  readonly #rewriteAfter = new Map<number, number>();
  readonly #sweep: NodeJS.Timeout;

  constructor(
    private readonly instance: DuckDBInstance,
    private readonly folder: string,
    idleMs: number,
  ) {
    this.#sweep = setInterval(() => this.#closeIdle(Date.now() - idleMs), idleMs / 15);
    this.#sweep.unref();
  }

  /**
   * Returns the site with its file open. It stays open while `queries` has an entry; add one without awaiting first.
   *
   * @throws StillCopying when its file is being removed or rewritten for longer than this.
   */
  async of(siteId: number, limit: Limit): Promise<OpenSite> {
    for (;;) {
      const leaving = this.#leaving.get(siteId);
      if (leaving && (await within(settled(leaving), limit)) === LATE) throw new StillCopying(0);
      const attaching = this.#sites.get(siteId) ?? this.#attach(siteId);
      this.#sites.set(siteId, attaching);
      attaching.catch(() => this.#sites.get(siteId) === attaching && this.#sites.delete(siteId));
      const site = await unlessAborted(attaching, limit.signal);
      if (this.#sites.get(siteId) === attaching) return site;
    }
  }

  isOpen(siteId: number): boolean {
    return this.#sites.has(siteId);
  }

  /** Removes the file of a site once it is unused. Queries meanwhile get a new file afterwards. */
  remove(siteId: number): Promise<void> {
    return this.#leave(siteId, () => removeFile(fileOf(this.folder, siteId)));
  }

  /**
   * Rewrites the file of a site once it is unused, because DuckDB leaves deleted data in a file until something overwrites
   * it. Queries wait meanwhile. After a failure it does nothing for a while.
   */
  async rewrite(siteId: number): Promise<void> {
    if (Date.now() < (this.#rewriteAfter.get(siteId) ?? 0)) return;
    const [file, fresh] = [fileOf(this.folder, siteId), `${fileOf(this.folder, siteId)}.new`];
    let isWhole = false;
    const copy = async (connection: DuckDBConnection, { name }: OpenSite) => {
      removeFile(fresh);
      await connection.run(`ATTACH ${quoted(fresh)} AS ${name}_new`);
      try {
        await connection.run(`COPY FROM DATABASE ${name} TO ${name}_new`);
        await connection.run(`UPDATE ${name}_new.state SET erased = false`);
        isWhole = true;
      } finally {
        await connection.run(`DETACH ${name}_new`);
      }
    };
    const exchange = () => {
      if (!isWhole) return removeFile(fresh);
      rmSync(`${file}.wal`, { force: true });
      renameSync(fresh, file);
    };
    await this.#leave(siteId, exchange, copy).catch((error) => {
      this.#rewriteAfter.set(siteId, Date.now() + REWRITE_RETRY_MS);
      throw error;
    });
  }

  /** Waits for copies that are being made, and opens and closes nothing more by itself. */
  async settle(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.allSettled([...this.#sites.values()].map(async (site) => (await site).refreshing));
    await Promise.allSettled(this.#leaving.values());
  }

  async #attach(siteId: number): Promise<OpenSite> {
    if (this.#sites.size >= MOST_OPEN) this.#closeIdle(Date.now() - MOMENT_MS);
    await settled(this.#leaving.get(siteId));
    const name = `site_${siteId}`;
    const file = fileOf(this.folder, siteId);
    const connection = await this.instance.connect();
    const attach = () => connection.run(`ATTACH IF NOT EXISTS ${quoted(file)} AS ${name}`);
    try {
      await onceReleased(attach).catch(async (error) => {
        if (isBroken(error) || isDiskFull(error)) throw error;
        log.warn({ site_id: siteId, ...describeError(error) }, "the copy of a site cannot be opened and is made again");
        removeFile(file);
        await attach();
      });
    } finally {
      connection.closeSync();
    }
    const queries = new Set<Promise<unknown>>();
    return {
      name,
      timezone: null,
      mergeSlashes: false,
      refreshedAt: 0,
      refreshMs: 0,
      refreshing: null,
      isReady: false,
      progress: null,
      queries,
      queriedAt: Date.now(),
      isLeaving: false,
    };
  }

  #leave(siteId: number, afterwards: () => void = () => {}, before?: Leaving): Promise<void> {
    const attached = this.#sites.get(siteId);
    this.#sites.delete(siteId);
    const leaving = this.#detach(attached, this.#leaving.get(siteId), before)
      .finally(afterwards)
      .finally(() => this.#leaving.get(siteId) === leaving && this.#leaving.delete(siteId));
    this.#leaving.set(siteId, leaving);
    return leaving;
  }

  async #detach(attached: Promise<OpenSite> | undefined, earlier: Promise<void> | undefined, before?: Leaving) {
    await settled(earlier);
    const site = await attached?.catch(() => null);
    if (!site) return;
    site.isLeaving = true;
    await Promise.allSettled(site.queries);
    await settled(site.refreshing);
    const connection = await this.instance.connect();
    try {
      await before?.(connection, site);
    } finally {
      await connection.run(`DETACH DATABASE IF EXISTS ${site.name}`);
      connection.closeSync();
    }
  }

  /** A file that could not be opened is not closed either: its query has the error. */
  async #closeIfIdle(siteId: number, attaching: Promise<OpenSite>, since: number): Promise<void> {
    const [opened] = await Promise.allSettled([attaching]);
    if (opened.status === "rejected" || this.#sites.get(siteId) !== attaching) return;
    const { queries, refreshing, queriedAt } = opened.value;
    if (queries.size === 0 && !refreshing && queriedAt < since) await this.#leave(siteId);
  }

  #closeIdle(since: number): void {
    for (const [siteId, attaching] of this.#sites) {
      this.#closeIfIdle(siteId, attaching, since).catch((error) =>
        log.warn({ site_id: siteId, ...describeError(error) }, "an idle copy was not closed"),
      );
    }
  }
}
