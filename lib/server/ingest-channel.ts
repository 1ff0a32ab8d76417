import { type MessagePort, Worker } from "node:worker_threads";
import { type IngestSurface, refuseIngest } from "@/lib/ingest/api/requests";
import { NotWritten } from "@/lib/ingest/store/event-id";
import { Fault } from "@/lib/platform/errors";
import type { Answer } from "@/lib/platform/http/http";
import { describeError, log } from "@/lib/platform/log";
import type { Family } from "@/lib/platform/metrics";
import { type End, Supervisor } from "@/lib/platform/supervisor";

/**
 * The channel between the HTTP thread and the ingest worker. In both directions, everything of one turn of the event
 * loop is sent as one message. See docs/adr/0004-ingest-channel.md for the measurements.
 */

/** What the worker is asked: to store the events of a body, or whether the ingest key of a batch is valid. */
export type IngestQuestion = IngestSurface | "key";

/** The request headers that ingest reads. A message contains their values in this order, without the names. */
export const INGEST_HEADERS = [
  ...["content-type", "content-length", "content-encoding", "authorization", "origin", "user-agent", "x-request-id"],
  ...["accept-language", "dnt", "sec-gpc", "sec-ch-ua", "sec-ch-ua-full-version-list", "sec-ch-ua-mobile"],
  ...["sec-ch-ua-platform", "sec-ch-ua-platform-version", "x-forwarded-for"],
  ...["signature", "signature-input", "signature-agent", "content-digest"],
  ...["x-footfall-timestamp", "x-footfall-signature"],
  ...["x-footfall-client-ip", "x-footfall-client-ip-timestamp", "x-footfall-client-ip-signature"],
  ...["x-service-client-ip", "x-service-client-ip-timestamp", "x-service-client-ip-signature"],
] as const;

/** A request whose body has been read, or for the question `key` its headers. */
export interface IngestRequest {
  question: IngestQuestion;
  /** The values of `INGEST_HEADERS`. */
  headers: (string | null)[];
  /** Null when the body exceeds the limit of its surface. */
  body: Uint8Array | null;
  /** The address of the client; null when it is unknown. */
  address: string | null;
  /** Epoch milliseconds. */
  arrivedAt: number;
}

/** A request in a message. Its body is the next `bodyBytes` of the bytes of the message. */
type RequestMessage = Omit<IngestRequest, "body"> & { number: number; bodyBytes: number | null };
type ToWorker = { requests: RequestMessage[]; bytes: Uint8Array } | "ping" | "metrics" | "stop";
type Answered = [number: number, status: number, headers: Record<string, string>, body: string];
type FromWorker = { answers: Answered[] } | { metrics: Family[] } | { pong: true };

/** Requests per message, when a turn of the event loop brings more. */
const MAX_REQUESTS_PER_MESSAGE = 8;
/** Requests that the worker starts before it handles results of Postgres: a commit waits for several results. */
const STARTS_PER_TURN = 4;
const METRICS_TIMEOUT_MS = 2_000;

interface Waiting {
  request: IngestRequest;
  answered(answer: Answer): void;
}

/** The HTTP thread's handle of the worker. Restarts the worker when it exits, and refuses the requests that it had. */
export class IngestWorker {
  readonly #program: URL;
  readonly #workerData: object;
  #thread: Worker | null = null;
  /**
   * Pending requests by number. Not a Map: with thousands of insertions per second, V8 keeps all entries alive until it
   * collects the old generation.
   */
  #waiting: (Waiting | null)[] = [];
  /** Unused numbers. */
  #free: number[] = [];
  #unsent: { number: number; request: IngestRequest }[] = [];
  readonly #supervisor = new Supervisor("ingest", () => this.#start());

  /** @param program the module that the worker runs. @param workerData its input. */
  constructor(workerData: object, program = new URL("ingest.mjs", import.meta.url)) {
    this.#program = program;
    this.#workerData = workerData;
    this.#start();
  }

  /** Calls `answered` once, with the answer of the worker or with a 503. */
  send(request: IngestRequest, answered: (answer: Answer) => void): void {
    if (!this.#thread) {
      answered(notWritten(request));
      return;
    }
    const number = this.#free.pop() ?? this.#waiting.length;
    this.#waiting[number] = { request, answered };
    const unsent = this.#unsent.push({ number, request });
    if (unsent === 1) setImmediate(() => this.#flush());
    else if (unsent === MAX_REQUESTS_PER_MESSAGE) this.#flush();
  }

  /** Returns the metrics of the worker; empty when it is not running or does not answer in time. */
  async metrics(): Promise<Family[]> {
    const reply = await this.#ask("metrics", METRICS_TIMEOUT_MS);
    return reply && "metrics" in reply ? reply.metrics : [];
  }

  /** Returns whether the worker works: it does not exit again and again, and answers in time. */
  async answers(withinMs: number): Promise<boolean> {
    return !this.#supervisor.keepsEnding && (await this.#ask("ping", withinMs)) !== null;
  }

  /** @returns null when the worker is not running or does not answer in time. */
  #ask(question: "ping" | "metrics", withinMs: number): Promise<FromWorker | null> {
    const thread = this.#thread;
    if (!thread) return Promise.resolve(null);
    const wanted = question === "ping" ? "pong" : "metrics";
    return new Promise((resolve) => {
      const end = (reply: FromWorker | null) => {
        clearTimeout(timer);
        thread.off("message", receive);
        resolve(reply);
      };
      const receive = (message: FromWorker) => wanted in message && end(message);
      const timer = setTimeout(() => end(null), withinMs);
      thread.on("message", receive);
      thread.postMessage(question satisfies ToWorker);
    });
  }

