import { isIP } from "node:net";
import { findInterval, intervalsOf, numberOf, sortIntervals } from "@/lib/ingest/enrich/intervals";
import alibaba from "@/lib/ingest/enrich/lists/networks/alibaba.json";
import contabo from "@/lib/ingest/enrich/lists/networks/contabo.json";
import digitalocean from "@/lib/ingest/enrich/lists/networks/digitalocean.json";
import hetzner from "@/lib/ingest/enrich/lists/networks/hetzner.json";
import ovh from "@/lib/ingest/enrich/lists/networks/ovh.json";
import tencent from "@/lib/ingest/enrich/lists/networks/tencent.json";
import { boundedMap } from "@/lib/platform/bounded-map";

/**
 * Networks of rented servers, where nobody sits and reads: what they announce in ranges of /18 and wider, because the
 * narrower ones are often lent to others. Read from the collection ipverse/as-ip-blocks (CC0), which copies the
 * internet's routes daily; a file is no older than its date, and its source names the very version.
 *
 * People do come out of the networks of Amazon, Microsoft and Google (cloud desktops, companies' gateways), Akamai,
 * Cloudflare and Fastly (Private Relay, WARP) and of those that rent to VPNs (M247, Datacamp, Leaseweb, Vultr):
 * these are left out on purpose.
 */
export const NETWORKS = [alibaba, contabo, digitalocean, hetzner, ovh, tencent];

/** The newest date of them all. */
export const NETWORKS_DATE =
  NETWORKS.map(({ date }) => date)
    .sort()
    .at(-1) ?? "";

const INTERVALS = sortIntervals(NETWORKS.flatMap(({ ranges, name }) => intervalsOf(ranges, name)));

/** `""` for an address of no such network: most addresses ask again with their next page. */
const known = boundedMap<string, string>("data-centre-addresses", { max: 10_000, ttl: 60_000 });

/** The name of the network of servers that an address belongs to, or null. */
export function dataCentreOf(address: string): string | null {
  const remembered = known.get(address);
  if (remembered !== undefined) return remembered || null;
  const name = isIP(address) === 0 ? "" : (findInterval(INTERVALS, numberOf(address))?.value ?? "");
  known.set(address, name);
  return name || null;
}
