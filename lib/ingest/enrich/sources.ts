import { parse } from "tldts";

/** Known traffic sources, by registrable domain (or a host below it): name and kind. */
export type SourceKind = "search" | "social" | "video" | "shopping" | "email" | "ai";
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

export interface TrafficSource {
  name: string;
  kind: SourceKind;
}

function sources(lists: Record<SourceKind, string>): Map<string, TrafficSource> {
  const entries = Object.entries(lists).flatMap(([kind, list]) =>
    list.split(", ").map((entry) => {
      const space = entry.indexOf(" ");
      return [entry.slice(0, space), { name: entry.slice(space + 1), kind: kind as SourceKind }] as const;
    }),
  );
  return new Map(entries);
}

/** Returns the source of a host: `mail.google.com` before `google.com`, and `google` for every country's `google.*`. */
export function knownSource(host: string): TrafficSource | undefined {
  const { domain, domainWithoutSuffix } = parse(host);
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    const known = SOURCES.get(name);
    if (known) return known;
    if (name === domain) break;
  }
  return domainWithoutSuffix ? SOURCES.get(domainWithoutSuffix) : undefined;
}

/** Other names of sources in campaigns. */
const ALIASES: Record<string, string> = {
  fb: "Facebook",
  meta: "Facebook",
  "facebook-ads": "Facebook",
  ig: "Instagram",
  insta: "Instagram",
  tw: "X",
  twitter: "X",
  li: "LinkedIn",
  yt: "YouTube",
  tt: "TikTok",
  wa: "WhatsApp",
  tg: "Telegram",
  hn: "Hacker News",
  hackernews: "Hacker News",
  ddg: "DuckDuckGo",
  adwords: "Google",
  gads: "Google",
  googleads: "Google",
  "google-ads": "Google",
  google_ads: "Google",
  bingads: "Bing",
  "bing-ads": "Bing",
  "microsoft-ads": "Bing",
  openai: "ChatGPT",
};

const BY_NAME = new Map([...SOURCES.values()].map((source) => [source.name.toLowerCase(), source]));

/** Returns the source that a `utm_source` means: a name, a common short form, or a domain. */
export function namedSource(typed: string): TrafficSource | undefined {
  const name = typed.toLowerCase();
  const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name]?.toLowerCase() : undefined;
  return BY_NAME.get(alias ?? name) ?? knownSource(name);
}