  /** Lets the worker write its pending events and exit. There must be no pending requests. */
  async stop(): Promise<void> {
    this.#supervisor.stop();
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.postMessage("stop" satisfies ToWorker);
    await ended;
  }

  #start(): void {
    const thread = new Worker(this.#program, { workerData: this.#workerData });
    let error: unknown;
    thread.once("error", (fault) => {
      error = fault;
    });
    thread.on("message", (message: FromWorker) => {
      this.#supervisor.answered();
      if ("answers" in message) this.#receive(message.answers);
    });
    thread.once("exit", (exit_code) => this.#ended(error === undefined ? { exit_code } : { error }));
    this.#thread = thread;
    thread.postMessage("ping" satisfies ToWorker);
  }

  #flush(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    if (!this.#thread || unsent.length === 0) return;
    // Copies the bodies into one new buffer: they are slices of larger buffers, which a message would copy whole.
    const bytes = new Uint8Array(unsent.reduce((sum, { request: { body } }) => sum + (body?.length ?? 0), 0));
    let at = 0;
    const requests = unsent.map(({ number, request: { body, ...rest } }): RequestMessage => {
      if (body) bytes.set(body, at);
      at += body?.length ?? 0;
      return { ...rest, number, bodyBytes: body?.length ?? null };
    });
    this.#thread.postMessage({ requests, bytes } satisfies ToWorker, [bytes.buffer]);
  }

  #receive(answers: Answered[]): void {
    for (const [number, status, headers, body] of answers) {
      const waiting = this.#waiting[number];
      // Otherwise a duplicate answer would free the number twice, and two requests would share it.
      if (!waiting) continue;
      this.#waiting[number] = null;
      this.#free.push(number);
      waiting.answered({ status, headers, body });
    }
  }

  #ended(end: End): void {
    this.#thread = null;
    this.#unsent = [];
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#free = [];
    for (const one of waiting) one?.answered(notWritten(one.request));
    this.#supervisor.ended(end);
  }
}

const notWritten = ({ question, headers }: IngestRequest): Answer =>
  refuseIngest(new NotWritten(null), question, { header: headerOf(headers) });

const POSITIONS = new Map<string, number>(INGEST_HEADERS.map((name, position) => [name, position]));

/** Returns a lookup of headers in the values of `INGEST_HEADERS`. @throws Error for a name that is not in the list. */
const headerOf =
  (values: readonly (string | null)[]) =>
  (name: string): string | null => {
    const position = POSITIONS.get(name);
    if (position === undefined) throw new Fault(`${name} is missing from INGEST_HEADERS`);
    return values[position] ?? null;
  };

/** The message handlers of the worker. */
interface IngestHandlers {
  answer(request: IngestRequest, header: (name: string) => string | null): Promise<Answer>;
  metrics(): Promise<Family[]>;
  /** The worker exits afterwards. */
  stop(): Promise<void>;
}

/** The worker side: answers the messages of `port`. */
export function serveIngest(port: MessagePort, handlers: IngestHandlers): void {
  let answers: Answered[] = [];
  const post = (message: FromWorker) => port.postMessage(message);
  const settle = (number: number, { status, headers, body }: Answer) => {
    if (answers.push([number, status, headers, body]) > 1) return;
    setImmediate(() => {
      const all = answers;
      answers = [];
      post({ answers: all });
    });
  };
  const queue: { number: number; request: IngestRequest }[] = [];
  const begin = () => {
    for (const { number, request } of queue.splice(0, STARTS_PER_TURN)) {
      const header = headerOf(request.headers);
      handlers.answer(request, header).then(
        (answer) => settle(number, answer),
        (error) => settle(number, refuseIngest(error, request.question, { header })),
      );
    }
    if (queue.length > 0) setImmediate(begin);
  };
  port.on("message", async (message: ToWorker) => {
    if (message === "ping") return post({ pong: true });
    if (message === "metrics") return post({ metrics: await handlers.metrics() });
    if (message === "stop") {
      await handlers.stop().catch((error) => log.error(describeError(error), "pending counts were not written"));
      return process.exit(0);
    }
    let at = 0;
    for (const { number, bodyBytes, ...rest } of message.requests) {
      const body = bodyBytes === null ? null : Buffer.from(message.bytes.buffer, at, bodyBytes);
      at += bodyBytes ?? 0;
      if (queue.push({ number, request: { ...rest, body } }) === 1) setImmediate(begin);
    }
  });
}
