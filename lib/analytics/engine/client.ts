import { type ChildProcess, spawn } from "node:child_process";
import type { Analytics } from "@/lib/analytics/engine/analytics";
import type { SiteOfCopy } from "@/lib/analytics/engine/engine";
import { errorOf, restarting } from "@/lib/analytics/engine/failure";
import type { Open, Reply, ToProcess, Work } from "@/lib/analytics/engine/messages";
import type { Columns } from "@/lib/analytics/engine/parquet";
import type { ParquetPage } from "@/lib/analytics/engine/parquet-pages";
import type { Row, Statement } from "@/lib/analytics/engine/statement";
import { environmentOfChild } from "@/lib/platform/env";
import { describeError, log } from "@/lib/platform/log";
import { counter, type Family, gauge } from "@/lib/platform/metrics";
import { processWide } from "@/lib/platform/process-wide";
import { type End, Supervisor } from "@/lib/platform/supervisor";

const QUERIES = counter({
  name: "footfall_analytics_queries_total",
  help: "Queries to the analytics process by outcome.",
  labelNames: ["outcome"],
});
const running = processWide("analytics-running", () => ({ queries: 0 }));
gauge("footfall_analytics_queries_running", "Queries that wait for the analytics process.", "", () => ({
  "": running.queries,
}));

/** The memory of JavaScript only: DuckDB has a limit of its own. */
const HEAP_FLAGS = ["--max-old-space-size=384", "--max-semi-space-size=4", "--heap-growing-percent=60"];
/** DuckDB blocks a thread of libuv's pool for each running query; copying needs some at the same time. */
const IO_THREADS = "12";
const MOST_LOSSES = 2;
const METRICS_WITHIN_MS = 2_000;
const END_WITHIN_MS = 5_000;
const KEEP_EVERY_MS = 3_600_000;

interface Options {
  /** The path of the program, made from `process.ts`. */
  program: string;
  open: Open;
  /** Lists the sites that exist; copies of others are removed at each start and every hour. */
  siteIds?: () => Promise<number[]>;
}

interface Pending {
  work: Work;
  /** How many processes have ended while they worked on it. */
  losses: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The analytics process, as the server sees it. It is started again when it ends, and gets unanswered requests once more. */
export class AnalyticsProcess implements Analytics {
  #child: ChildProcess | null = null;
  #lastId = 0;
  #closed = false;
  #cleaning: NodeJS.Timeout | undefined;
  readonly #pending = new Map<number, Pending>();
  readonly #supervisor = new Supervisor("analytics", () => this.start());

  constructor(private readonly options: Options) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process unless it runs. The first request does that too. */
  start(): void {
    if (this.#closed || this.#child) return;
    const child = spawn(process.execPath, [...HEAP_FLAGS, this.options.program], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      serialization: "advanced",
      env: environmentOfChild({ UV_THREADPOOL_SIZE: IO_THREADS }),
    });
    this.#child = child;
    child.on("message", (reply: Reply) => this.#receive(reply));
    child.once("error", (error) => this.#ended(child, { error }));
    child.once("exit", (exit_code, signal) => this.#ended(child, { exit_code, signal }));
    // Open requests keep the server's process alive, the child does not.
    child.unref();
    child.channel?.unref();
    this.#send({ open: this.options.open });
    for (const [id, { work }] of this.#pending) this.#send({ id, work });
    this.#request({ ping: true }).catch((error) =>
      log.debug(describeError(error), "the analytics process did not start"),
    );
    this.#clean();
  }

  async query(site: SiteOfCopy, statements: readonly Statement[], signal?: AbortSignal): Promise<Row[][]> {
    running.queries++;
    let outcome = "failed";
    try {
      const rows = await this.#request<Row[][]>({ query: { site, statements } }, signal);
      outcome = "answered";
      return rows;
    } catch (error) {
      if (signal?.aborted) outcome = "aborted";
      throw error;
    } finally {
      running.queries--;
      QUERIES.inc({ outcome });
    }
  }

  patternFault(pattern: string): Promise<string | null> {
    return this.#request({ pattern });
  }

  parquet(columns: Columns, rows: string): Promise<Uint8Array> {
    return this.#request({ parquet: { columns, rows } });
  }

  parquetPage(file: string, columns: Columns, from: number): Promise<ParquetPage> {
    return this.#request({ parquetPage: { file, columns, from } });
  }

  forget(siteId: number): Promise<void> {
    return this.#request({ forget: siteId });
  }

  /** The metrics of the process; empty when it does not run or does not answer in time. */
  async metrics(): Promise<Family[]> {
    if (!this.#child) return [];
    return this.#request<Family[]>({ metrics: true }, AbortSignal.timeout(METRICS_WITHIN_MS)).catch(() => []);
  }

  /** Returns whether the process works: it does not end again and again, and answers in time. */
  async answers(withinMs: number): Promise<boolean> {
    if (this.#supervisor.keepsEnding) return false;
    return this.#request({ ping: true }, AbortSignal.timeout(withinMs)).then(
      () => true,
      () => false,
    );
  }

  /** Ends the process. Requests that wait are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#supervisor.stop();
    clearTimeout(this.#cleaning);
    const child = this.#child;
    this.#refuseAll();
    if (!child) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.ref();
    const late = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
    if (child.connected) child.disconnect();
    await exited;
    clearTimeout(late);
  }

  async #request<Value>(work: Work, signal?: AbortSignal): Promise<Value> {
    signal?.throwIfAborted();
    // A process that cannot start must not keep callers waiting.
    if (this.#closed || (!this.#child && this.#supervisor.keepsEnding)) throw restarting();
    const id = ++this.#lastId;
    const cancel = () => {
      this.#pending.get(id)?.reject(signal?.reason);
      this.#send({ cancel: id });
    };
    try {
      return await new Promise<Value>((resolve, reject) => {
        this.#pending.set(id, { work, losses: 0, resolve: (value) => resolve(value as Value), reject });
        signal?.addEventListener("abort", cancel, { once: true });
        if (this.#child) this.#send({ id, work });
        else if (!this.#supervisor.isPausing) this.start();
      });
    } finally {
      this.#pending.delete(id);
      signal?.removeEventListener("abort", cancel);
    }
  }

  #send(message: ToProcess): void {
    // Sending fails when the process is ending; `#ended` then handles the request.
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  #receive(reply: Reply): void {
    this.#supervisor.answered();
    const pending = this.#pending.get(reply.id);
    if ("error" in reply) pending?.reject(errorOf(reply.error));
    else pending?.resolve(reply.value);
  }

  #ended(child: ChildProcess, end: End): void {
    if (this.#child !== child) return;
    this.#child = null;
    clearTimeout(this.#cleaning);
    this.#supervisor.ended(end);
    for (const pending of this.#pending.values()) if (++pending.losses >= MOST_LOSSES) pending.reject(restarting());
  }

  #refuseAll(): void {
    for (const pending of this.#pending.values()) pending.reject(restarting());
  }

  /** Removes copies of sites that have been deleted, also those deleted by another process. */
  #clean(): void {
    const { siteIds } = this.options;
    if (!siteIds) return;
    siteIds()
      .then((keep) => this.#request({ keep }))
      .catch((error) => log.warn(describeError(error), "copies of deleted sites were not looked for"));
    this.#cleaning = setTimeout(() => this.#clean(), KEEP_EVERY_MS);
    this.#cleaning.unref();
  }
}
