import { knownApp, knownSource, namedSource } from "@/lib/ingest/enrich/sources";
import { channelOf } from "@/lib/transfer/acquisition";

/** Where a visit came from in GoatCounter: a referrer, whose scheme says what it is. */

const SCHEMES = {
  /** An address without `https://`. */
  h: (referrer: string) => {
    const host = (referrer.split("/")[0] ?? "").toLowerCase().replace(/^www\./, "");
    return { known: knownSource(host), source: host };
  },
  /** A name for a group of addresses, such as `Google` or `Email`. */
  g: (referrer: string) => ({ known: namedSource(referrer), source: referrer }),
  /** `utm_source` and the like. */
  c: (referrer: string) => ({ known: namedSource(referrer), source: referrer }),
  /** Others, such as the ids of apps. */
  o: (referrer: string) => ({ known: knownApp(referrer), source: referrer }),
} as const;

/**
 * Returns source, channel and `utm_source`.
 *
 * @throws Error for an unknown scheme
 */
export function arrivalBy(referrer: string, scheme: string): { source: string; channel: string; utm_source: string } {
  const read = Object.hasOwn(SCHEMES, scheme || "o") ? SCHEMES[(scheme || "o") as keyof typeof SCHEMES] : null;
  if (read === null) throw new Error(`Referrer scheme is none of h, g, c and o: ${scheme}`);
  const { known, source } = read(referrer);
  const utm_source = scheme === "c" ? referrer : "";
  return {
    source: known?.name ?? source,
    channel: channelOf({
      known,
      source,
      hasReferrer: referrer !== "" && scheme !== "c",
      utm_source,
      utm_medium: "",
      utm_campaign: "",
    }),
    utm_source,
  };
}
