import type { SourceKind } from "@/lib/ingest/enrich/sources";
import { msg } from "@/lib/texts/translate";

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
  /** It is none of Google Analytics' rules. */
  isOwn?: true;
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
const isEmail = oneOf("email, e-mail, e_mail, e mail");
const isNone = oneOf(", (none), (not set)");
const isLink = oneOf("referral, app, link");

const rule = (id: string, channel: string, when: string, matches: ChannelRule["matches"]): ChannelRule => ({
  id,
  channel,
  when,
  matches,
});
const ownRule = (...args: Parameters<typeof rule>): ChannelRule => ({ ...rule(...args), isOwn: true });

/** Direct visits: the URL was typed or bookmarked, or the referrer was withheld. */
export const DIRECT = rule(
  "direct",
  msg("Direct"),
  msg("no campaign, no click id and no referrer, or the source (direct) without a medium"),
  ({ source, medium }) => source === "(direct)" && isNone(medium),
);

/**
 * Google Analytics' default channel group in its order (support.google.com/analytics/answer/9756891), with our own rules
 * for click ids and AI assistants between its paid and its other rules, and the rest of our own before it gives up. The
 * first matching rule wins.
 */
export const CHANNEL_RULES: readonly ChannelRule[] = [
  rule("cross_network", msg("Cross-network"), msg("the campaign name contains cross-network"), ({ campaign }) =>
    campaign.includes("cross-network"),
  ),
  rule(
    "paid_shopping",
    msg("Paid Shopping"),
    msg("a shop or a shopping campaign, with a paid medium"),
    (signs) => isPaid(signs) && isShopping(signs),
  ),
  rule(
    "paid_search",
    msg("Paid Search"),
    msg("a search engine, with a paid medium"),
    (signs) => isPaid(signs) && signs.kind === "search",
  ),
  rule(
    "paid_social",
    msg("Paid Social"),
    msg("a social network, with a paid medium"),
    (signs) => isPaid(signs) && signs.kind === "social",
  ),
  rule(
    "paid_video",
    msg("Paid Video"),
    msg("a video site, with a paid medium"),
    (signs) => isPaid(signs) && signs.kind === "video",
  ),
  rule("display", msg("Display"), msg("the medium is display, banner, expandable, interstitial or cpm"), ({ medium }) =>
    isDisplay(medium),
  ),
  rule(
    "paid_other",
    msg("Paid Other"),
    msg("any other paid medium: it contains cp, or is ppc, retargeting or paid…"),
    isPaid,
  ),
  ownRule(
    "click_display",
    msg("Display"),
    msg("no medium, and a display click id (dclid)"),
    ({ click, medium }) => click === "display" && medium === "",
  ),
  ownRule(
    "click_search",
    msg("Paid Search"),
    msg("no medium, and an ad click id of a search engine"),
    (signs) => isClick(signs) && signs.kind === "search",
  ),
  ownRule(
    "click_social",
    msg("Paid Social"),
    msg("no medium, and an ad click id of a social network"),
    (signs) => isClick(signs) && signs.kind === "social",
  ),
  ownRule(
    "click_video",
    msg("Paid Video"),
    msg("no medium, and an ad click id of a video site"),
    (signs) => isClick(signs) && signs.kind === "video",
  ),
  ownRule("click_other", msg("Paid Other"), msg("no medium, and any other ad click id"), isClick),
  ownRule(
    "ai_assistants",
    msg("AI assistants"),
    msg("an assistant such as ChatGPT is the source, or the medium is ai-assistant"),
    ({ kind, medium }) => kind === "ai" || medium === "ai-assistant",
  ),
  rule("organic_shopping", msg("Organic Shopping"), msg("a shop, or a shopping campaign"), isShopping),
  rule(
    "organic_social",
    msg("Organic Social"),
    msg("a social network, or the medium is social, sm, social-network or social-media"),
    ({ kind, medium }) => kind === "social" || isSocial(medium),
  ),
  rule(
    "organic_video",
    msg("Organic Video"),
    msg("a video site, or the medium contains video"),
    ({ kind, medium }) => kind === "video" || medium.includes("video"),
  ),
  rule(
    "organic_search",
    msg("Organic Search"),
    msg("a search engine, or the medium is organic"),
    ({ kind, medium }) => kind === "search" || medium === "organic",
  ),
  rule("referral_medium", msg("Referral"), msg("the medium is referral, app or link"), ({ medium }) => isLink(medium)),
  rule(
    "email",
    msg("Email"),
    msg("source or medium is email, e-mail, e_mail or e mail"),
    ({ source, medium }) => isEmail(source) || isEmail(medium),
  ),
  rule("affiliates", msg("Affiliates"), msg("the medium is affiliate"), ({ medium }) => medium === "affiliate"),
  rule("audio", msg("Audio"), msg("the medium is audio"), ({ medium }) => medium === "audio"),
  rule("sms", msg("SMS"), msg("source or medium is sms"), ({ source, medium }) => source === "sms" || medium === "sms"),
  rule(
    "push",
    msg("Mobile Push Notifications"),
    msg("the medium ends in push or contains mobile or notification, or the source is firebase"),
    ({ source, medium }) => /push$|mobile|notification/.test(medium) || source === "firebase",
  ),
  ownRule(
    "webmail",
    msg("Email"),
    msg("a webmail service or an email app is the source"),
    ({ kind }) => kind === "email",
  ),
  ownRule(
    "newsletter",
    msg("Email"),
    msg("the medium is newsletter, or it is missing and the source is newsletter"),
    ({ source, medium }) => medium === "newsletter" || (medium === "" && source === "newsletter"),
  ),
  ownRule(
    "affiliate_names",
    msg("Affiliates"),
    msg("the medium begins with affiliate, such as affiliates"),
    ({ medium }) => medium.startsWith("affiliate"),
  ),
  rule(
    "referral",
    msg("Referral"),
    msg("another site or app linked here, and no medium is given"),
    ({ hasReferrer, medium }) => hasReferrer && medium === "",
  ),
  rule("unassigned", msg("Unassigned"), msg("a campaign that no other rule matches"), ({ isTagged }) => isTagged),
];

/** Returns the rule that determines the channel. */
export const channelRule = (signs: ChannelSigns): ChannelRule =>
  DIRECT.matches(signs) ? DIRECT : (CHANNEL_RULES.find(({ matches }) => matches(signs)) ?? DIRECT);

const BY_ID = new Map([DIRECT, ...CHANNEL_RULES].map((one) => [one.id, one]));

/** Returns the rule with a stored id; null for visits from before rules were stored, and for overflow values. */
export const channelRuleOf = (id: string): ChannelRule | null => BY_ID.get(id) ?? null;
