import { createHash, createHmac } from "node:crypto";
import { isIP } from "node:net";

/** Where to send events, and the dependencies for it. */
export interface Destination {
  /** An ingest key of the site. */
  key: string;
  /** Base URL of this service, such as https://stats.example.com. */
  to: string;
  send(request: Request): Promise<Response>;
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  now(): Date;
}

/** Result of a batch, per event index and in total. */
export interface BatchResult {
  results: { index: number; status: string; message?: string }[];
  counts: Record<"stored" | "duplicate" | "filtered" | "invalid" | "error", number>;
}

type ResponseBody = Partial<BatchResult> & {
  error?: { message: string };
  client_ip?: { accepted: boolean; reason?: string };
};

const MAX_ATTEMPTS = 5;
const RETRY_MS = 2_000;
/** If the server asks to wait longer, the import stops with an error instead. */
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Posts events of one address, each as JSON, to the Measurement Protocol with a signed address. Retries when the server
 * asks for it or is briefly unreachable.
 *
 * @throws Error with a readable message when the batch was not accepted.
 */
export async function postLogEvents(
  address: string,
  events: readonly string[],
  destination: Destination,
): Promise<BatchResult> {
  const body = `{"events":[${events.join(",")}]}`;
  for (let attempt = 1; ; attempt++) {
    const response = await destination.send(requestFor(address, body, destination)).catch(networkError);
    const answer = response instanceof Error ? {} : ((await response.json().catch(() => ({}))) as ResponseBody);
    if (answer.counts && answer.results && response instanceof Response && response.status !== 503) {
      requireAcceptedSignature(answer);
      return { counts: answer.counts, results: answer.results };
    }
    const reason =
      response instanceof Error ? response.message : (answer.error?.message ?? `it responded with ${response.status}`);
    const waitMs = response instanceof Error ? RETRY_MS * 2 ** (attempt - 1) : retryMs(response);
    if (waitMs === null) throw new Error(`${destination.to}: ${reason}`);
    if (attempt === MAX_ATTEMPTS) throw new Error(`${destination.to}, after ${MAX_ATTEMPTS} attempts: ${reason}`);
    if (waitMs > MAX_WAIT_MS) {
      const until = new Date(destination.now().getTime() + waitMs).toISOString();
      throw new Error(`${destination.to} accepts no events before ${until}: ${reason}`);
    }
    await destination.wait(waitMs);
  }
}

/** Turns a network error into a retryable one; rethrows any other error, which is a bug. */
function networkError(error: unknown): Error {
  if (!(error instanceof TypeError)) throw error;
  const { code } = (error.cause ?? {}) as { code?: string };
  return new Error(`it cannot be reached${code ? ` (${code})` : ""}`);
}

function retryMs(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  return (Number(response.headers.get("retry-after")) || 0) * 1000 || RETRY_MS;
}

/** Without an accepted signature, all events would be stored without their visitors' addresses. */
function requireAcceptedSignature({ client_ip }: ResponseBody): void {
  if (!client_ip || client_ip.accepted || client_ip.reason === "not_an_address") return;
  const clock = client_ip.reason === "stale" ? "; set the clock of this machine" : "";
  throw new Error(`The server rejected the signed addresses (${client_ip.reason})${clock}.`);
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
