import { channelRule, DIRECT } from "@/lib/ingest/enrich/channels";
import { knownApp, knownSource, namedSource, type TrafficSource } from "@/lib/ingest/enrich/sources";
import type { Campaign, Referrer } from "@/lib/ingest/event/decided-event";
import { canonicalEncoding, canonicalHost } from "@/lib/platform/canonical";
import { canonicalName } from "@/lib/platform/names";
import { clip, parseUrl } from "@/lib/platform/text";

export const DIRECT_REFERRER: Referrer = { source: "", channel: DIRECT.channel, url: "", rule: DIRECT.id };
/** The referrer of an event without a visit: unknown, which is not the same as direct. */
export const UNKNOWN_REFERRER: Referrer = { source: "", channel: "", url: "", rule: "" };

/** What an advertising click id in a page URL says about the click. */
export interface Click {
  source: string;
  /** Facebook adds its id to every outgoing link, so the id alone does not mean an ad. */
  kind: "paid" | "display" | null;
}

const CLICKS = new Map<string, Click>([
  ["gclid", { source: "Google", kind: "paid" }],
  ["gbraid", { source: "Google", kind: "paid" }],
  ["wbraid", { source: "Google", kind: "paid" }],
  ["dclid", { source: "Google", kind: "display" }],
  ["msclkid", { source: "Bing", kind: "paid" }],
  ["yclid", { source: "Yandex", kind: "paid" }],
  ["ttclid", { source: "TikTok", kind: "paid" }],
  ["twclid", { source: "X", kind: "paid" }],
  ["li_fat_id", { source: "LinkedIn", kind: "paid" }],
  ["ScCid", { source: "Snapchat", kind: "paid" }],
  ["rdt_cid", { source: "Reddit", kind: "paid" }],
  ["fbclid", { source: "Facebook", kind: null }],
]);

/** Returns the click that a page URL describes, or null. The id itself is not read. */
export function readClick(query: URLSearchParams): Click | null {
  for (const key of query.keys()) {
    const click = CLICKS.get(key);
    if (click) return click;
  }
  return null;
}

/** The origin of an event. */
export interface Origin {
  referrer: string | null;
  campaign: Campaign | null;
  click: Click | null;
}

/**
 * Returns the source of an event, its channel with the rule that chose it, and the referring URL without scheme and
 * query. A campaign's source takes precedence over the referrer; pages of the site itself are not a source.
 *
 * @param clean removes personal data from stored text.
 */
export function readReferrer(
  { referrer, campaign, click }: Origin,
  isOwn: (host: string) => boolean,
  clean: (text: string) => string,
): Referrer {
  const url = externalUrl(referrer, isOwn);
  if (!url && !campaign && !click) return DIRECT_REFERRER;
  const host = url ? canonicalHost(url.hostname) : "";
  const source = sourceOf(campaign?.source ?? "", url, click);
  const rule = channelRule({
    source: source.name.toLowerCase(),
    kind: source.kind,
    medium: campaign?.medium.toLowerCase() ?? "",
    campaign: campaign?.campaign.toLowerCase() ?? "",
    click: click?.kind ?? null,
    hasReferrer: url !== null,
    isTagged: campaign !== null,
  });
  return {
    source: rule === DIRECT ? "" : clip(source.name, 300),
    channel: rule.channel,
    url: url ? clip(`${host}${url.pathname === "/" ? "" : clean(canonicalEncoding(url.pathname))}`, 500) : "",
    rule: rule.id,
  };
}

/** Returns the campaign's source, else the known referrer, else the source of the click id, else the referring host. */
function sourceOf(
  tagged: string,
  referrer: URL | null,
  click: Click | null,
): { name: string; kind?: TrafficSource["kind"] } {
  if (tagged) return namedSource(tagged) ?? { name: tagged };
  const host = referrer ? canonicalHost(referrer.hostname) : "";
  const known = referrer && (isWeb(referrer) ? knownSource(host) : knownApp(host));
  return known ?? (click && namedSource(click.source)) ?? { name: host };
}

const isWeb = ({ protocol }: URL) => protocol === "http:" || protocol === "https:";
/** Chrome on Android and Google's apps name the app that opened the page. */
const isApp = ({ protocol }: URL) => protocol === "android-app:" || protocol === "ios-app:";

function externalUrl(referrer: string | null, isOwn: (host: string) => boolean): URL | null {
  const url = referrer ? parseUrl(referrer) : null;
  if (!url || !(isWeb(url) || isApp(url)) || url.hostname === "") return null;
  return isOwn(url.hostname) ? null : url;
}

const UTM = {
  source: "utm_source",
  medium: "utm_medium",
  campaign: "utm_campaign",
  term: "utm_term",
  content: "utm_content",
} as const;

/** Returns the campaign of a page URL (`utm_*`, or `ref` and `source` for the source alone), or null. */
export function readCampaign(query: URLSearchParams, clean: (text: string) => string): Campaign | null {
  const value = (key: string) => clip(clean(canonicalName((query.get(key) ?? "").slice(0, 1_000))), 300);
  const campaign = {
    source: value(UTM.source) || value("ref") || value("source"),
    medium: value(UTM.medium),
    campaign: value(UTM.campaign),
    term: value(UTM.term),
    content: value(UTM.content),
  };
  return Object.values(campaign).some((part) => part !== "") ? campaign : null;
}
