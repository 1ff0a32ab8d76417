import { isIP } from "node:net";
import { addressNumber, findInterval, intervalsOf, sortIntervals } from "@/lib/ingest/enrich/intervals";
import alibaba from "@/lib/ingest/enrich/lists/networks/alibaba.json";
import contabo from "@/lib/ingest/enrich/lists/networks/contabo.json";
import digitalocean from "@/lib/ingest/enrich/lists/networks/digitalocean.json";
import hetzner from "@/lib/ingest/enrich/lists/networks/hetzner.json";
import ovh from "@/lib/ingest/enrich/lists/networks/ovh.json";
import tencent from "@/lib/ingest/enrich/lists/networks/tencent.json";

/**
 * Hosting networks, where no people browse: the announced ranges of /18 and wider, because narrower ones are often
 * leased to others. From the collection ipverse/as-ip-blocks (CC0), which is updated daily from BGP; each file has the
 * date and source version it was read from.
 *
 * People do browse from the networks of Amazon, Microsoft and Google (cloud desktops, company gateways), Akamai,
 * Cloudflare and Fastly (Private Relay, WARP) and of hosters of VPNs (M247, Datacamp, Leaseweb, Vultr): these are left
 * out on purpose.
 */
export const NETWORKS = [alibaba, contabo, digitalocean, hetzner, ovh, tencent];

/** The newest date of all lists. */
export const NETWORKS_DATE =
  NETWORKS.map(({ date }) => date)
    .sort()
    .at(-1) ?? "";

const INTERVALS = sortIntervals(NETWORKS.flatMap(({ ranges, name }) => intervalsOf(ranges, name)));

/** Returns the hosting network that an address belongs to, or null. */
export const dataCentreOf = (address: string): string | null =>
  isIP(address) === 0 ? null : (findInterval(INTERVALS, addressNumber(address))?.value ?? null);
