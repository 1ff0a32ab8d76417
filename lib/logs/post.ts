import { createHash, createHmac } from "node:crypto";
import { isIP } from "node:net";

/** Where the events of a log go, and with what. */
export interface Destination {
  /** An ingest key of the site. */
  key: string;
  /** Where this service is, such as https://stats.example.com. */
  to: string;
  send(request: Request): Promise<Response>;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  now(): Date;
}

/** What became of a batch: of each event by its index, and of all together. */
export interface Answer {
  results: { index: number; status: string; message?: string }[];
  counts: Record<"stored" | "duplicate" | "filtered" | "invalid" | "error", number>;
}

type PostedAnswer = Partial<Answer> & {
  error?: { message: string };
  client_ip?: { accepted: boolean; reason?: string };
};

const TRIES = 5;
const RETRY_MS = 2_000;
/** Whoever is asked to wait longer than this should hear of it, and come back by themselves. */
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Posts events of one address, each given as JSON, to the Measurement Protocol, signed, and again when the server asks for it or is not
 * there for a moment.
 *
 * @throws Error with a sentence for people when nothing of the batch was taken.
 */
export async function postEvents(
  address: string,
  events: readonly string[],
  destination: Destination,
): Promise<Answer> {
  const body = `{"events":[${events.join(",")}]}`;
  for (let tried = 1; ; tried++) {
    const response = await destination.send(requestFor(address, body, destination)).catch(noAnswer);
    const told = response instanceof Error ? {} : ((await response.json().catch(() => ({}))) as PostedAnswer);
    if (told.counts && told.results && response instanceof Response && response.status !== 503) {
      mustBeSigned(told);
      return { counts: told.counts, results: told.results };
    }
    const words =
      response instanceof Error ? response.message : (told.error?.message ?? `it answered ${response.status}`);
    const waitMs = response instanceof Error ? RETRY_MS * 2 ** (tried - 1) : retryMs(response);
    if (waitMs === null) throw new Error(`${destination.to}: ${words}`);
    if (tried === TRIES) throw new Error(`${destination.to}, asked ${TRIES} times: ${words}`);
    if (waitMs > LONGEST_WAIT_MS) {
      const until = new Date(destination.now().getTime() + waitMs).toISOString();
      throw new Error(`${destination.to} takes nothing before ${until}: ${words}`);
    }
    await destination.wait(waitMs);
  }
}

/** Only who cannot be reached may be asked again; a fault of our own may not look like one. */
function noAnswer(error: unknown): Error {
  if (!(error instanceof TypeError)) throw error;
  const { code } = (error.cause ?? {}) as { code?: string };
  return new Error(`it cannot be reached${code ? ` (${code})` : ""}`);
}

function retryMs(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  return (Number(response.headers.get("retry-after")) || 0) * 1000 || RETRY_MS;
}

/** A log may hold addresses that are nobody's; a signature that does not hold would cost all visitors theirs. */
function mustBeSigned({ client_ip }: PostedAnswer): void {
  if (!client_ip || client_ip.accepted || client_ip.reason === "not_an_address") return;
  const clock = client_ip.reason === "stale" ? "; set the clock of this machine" : "";
  throw new Error(`The server does not take the addresses of the log as signed (${client_ip.reason})${clock}.`);
}

function requestFor(address: string, body: string, { key, to, now }: Destination): Request {
  const timestamp = `${Math.floor(now().getTime() / 1000)}`;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const signature = createHmac("sha256", key).update(`${timestamp}\n${address}\n${bodyHash}`).digest("hex");
  const signed = {
    "x-footfall-client-ip": address,
    "x-footfall-client-ip-timestamp": timestamp,
    "x-footfall-client-ip-signature": signature,
  };
  return new Request(new URL("/api/v1/events", to), {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(isIP(address) === 0 ? {} : signed),
    },
    body,
    redirect: "error",
  });
}
