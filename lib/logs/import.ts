import { createHash, createHmac } from "node:crypto";
import { recogniseRobot } from "@/lib/ingest/robots";
import { isPage, type LogLine, readLogLine } from "@/lib/logs/combined";

/** Posts the pages of an access log to the Measurement Protocol: what crawlers read, who run no script. */

export interface ImportOptions {
  /** A domain of the site: the log knows only paths. */
  site: string;
  /** An ingest key of the site. */
  key: string;
  /** Where this service is, such as https://stats.example.com. */
  to: string;
  /** Also people, whom the browser script counts already where it is. */
  all: boolean;
  send(request: Request): Promise<Response>;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  now(): Date;
}

/** What became of a log. */
export interface Imported {
  lines: number;
  unreadable: number;
  sent: number;
  stored: number;
  duplicate: number;
  filtered: number;
  invalid: number;
  error: number;
}

type PageEvent = { type: "page"; event_id: string; context: object };

const MOST_EVENTS = 100;
/** Events that wait for others of their address; when there are more, all of them go. */
const MOST_WAITING = 5_000;
const TRIES = 5;
const RETRY_MS = 2_000;

/**
 * Imports the lines of a log. A request carries the events of one address, which it signs. Ids are made from the lines,
 * so that a line that was imported before is a duplicate and adds nothing.
 *
 * @throws Error with the server's words when it takes none of a batch.
 */
export async function importLog(lines: AsyncIterable<string>, options: ImportOptions): Promise<Imported> {
  const sums: Imported = {
    lines: 0,
    unreadable: 0,
    sent: 0,
    stored: 0,
    duplicate: 0,
    filtered: 0,
    invalid: 0,
    error: 0,
  };
  const byAddress = new Map<string, PageEvent[]>();
  const idOf = identify(options.site);
  let waiting = 0;
  const flush = async (address: string) => {
    const events = byAddress.get(address) ?? [];
    byAddress.delete(address);
    waiting -= events.length;
    await post(address, events, options, sums);
  };
  for await (const text of lines) {
    if (text === "") continue;
    sums.lines++;
    const line = readLogLine(text);
    if (!line) sums.unreadable++;
    const id = idOf(text);
    if (!line || !isPage(line) || !(options.all || recogniseRobot(line.userAgent))) continue;
    const events = byAddress.get(line.address) ?? [];
    byAddress.set(line.address, events);
    events.push(eventOf(line, options.site, id));
    waiting++;
    if (events.length === MOST_EVENTS) await flush(line.address);
    if (waiting >= MOST_WAITING) for (const address of [...byAddress.keys()]) await flush(address);
  }
  for (const address of [...byAddress.keys()]) await flush(address);
  return sums;
}

/** Ids of lines: their text and how often it has been there, so that equal lines are events of their own. */
function identify(site: string): (line: string) => string {
  const seen = new Map<string, number>();
  return (line) => {
    const digest = createHash("sha256").update(`${site}\n${line}`).digest("base64url").slice(0, 26);
    const before = seen.get(digest) ?? 0;
    seen.set(digest, before + 1);
    return before === 0 ? digest : `${digest}_${before.toString(36)}`.slice(0, 32);
  };
}

function eventOf({ target, referrer, userAgent }: LogLine, site: string, id: string): PageEvent {
  const url = (target.startsWith("/") ? `https://${site}${target}` : target).slice(0, 4096);
  const page = { url, referrer: referrer?.slice(0, 4096) };
  return { type: "page", event_id: id, context: { page, user_agent: userAgent.slice(0, 1000) } };
}

async function post(address: string, events: PageEvent[], options: ImportOptions, sums: Imported): Promise<void> {
  const body = JSON.stringify({ events });
  for (let tried = 1; ; tried++) {
    const response = await options.send(requestFor(address, body, options));
    const answer = (await response.json().catch(() => ({}))) as Answer;
    const later = response.status === 429 || response.status === 503;
    if (later && tried < TRIES) {
      await options.wait((Number(response.headers.get("retry-after")) || 0) * 1000 || RETRY_MS);
      continue;
    }
    if (!answer.counts) throw new Error(answer.error?.message ?? `${options.to} answered ${response.status}`);
    sums.sent += events.length;
    for (const result of ["stored", "duplicate", "filtered", "invalid", "error"] as const)
      sums[result] += answer.counts[result];
    return;
  }
}

interface Answer {
  counts?: Record<"stored" | "duplicate" | "filtered" | "invalid" | "error", number>;
  error?: { message: string };
}

function requestFor(address: string, body: string, { key, to, now }: ImportOptions): Request {
  const timestamp = `${Math.floor(now().getTime() / 1000)}`;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const signature = createHmac("sha256", key).update(`${timestamp}\n${address}\n${bodyHash}`).digest("hex");
  return new Request(new URL("/api/v1/events", to), {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-footfall-client-ip": address,
      "x-footfall-client-ip-timestamp": timestamp,
      "x-footfall-client-ip-signature": signature,
    },
    body,
  });
}
