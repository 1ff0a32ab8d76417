import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { digest } from "@/lib/platform/secrets";
import { CHROME } from "@/lib/testing/world";

/**
 * Sends events and retries each one with the same id until it is answered. Every second event of a batch is sent
 * without an id at first, and with the id from the first error answer afterwards.
 */

const CONCURRENCY = 32;
const BATCH_SIZE = 10;
/** Pause before a retry, which leaves CPU time for the recovery. */
const PAUSE_MS = 100;
/** Fails the test after this many failed requests. */
const MAX_FAILURES = 50_000;

export interface Load {
  /** The ids that the server assigned to events without one, from an earlier run. */
  assignedIds?: ReadonlyMap<string, string>;
  /** Events not to send. */
  unsure?: ReadonlySet<string>;
  /** The servers, used in turn: a failed request is retried with the next one. */
  urls: readonly string[];
  /** The site's domain. */
  host: string;
  singles: number;
  /** Ingest keys of the site, one for each batch of ten, because retries use up the rate limit of a key. */
  keys: readonly string[];
  /** The current phase of the test, by which answers are grouped. */
  phase?(): string;
  /** Called with the progress before each request. */
  at?(progress: { answered: number; refused: number }): void;
}

export interface Loaded {
  /** The final status of every event by id: `stored` or `duplicate`. */
  answers: Map<string, string>;
  /** The ids that the server assigned to events without one. */
  assignedIds: Map<string, string>;
  /** Events without an id that got no answer and cannot be retried: stored once or never. */
  unsure: Set<string>;
  /** The statuses of answers by phase; "between" when the phase changed during the request. */
  statuses: Map<string, Set<number | "broken">>;
  /** Unexpected contents of answers. */
  faults: Set<string>;
}

/** Sends single events to the Events API and batches to the Measurement Protocol, 32 requests at a time. */
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
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return sender.loaded;
}

class Sender {
  readonly loaded: Loaded;
  private refused = 0;
  private failures = 0;
  private turn = 0;

  constructor(private readonly load: Load) {
    const assignedIds = new Map(load.assignedIds);
    this.loaded = {
      answers: new Map(),
      assignedIds,
      unsure: new Set(load.unsure),
      statuses: new Map(),
      faults: new Set(),
    };
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
    const ids = Array.from({ length: BATCH_SIZE }, (_, i) => `batch-${String(n).padStart(6, "0")}-${i}`).filter(
      (id) => !this.loaded.unsure.has(id),
    );
    // A separate address per key: while the database is unavailable, every key lookup counts as a failed attempt.
    const address = `10.4.${digest(key).readUInt8(0)}.${digest(key).readUInt8(1)}`;
    const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": address };
    const { answers, assignedIds, unsure, faults } = this.loaded;
    for (let left = ids; left.length > 0; left = left.filter((id) => !answers.has(id) && !unsure.has(id))) {
      const idOf = (id: string) => (isWithoutId(id) ? assignedIds.get(id) : id);
      const context = { session_id: `batch-${n}` };
      const events = left.map((id) => ({
        type: "event",
        name: "Order",
        event_id: idOf(id),
        context,
        properties: { id },
      }));
      const answer = await this.post("/api/v1/events", { events }, headers);
      const body = await answer?.json().catch(() => null);
      if (!body) for (const id of left) if (idOf(id) === undefined) unsure.add(id);
      const results: Record<string, string>[] = body?.results ?? [];
      for (const [index, { event_id, status, code }] of results.entries()) {
        const id = left[index] ?? "";
        if (isWithoutId(id)) assignedIds.set(id, event_id ?? "");
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
    if (!answer?.ok && ++this.failures > MAX_FAILURES) throw new Error("Too many failed requests");
    if (answer?.status !== 503) return;
    this.refused++;
    const retryAfter = answer.headers.get("retry-after");
    if (!/^[1-9]\d*$/.test(retryAfter ?? "")) this.loaded.faults.add(`503 with Retry-After: ${retryAfter}`);
  }
}

const isWithoutId = (id: string) => /^batch-.*[13579]$/.test(id);

/** The id is also a property of the event, so that the test can count each event in the table. */
const named = (event_id: string) => ({ name: "Order", event_id });

/**
 * Expects that every event is stored once, counted in its visit, and recognised as a duplicate when it is sent again.
 */
export async function expectEachOnce(load: Load, loaded: Loaded, query: (sql: string) => Promise<unknown[]>) {
  const { answers, assignedIds, unsure } = loaded;
  const [{ id }] = (await query(`SELECT site_id AS id FROM site_domain WHERE host = '${load.host}'`)) as [
    { id: number },
  ];
  const site = `site_id = ${id}`;
  const stored = () =>
    query(`SELECT props->>'id' AS id, count(*)::int AS times FROM facts.event WHERE ${site} GROUP BY 1`);
  const once = [...answers.keys()].sort().map((id) => ({ id, times: 1 }));
  expect(once).toHaveLength(load.singles + load.keys.length * BATCH_SIZE - unsure.size);
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
    assignedIds,
    unsure,
  });
  expect(new Set(again.answers.values())).toEqual(new Set(["duplicate"]));
  expect(await sorted()).toEqual(before);
  // A visit counts up to 100 of its events.
  const ofVisits = `SELECT count(*) AS events FROM facts.event WHERE ${site} GROUP BY visit_id`;
  expect(await query(`SELECT sum(interactions)::int AS counted FROM facts.visit WHERE ${site}`)).toEqual(
    await query(`SELECT sum(least(events, 100))::int AS counted FROM (${ofVisits}) AS visit`),
  );
}
