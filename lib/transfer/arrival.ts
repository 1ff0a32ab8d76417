import { channelRule } from "@/lib/ingest/enrich/channels";
import type { Source } from "@/lib/ingest/enrich/sources";

/** Where a visit came from, as far as another service tells. `''` where it does not. */
export interface ImportedArrival {
  /** What our own list knows of the source. */
  known: Source | undefined;
  source: string;
  hasReferrer: boolean;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
}

/** The channel by our own rules; that advertisers were paid for a click is only known where a medium says so. */
export const channelOf = ({
  known,
  source,
  hasReferrer,
  utm_source,
  utm_medium,
  utm_campaign,
}: ImportedArrival): string =>
  channelRule({
    source: (known?.name ?? source).toLowerCase(),
    kind: known?.kind,
    medium: utm_medium.toLowerCase(),
    campaign: utm_campaign.toLowerCase(),
    click: null,
    hasReferrer,
    isTagged: [utm_source, utm_medium, utm_campaign].some((tag) => tag !== ""),
  }).channel;
