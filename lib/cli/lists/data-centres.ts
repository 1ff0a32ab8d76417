import { z } from "zod";
import type { ListSource } from "@/lib/cli/lists/list-source";

/** Hosting networks by their number (ASN), where no people browse, except through a VPN of their own. */
const NETWORKS: Readonly<Record<number, string>> = {
  14061: "DigitalOcean",
  16276: "OVH",
  24940: "Hetzner",
  45102: "Alibaba Cloud",
  51167: "Contabo",
  132203: "Tencent Cloud",
};
/** Narrower ranges are often leased to others. */
const WIDEST_BITS = { ipv4: 18, ipv6: 48 };

const Network = z.object({
  asn: z.int(),
  prefixes: z.object({ ipv4: z.array(z.cidrv4()), ipv6: z.array(z.cidrv6()) }),
});

/**
 * Announced ranges of hosting networks. People do browse from the networks of Amazon, Microsoft and Google (cloud
 * desktops, company gateways), Akamai, Cloudflare and Fastly (Private Relay, WARP) and of hosters of VPNs (M247,
 * Datacamp, Leaseweb, Vultr): these are left out on purpose.
 */
export const dataCentres: ListSource = {
  name: "data-centres",
  download: "as-ip-blocks/",
  source: "https://github.com/ipverse/as-ip-blocks/tree/master/as",
  licence: "CC0-1.0",
  convert(text) {
    const { asn, prefixes } = Network.parse(JSON.parse(text));
    const network = NETWORKS[asn];
    if (network === undefined) return [];
    const wide = (family: "ipv4" | "ipv6") =>
      prefixes[family].filter((range) => Number(range.split("/")[1]) <= WIDEST_BITS[family]);
    return [{ asn, network, ranges: [...wide("ipv4"), ...wide("ipv6")] }];
  },
};
