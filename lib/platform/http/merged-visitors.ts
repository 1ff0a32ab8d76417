import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { countedAddress } from "@/lib/platform/counted-address";
import { nearestUntrusted } from "@/lib/platform/http/address";
import { processWide } from "@/lib/platform/process-wide";
import { digest } from "@/lib/platform/secrets";

/**
 * Notices that events of many visitors count as those of few addresses, because a proxy or CDN in front of the service
 * is not configured. Everything is kept in memory for at most two hours, visitors only as digests.
 */

const WINDOW_MS = 3600_000;
const MAX_ADDRESSES = 64;
const MAX_VISITORS = 64;
/** A proxy in a private network is surely one; a public address may be a visitor who writes such headers. */
const FEWEST_VISITORS = { private: 2, public: 3 };
/** Share of all events that must come from such addresses. */
const LEAST_SHARE = 0.5;
/** So many events of a new window count more than all of the previous one. */
const ENOUGH_EVENTS = 20;

/** Headers with which proxies and CDNs name the client, by how common they are. */
const HEADERS = {
  "x-forwarded-for": "X-Forwarded-For",
  forwarded: "Forwarded",
  "cf-connecting-ip": "CF-Connecting-IP",
  "true-client-ip": "True-Client-IP",
  "fastly-client-ip": "Fastly-Client-IP",
  "x-client-ip": "X-Client-IP",
  "x-real-ip": "X-Real-IP",
} as const;
type Header = keyof typeof HEADERS;

/** An address that counts as one visitor, and what its requests say. */
interface Suspect {
  header: Header;
  events: number;
  visitors: Set<string>;
}

export interface MergedVisitors {
  /** The addresses that count as visitors instead. */
  addresses: string[];
  /** The header that names the visitors. */
  header: string;
}

export class AddressWatch {
  private current = new AddressWindow(0);
  private previous = new AddressWindow(0);

  /** Looks at one event. @param address the one that counts as its visitor's */
  see(address: string | null, headers: IncomingHttpHeaders, now: Date): void {
    if (now.getTime() - this.current.startedMs >= WINDOW_MS) {
      const isNext = now.getTime() - this.current.startedMs < 2 * WINDOW_MS;
      this.previous = isNext ? this.current : new AddressWindow(0);
      this.current = new AddressWindow(now.getTime());
    }
    this.current.see(address, headers);
  }

  /** @param isKnownProxy whether events from this address are attributed to visitors otherwise */
  merged(isKnownProxy: (address: string) => boolean, now: Date): MergedVisitors | null {
    if (now.getTime() - this.current.startedMs >= 2 * WINDOW_MS) return null;
    const found = this.current.merged(isKnownProxy);
    return found || this.current.events >= ENOUGH_EVENTS ? found : this.previous.merged(isKnownProxy);
  }
}

class AddressWindow {
  events = 0;
  private readonly suspects = new Map<string, Suspect>();

  constructor(readonly startedMs: number) {}

  see(address: string | null, headers: IncomingHttpHeaders): void {
    this.events++;
    if (address === null) return;
    const named = visitorNamedIn(headers, address);
    if (!named) return;
    const suspect = this.suspects.get(address) ?? { header: named.header, events: 0, visitors: new Set<string>() };
    if (this.suspects.size < MAX_ADDRESSES) this.suspects.set(address, suspect);
    suspect.events++;
    if (suspect.visitors.size < MAX_VISITORS) suspect.visitors.add(named.visitor);
  }

  merged(isKnownProxy: (address: string) => boolean): MergedVisitors | null {
    const found = [...this.suspects].filter(
      ([address, { visitors }]) =>
        visitors.size >= FEWEST_VISITORS[isPrivate(address) ? "private" : "public"] && !isKnownProxy(address),
    );
    const events = found.reduce((sum, [, suspect]) => sum + suspect.events, 0);
    const [first] = found.sort(([, one], [, other]) => other.events - one.events);
    if (!first || events < this.events * LEAST_SHARE) return null;
    return { addresses: found.map(([address]) => address), header: HEADERS[first[1].header] };
  }
}

/** Returns the visitor that a proxy names, as a digest; null when none does, or it is the one that counts anyway. */
function visitorNamedIn(headers: IncomingHttpHeaders, address: string): { header: Header; visitor: string } | null {
  for (const header of Object.keys(HEADERS) as Header[]) {
    const value = headers[header];
    if (value === undefined) continue;
    // The first entry is the client; what follows are proxies.
    const first = `${value}`.split(",", 1)[0] as string;
    const text = header === "forwarded" ? (/for="?([^";]+)/i.exec(first)?.[1] ?? "") : first;
    const named = nearestUntrusted(text, () => false)?.address ?? null;
    // A visitor's own network may name its private addresses.
    if (named === null || named === address || (isPrivate(named) && !isPrivate(address))) continue;
    return { header, visitor: digest(countedAddress(named)).toString("base64") };
  }
  return null;
}

const isPrivate = (address: string): boolean =>
  isIP(address) !== 0 &&
  ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"].includes(ipaddr.parse(address).range());

const watch = processWide("address-watch", () => new AddressWatch());

export const watchAddress = (address: string | null, headers: IncomingHttpHeaders, now: Date): void =>
  watch.see(address, headers, now);

/** Returns how visitors of this process merge; null while they do not. @param isKnownProxy as in `AddressWatch` */
export const mergedVisitors = (isKnownProxy: (address: string) => boolean, now: Date): MergedVisitors | null =>
  watch.merged(isKnownProxy, now);
