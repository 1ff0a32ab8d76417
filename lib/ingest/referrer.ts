import { parse } from "tldts";
import type { Campaign, Referrer } from "@/lib/ingest/hit";
import { clip } from "@/lib/text";

/** Known senders of visitors, by registrable domain (or a host below it): the name people know and what kind it is. */
type Kind = "search" | "social" | "video" | "shopping" | "email" | "ai";
const SOURCES = sources({
  search:
    "google Google, bing.com Bing, duckduckgo.com DuckDuckGo, yahoo Yahoo!, yandex Yandex, baidu.com Baidu, ecosia.org Ecosia, qwant.com Qwant, search.brave.com Brave, startpage.com Startpage, naver.com Naver, seznam.cz Seznam, kagi.com Kagi, mojeek.com Mojeek, ask.com Ask, aol.com AOL, sogou.com Sogou, so.com 360 Search",
  social:
    "facebook.com Facebook, fb.com Facebook, instagram.com Instagram, t.co X, twitter.com X, x.com X, linkedin.com LinkedIn, lnkd.in LinkedIn, reddit.com Reddit, pinterest Pinterest, threads.net Threads, threads.com Threads, bsky.app Bluesky, mastodon.social Mastodon, news.ycombinator.com Hacker News, tiktok.com TikTok, snapchat.com Snapchat, telegram.org Telegram, t.me Telegram, whatsapp.com WhatsApp, discord.com Discord, vk.com VK, weibo.com Weibo, quora.com Quora, tumblr.com Tumblr, lobste.rs Lobsters, producthunt.com Product Hunt, xing.com XING",
  video:
    "youtube.com YouTube, youtu.be YouTube, vimeo.com Vimeo, twitch.tv Twitch, dailymotion.com Dailymotion, bilibili.com Bilibili",
  shopping: "amazon Amazon, ebay eBay, etsy.com Etsy, aliexpress.com AliExpress, walmart.com Walmart",
  email: "mail.google.com Gmail, outlook.live.com Outlook, mail.yahoo.com Yahoo! Mail, mail.proton.me Proton Mail",
  ai: "chatgpt.com ChatGPT, chat.openai.com ChatGPT, claude.ai Claude, perplexity.ai Perplexity, gemini.google.com Gemini, copilot.microsoft.com Copilot, chat.mistral.ai Mistral, chat.deepseek.com DeepSeek, grok.com Grok, meta.ai Meta AI, you.com You.com, poe.com Poe",
});

function sources(lists: Record<Kind, string>): Map<string, { name: string; kind: Kind }> {
  const entries = Object.entries(lists).flatMap(([kind, list]) =>
    list.split(", ").map((entry) => {
      const space = entry.indexOf(" ");
      return [entry.slice(0, space), { name: entry.slice(space + 1), kind: kind as Kind }] as const;
    }),
  );
  return new Map(entries);
}

/** Finds `mail.google.com` before `google.com`, and `google` for every country's `google.*`. */
function knownSource(host: string): { name: string; kind: Kind } | undefined {
  const { domain, domainWithoutSuffix } = parse(host);
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    const known = SOURCES.get(name);
    if (known) return known;
    if (name === domain) break;
  }
  return domainWithoutSuffix ? SOURCES.get(domainWithoutSuffix) : undefined;
}

const DIRECT: Referrer = { source: "", channel: "Direct", url: "" };

/**
 * Where a hit came from: the name of the source, its channel and the referring address without scheme and query.
 * A campaign's source wins over the referrer; a page of the site itself is no source.
 */
export function readReferrer(
  referrer: string | null,
  campaign: Campaign | null,
  isOwn: (host: string) => boolean,
  clean: (text: string) => string,
): Referrer {
  const url = externalUrl(referrer, isOwn);
  const host = url?.hostname.replace(/^www\./, "") ?? "";
  const tagged = campaign?.source ? (knownByName(campaign.source) ?? { name: campaign.source }) : undefined;
  const known = tagged ?? (host ? (knownSource(host) ?? { name: host }) : undefined);
  if (!known && !campaign) return DIRECT;
  const kind = known && "kind" in known ? (known.kind as Kind) : undefined;
  return {
    source: clip(known?.name ?? "", 300),
    channel: channelOf(kind, campaign, host !== ""),
    url: url ? clip(`${host}${url.pathname === "/" ? "" : clean(url.pathname)}`, 500) : "",
  };
}

function externalUrl(referrer: string | null, isOwn: (host: string) => boolean): URL | null {
  if (!referrer || !URL.canParse(referrer)) return null;
  const url = new URL(referrer);
  if (!/^(https?|android-app):$/.test(url.protocol) || url.hostname === "") return null;
  return isOwn(url.hostname) ? null : url;
}

const BY_NAME = new Map([...SOURCES.values()].map((source) => [source.name.toLowerCase(), source]));
const knownByName = (source: string) => BY_NAME.get(source.toLowerCase()) ?? knownSource(source.toLowerCase());

/** The channel, by the rules of Google Analytics' default grouping plus `AI assistants`; the first that fits wins. */
function channelOf(kind: Kind | undefined, campaign: Campaign | null, hasReferrer: boolean): string {
  const medium = campaign?.medium.toLowerCase() ?? "";
  const paid = /^(.*cp.*|ppc|retargeting|paid.*)$/.test(medium);
  const name = `${campaign?.campaign ?? ""}`.toLowerCase();
  const rules: [boolean, string][] = [
    [name.includes("cross-network"), "Cross-network"],
    [paid && (kind === "shopping" || /\b(shop|shopping)\b/.test(name)), "Paid Shopping"],
    [paid && kind === "search", "Paid Search"],
    [paid && kind === "social", "Paid Social"],
    [paid && kind === "video", "Paid Video"],
    [/^(display|banner|expandable|interstitial|cpm)$/.test(medium), "Display"],
    [paid, "Paid Other"],
    [kind === "ai", "AI assistants"],
    [kind === "shopping" || /\b(shop|shopping)\b/.test(name), "Organic Shopping"],
    [
      kind === "social" || /^(social|social-network|social-media|sm|social network|social media)$/.test(medium),
      "Organic Social",
    ],
    [kind === "video" || medium.includes("video"), "Organic Video"],
    [kind === "search" || medium === "organic", "Organic Search"],
    [kind === "email" || /^(email|e-mail|e_mail|e mail|newsletter)$/.test(medium), "Email"],
    [medium.startsWith("affiliate"), "Affiliates"],
    [medium === "audio", "Audio"],
    [medium === "sms", "SMS"],
    [/push$|mobile|notification/.test(medium), "Mobile Push Notifications"],
    [hasReferrer || /^(referral|app|link)$/.test(medium), "Referral"],
    [campaign === null, "Direct"],
  ];
  return rules.find(([fits]) => fits)?.[1] ?? "Unassigned";
}

const UTM = {
  source: "utm_source",
  medium: "utm_medium",
  campaign: "utm_campaign",
  term: "utm_term",
  content: "utm_content",
} as const;

/** The campaign that a page's address names (`utm_*`, or `ref` and `source` for the source alone), or null. */
export function readCampaign(query: URLSearchParams, clean: (text: string) => string): Campaign | null {
  const value = (key: string) => clip(clean(query.get(key)?.trim() ?? ""), 300);
  const campaign = {
    source: value(UTM.source) || value("ref") || value("source"),
    medium: value(UTM.medium),
    campaign: value(UTM.campaign),
    term: value(UTM.term),
    content: value(UTM.content),
  };
  return Object.values(campaign).some((part) => part !== "") ? campaign : null;
}
