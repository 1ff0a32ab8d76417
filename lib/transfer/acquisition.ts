import { channelRule } from "@/lib/ingest/enrich/channels";
import type { TrafficSource } from "@/lib/ingest/enrich/sources";

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
