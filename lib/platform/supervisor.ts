import { describeError, log } from "@/lib/platform/log";
import { counter } from "@/lib/platform/metrics";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** A child that has answered for this long has recovered. */
const STABLE_MS = 10_000;
/** One end is an accident; a child that ends again before it has recovered does not work. */
const MOST_ENDS = 2;

/** How a child ended: with an error before it ran, with an exit code, or by a signal. */
export type End = { error: unknown } | { exit_code: number | null; signal?: string | null };

/** Starts a child thread or process again whenever it ends, after a pause that doubles with each end in a row. */
export class Supervisor {
  #endsInARow = 0;
  #stopped = false;
  #restarting: NodeJS.Timeout | undefined;
  #recovering: NodeJS.Timeout | undefined;
  readonly #restarts;

  /** @param part the name of the child in metrics and logs. @param start starts the child. */
  constructor(
    private readonly part: "ingest" | "analytics",
    private readonly start: () => void,
  ) {
    this.#restarts = counter({ name: `footfall_${part}_restarts_total`, help: `Unexpected ends of the ${part} part.` });
  }

  /** The child answers. */
  answered(): void {
    if (this.#endsInARow === 0) return;
    this.#recovering ??= setTimeout(() => {
      this.#recovering = undefined;
      this.#endsInARow = 0;
    }, STABLE_MS).unref();
  }

  /** The child has ended. */
  ended(end: End): void {
    clearTimeout(this.#recovering);
    this.#recovering = undefined;
    if (this.#stopped) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#endsInARow++);
    this.#restarts.inc();
    const cause = "error" in end ? describeError(end.error) : end;
    log.error({ part: this.part, ends_in_a_row: this.#endsInARow, pause_ms: pauseMs, ...cause }, "restarting a part");
    this.#restarting = setTimeout(() => {
      this.#restarting = undefined;
      this.start();
    }, pauseMs).unref();
  }

  /** Whether the child has ended and waits for its next start. */
  get isPausing(): boolean {
    return this.#restarting !== undefined;
  }

  /** Whether the child ends again and again. */
  get keepsEnding(): boolean {
    return this.#endsInARow >= MOST_ENDS;
  }

  /** Starts the child no more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#restarting);
    clearTimeout(this.#recovering);
  }
}
