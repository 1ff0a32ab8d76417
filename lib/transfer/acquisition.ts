import { channelRule } from "@/lib/ingest/enrich/channels";
import { knownSource, type TrafficSource } from "@/lib/ingest/enrich/sources";

/** Acquisition of a visit according to another service; `''` for unknown values. */
export interface ImportedAcquisition {
  /** The source in our own list, if it is there. */
  known: TrafficSource | undefined;
  source: string;
  hasReferrer: boolean;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
}

/** Returns the channel according to our own rules. Paid clicks are only detected by the medium. */
export const channelOf = ({
  known,
  source,
  hasReferrer,
  utm_source,
  utm_medium,
  utm_campaign,
}: ImportedAcquisition): string =>
  channelRule({
    source: (known?.name ?? source).toLowerCase(),
    kind: known?.kind,
    medium: utm_medium.toLowerCase(),
    campaign: utm_campaign.toLowerCase(),
    click: null,
    hasReferrer,
    isTagged: [utm_source, utm_medium, utm_campaign].some((tag) => tag !== ""),
  }).channel;

type Tags = Pick<ImportedAcquisition, "utm_source" | "utm_medium" | "utm_campaign">;

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, "");

/**
 * Returns the source and channel of a visit by its referrer and tags.
 *
 * @param from the host of the referrer; `''` without one
 * @param own the host of the site, whose pages are no source
 */
export function arrivalFrom(from: string, own: string, tags: Tags): { source: string; channel: string } {
  const referrer = withoutWww(from) === withoutWww(own) ? "" : withoutWww(from);
  const known = referrer === "" ? undefined : knownSource(referrer);
  const source = known?.name ?? referrer;
  return {
    source: source || tags.utm_source,
    channel: channelOf({ known, source, hasReferrer: referrer !== "", ...tags }),
  };
}
