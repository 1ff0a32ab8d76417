import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { digest } from "@/lib/platform/secrets";
import { CHROME } from "@/lib/testing/world";

/**
 * Senders that never tire: each repeats what was not answered for, with the same ids, until it was. Every second event of
 * a batch has no id at first, and from its first error on the one told with it.
 */

const AT_ONCE = 32;
const IN_BATCH = 10;
/** Who was refused asks again a moment later, and leaves the processors to what is being mended. */
const PAUSE_MS = 100;
/** So many answers that were none, and the fault will not pass any more: a test must end. */
const MOST_FAILURES = 50_000;

export interface Load {
  /** The ids told with events that had none, from an earlier sending of the same. */
  told?: ReadonlyMap<string, string>;
  /** Those not to be sent. */
  unsure?: ReadonlySet<string>;
  /** Where to send, in turn: what one does not answer for is sent to the next. */
  urls: readonly string[];
  /** The site's domain. */
  host: string;
  singles: number;
  /** Ingest keys of the site, one for each batch of ten: whoever never tires of asking wears one out. */
  keys: readonly string[];
  /** What is going on, as far as the test has brought it about; answers are kept apart by it. */
  phase?(): string;
  /** Called before each request with the progress so far. */
  at?(progress: { answered: number; refused: number }): void;
}

export interface Loaded {
  /** Every event, by its id, and whether it was `stored` or a `duplicate` when it was answered for. */
  answers: Map<string, string>;
  /** The ids told with events that had none. */
  told: Map<string, string>;
  /** Events without an id that got no answer at all, and so cannot come again: stored once or never. */
  unsure: Set<string>;
  /** The statuses of answers by the phase that they were asked and given in; "between" when it changed meanwhile. */
  statuses: Map<string, Set<number | "broken">>;
  /** What else an answer held that no sender should see. */
  faults: Set<string>;
}

/** Sends singles to the Events API and batches to the Measurement Protocol side by side, 32 at a time. */
export async function sendAll(load: Load): Promise<Loaded> {
  const sender = new Sender(load);
  const batches = load.keys.map((key, n) => () => sender.batch(key, n));
  const singles = Array.from({ length: load.singles }, (_, n) => () => sender.single(n));
  const every = Math.max(1, Math.ceil(singles.length / (batches.length || 1)));
  const tasks = singles.flatMap((single, n) =>
    n % every === 0 && batches.length > 0 ? [single, batches.shift()] : [single],
  );
  const queue = [...tasks, ...batches].values();
  const worker = async () => {
    for (const task of queue) await task?.();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return sender.loaded;
}

class Sender {
  readonly loaded: Loaded;
  private refused = 0;
  private failures = 0;
  private turn = 0;

  constructor(private readonly load: Load) {
    const told = new Map(load.told);
    this.loaded = { answers: new Map(), told, unsure: new Set(load.unsure), statuses: new Map(), faults: new Set() };
  }

  async single(n: number): Promise<void> {
    const id = `single-${String(n).padStart(8, "0")}`;
    const body = { domain: this.load.host, ...named(id), props: { id } };
    const headers = { "user-agent": CHROME, "x-forwarded-for": `10.1.${n % 200}.${n % 251}` };
    while (!this.loaded.answers.has(id)) {
      const answer = await this.post("/api/event", body, headers);
      if (answer?.status === 202) this.answered(id, (await answer.json()).status);
    }
  }

  async batch(key: string, n: number): Promise<void> {
    const ids = Array.from({ length: IN_BATCH }, (_, i) => `batch-${String(n).padStart(6, "0")}-${i}`).filter(
      (id) => !this.loaded.unsure.has(id),
    );
    // An address of its own, for the sake of the limit on guesses: a key is looked up anew while the database is away.
    const address = `10.4.${digest(key).readUInt8(0)}.${digest(key).readUInt8(1)}`;
    const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": address };
    const { answers, told, unsure, faults } = this.loaded;
    for (let left = ids; left.length > 0; left = left.filter((id) => !answers.has(id) && !unsure.has(id))) {
      const idOf = (id: string) => (isKeyless(id) ? told.get(id) : id);
      const events = left.map((id) => ({ type: "event", name: "Order", event_id: idOf(id), properties: { id } }));
      const answer = await this.post("/api/v1/events", { events }, headers);
      const body = await answer?.json().catch(() => null);
      if (!body) for (const id of left) if (idOf(id) === undefined) unsure.add(id);
      const results: Record<string, string>[] = body?.results ?? [];
      for (const [index, { event_id, status, code }] of results.entries()) {
        const id = left[index] ?? "";
        if (isKeyless(id)) told.set(id, event_id ?? "");
        if (status === "stored" || status === "duplicate") this.answered(id, status);
        else if (status !== "error" || code !== "unavailable") faults.add(`${status} ${code}`);
      }
    }
  }

  private answered(id: string, status: string): void {
    this.loaded.answers.set(id, status);
  }

  private async post(path: string, body: object, headers: Record<string, string>): Promise<Response | null> {
    const { urls, at, phase = () => "" } = this.load;
    at?.({ answered: this.loaded.answers.size, refused: this.refused });
    const before = phase();
    const answer = await fetch(urls[this.turn++ % urls.length] + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }).catch(() => null);
    this.note(before === phase() ? before : "between", answer);
    if (!answer?.ok) await setTimeout(PAUSE_MS);
    return answer;
  }

  private note(phase: string, answer: Response | null): void {
    const statuses = this.loaded.statuses.get(phase) ?? new Set();
    this.loaded.statuses.set(phase, statuses.add(answer?.status ?? "broken"));
    if (!answer?.ok && ++this.failures > MOST_FAILURES) throw new Error("Nothing was answered for any more");
    if (answer?.status !== 503) return;
    this.refused++;
    const retryAfter = answer.headers.get("retry-after");
    if (!/^[1-9]\d*$/.test(retryAfter ?? "")) this.loaded.faults.add(`503 with Retry-After: ${retryAfter}`);
  }
}

const isKeyless = (id: string) => /^batch-.*[13579]$/.test(id);

/** The id stands in the properties too, so that the table tells which event is there and how often. */
const named = (event_id: string) => ({ name: "Order", event_id });

/** Expects that every event is stored exactly once, counted in its visit, and known again when all are sent once more. */
export async function expectEachOnce(load: Load, loaded: Loaded, query: (sql: string) => Promise<unknown[]>) {
  const { answers, told, unsure } = loaded;
  const site = `site_id = (SELECT site_id FROM site_domain WHERE host = '${load.host}')`;
  const stored = () =>
    query(`SELECT props->>'id' AS id, count(*)::int AS times FROM facts.event WHERE ${site} GROUP BY 1`);
  const once = [...answers.keys()].sort().map((id) => ({ id, times: 1 }));
  expect(once).toHaveLength(load.singles + load.keys.length * IN_BATCH - unsure.size);
  const sorted = async () =>
    ((await stored()) as { id: string; times: number }[]).sort((a, b) => (a.id < b.id ? -1 : 1));
  const before = await sorted();
  expect(before.filter(({ id }) => !unsure.has(id))).toEqual(once);
  expect(before.filter(({ times }) => times > 1)).toEqual([]);
  const again = await sendAll({
    urls: load.urls,
    host: load.host,
    singles: load.singles,
    keys: load.keys,
    told,
    unsure,
  });
  expect(new Set(again.answers.values())).toEqual(new Set(["duplicate"]));
  expect(await sorted()).toEqual(before);
  expect(await query(`SELECT sum(events)::int AS counted FROM facts.visit WHERE ${site}`)).toEqual([
    { counted: before.length },
  ]);
}
