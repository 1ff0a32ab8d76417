import type { SourceKind } from "@/lib/ingest/enrich/sources";

/** The input of channel rules. Texts are lower case, `''` where unknown. */
interface ChannelSigns {
  source: string;
  kind: SourceKind | undefined;
  medium: string;
  campaign: string;
  /** Kind of the advertising click id in the page URL; the id itself is not stored. */
  click: "paid" | "display" | null;
  hasReferrer: boolean;
  isTagged: boolean;
}

interface ChannelRule {
  /** Stored with the channel of each visit. */
  id: string;
  channel: string;
  /** When the rule applies, in words for people. */
  when: string;
  matches(signs: ChannelSigns): boolean;
}

const isPaid = ({ medium }: ChannelSigns) => /^(?:.*cp.*|ppc|retargeting|paid.*)$/.test(medium);
// A medium is more specific than a click id, and chosen by the advertiser.
const isClick = ({ click, medium }: ChannelSigns) => click === "paid" && medium === "";
const isShopping = ({ kind, campaign }: ChannelSigns) =>
  kind === "shopping" || /(?:[^a-df-z]|^)shop|shopping/.test(campaign);
const oneOf = (names: string) => {
  const set = new Set(names.split(", "));
  return (name: string) => set.has(name);
};
const isDisplay = oneOf("display, banner, expandable, interstitial, cpm");
const isSocial = oneOf("social, social-network, social-media, sm, social network, social media");
const isEmail = oneOf("email, e-mail, e_mail, e mail, newsletter");
const isLink = oneOf("referral, app, link");

const rule = (id: string, channel: string, when: string, matches: ChannelRule["matches"]): ChannelRule => ({
  id,
  channel,
  when,
  matches,
});

/**
 * Google Analytics' default channel grouping, extended by click ids and AI assistants. The first matching rule wins.
 */
export const CHANNEL_RULES: readonly ChannelRule[] = [
  rule("cross_network", "Cross-network", "the campaign name contains cross-network", ({ campaign }) =>
    campaign.includes("cross-network"),
  ),
  rule(
    "paid_shopping",
    "Paid Shopping",
    "a shop or a shopping campaign, with a paid medium",
    (signs) => isPaid(signs) && isShopping(signs),
  ),
  rule(
    "paid_search",
    "Paid Search",
    "a search engine, with a paid medium",
    (signs) => isPaid(signs) && signs.kind === "search",
  ),
  rule(
    "paid_social",
    "Paid Social",
    "a social network, with a paid medium",
    (signs) => isPaid(signs) && signs.kind === "social",
  ),
  rule(
    "paid_video",
    "Paid Video",
    "a video site, with a paid medium",
    (signs) => isPaid(signs) && signs.kind === "video",
  ),
  rule("display", "Display", "the medium is display, banner, expandable, interstitial or cpm", ({ medium }) =>
    isDisplay(medium),
  ),
  rule("paid_other", "Paid Other", "any other paid medium: it contains cp, or is ppc, retargeting or paid…", isPaid),
  rule(
    "click_display",
    "Display",
    "no medium, and a display click id (dclid)",
    ({ click, medium }) => click === "display" && medium === "",
  ),
  rule(
    "click_search",
    "Paid Search",
    "no medium, and an ad click id of a search engine",
    (signs) => isClick(signs) && signs.kind === "search",
  ),
  rule(
    "click_social",
    "Paid Social",
    "no medium, and an ad click id of a social network",
    (signs) => isClick(signs) && signs.kind === "social",
  ),
  rule(
    "click_video",
    "Paid Video",
    "no medium, and an ad click id of a video site",
    (signs) => isClick(signs) && signs.kind === "video",
  ),
  rule("click_other", "Paid Other", "no medium, and any other ad click id", isClick),
  rule("ai_assistants", "AI assistants", "an assistant such as ChatGPT is the source", ({ kind }) => kind === "ai"),
  rule("organic_shopping", "Organic Shopping", "a shop, or a shopping campaign", isShopping),
  rule(
    "organic_social",
    "Organic Social",
    "a social network, or the medium is social",
    ({ kind, medium }) => kind === "social" || isSocial(medium),
  ),
  rule(
    "organic_video",
    "Organic Video",
    "a video site, or the medium contains video",
    ({ kind, medium }) => kind === "video" || medium.includes("video"),
  ),
  rule(
    "organic_search",
    "Organic Search",
    "a search engine, or the medium is organic",
    ({ kind, medium }) => kind === "search" || medium === "organic",
  ),
  rule("referral_medium", "Referral", "the medium is referral, app or link", ({ medium }) => isLink(medium)),
  rule(
    "email",
    "Email",
    "a webmail service, or source or medium is email, or source is newsletter without another medium",
    ({ kind, source, medium }) =>
      kind === "email" || isEmail(medium) || (isEmail(source) && (medium === "" || source !== "newsletter")),
  ),
  rule("affiliates", "Affiliates", "the medium is affiliate", ({ medium }) => medium.startsWith("affiliate")),
  rule("audio", "Audio", "the medium is audio", ({ medium }) => medium === "audio"),
  rule("sms", "SMS", "source or medium is sms", ({ source, medium }) => source === "sms" || medium === "sms"),
  rule(
    "push",
    "Mobile Push Notifications",
    "the medium ends in push or contains mobile or notification",
    (signs) => /push$|mobile|notification/.test(signs.medium) || signs.source === "firebase",
  ),
  rule("referral", "Referral", "another site linked here", ({ hasReferrer }) => hasReferrer),
  rule("unassigned", "Unassigned", "a campaign that no other rule matches", ({ isTagged }) => isTagged),
];

/** Direct visits: the URL was typed or bookmarked, or the referrer was withheld. */
export const DIRECT = rule("direct", "Direct", "no campaign, no click id and no referrer", () => true);

/** Returns the rule that determines the channel. */
export const channelRule = (signs: ChannelSigns): ChannelRule =>
  CHANNEL_RULES.find(({ matches }) => matches(signs)) ?? DIRECT;

const BY_ID = new Map([...CHANNEL_RULES, DIRECT].map((one) => [one.id, one]));

/** Returns the rule with a stored id; null for visits from before rules were stored, and for overflow values. */
export const channelRuleOf = (id: string): ChannelRule | null => BY_ID.get(id) ?? null;
