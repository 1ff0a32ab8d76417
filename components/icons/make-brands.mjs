// Generates brands.json, the icons of sources, browsers, systems and operators, from two CC0 sets:
//   npm install --no-save @iconify-json/logos@1.2.19 @iconify-json/simple-icons@1.2.102 && node components/icons/make-brands.mjs && npx biome format --write components/icons/brands.json
import { readFileSync, writeFileSync } from "node:fs";

const read = (set) => JSON.parse(readFileSync(new URL(import.meta.resolve(`${set}/icons.json`)), "utf8"));
const logos = read("@iconify-json/logos");
const simple = read("@iconify-json/simple-icons");

/** Key, icon of the coloured set, and the names that values have, in lower case. */
const COLOURED = [
  ["chrome", "chrome", "chrome", "chrome webview", "chrome headless", "chromium", "chromium os"],
  ["edge", "microsoft-edge", "edge"],
  ["opera", "opera", "opera", "opera mini", "opera gx", "opera touch", "opera mobi", "opera coast"],
  ["brave", "brave", "brave"],
  ["vivaldi", "vivaldi-icon", "vivaldi"],
  ["windows", "microsoft-windows-icon", "windows", "windows phone"],
  ["microsoft", "microsoft-icon", "microsoft", "msn"],
  ["android", "android-icon", "android", "android browser"],
  ["ubuntu", "ubuntu", "ubuntu"],
  ["debian", "debian", "debian"],
  ["fedora", "fedora", "fedora"],
  ["google", "google-icon", "google", "google search app", "google images", "google news", "google scholar"],
  ["google-maps", "google-maps", "google maps"],
  ["google-play", "google-play-icon", "google play"],
  ["gmail", "google-gmail", "gmail"],
  ["bing", "bing", "bing", "bing images"],
  ["facebook", "facebook", "facebook"],
  ["messenger", "messenger", "messenger"],
  ["whatsapp", "whatsapp-icon", "whatsapp"],
  ["linkedin", "linkedin-icon", "linkedin"],
  ["reddit", "reddit-icon", "reddit"],
  ["youtube", "youtube-icon", "youtube"],
  ["pinterest", "pinterest", "pinterest"],
  ["telegram", "telegram", "telegram"],
  ["hacker-news", "ycombinator", "hacker news", "y combinator"],
  ["gitlab", "gitlab-icon", "gitlab"],
  ["slack", "slack-icon", "slack"],
  ["discord", "discord-icon", "discord"],
  ["mastodon", "mastodon-icon", "mastodon"],
  ["bluesky", "bluesky", "bluesky"],
  ["quora", "quora", "quora"],
  ["stack-overflow", "stackoverflow-icon", "stack overflow", "stackoverflow", "stack exchange"],
  ["product-hunt", "producthunt", "product hunt"],
  ["perplexity", "perplexity-icon", "perplexity"],
  ["claude", "claude-icon", "claude"],
  ["mistral", "mistral-ai-icon", "mistral", "mistral ai", "le chat"],
  ["deepseek", "deepseek-icon", "deepseek"],
  ["meta", "meta-icon", "meta", "meta ai"],
  ["dribbble", "dribbble-icon", "dribbble"],
  ["twitch", "twitch", "twitch"],
  ["vimeo", "vimeo-icon", "vimeo"],
  ["shopify", "shopify", "shopify"],
  ["cloudflare", "cloudflare-icon", "cloudflare"],
  ["stripe", "stripe", "stripe"],
  ["netflix", "netflix-icon", "netflix"],
];

/** Key, icon of the set with one colour, its colour (lighter where it could not be seen on a dark page), and names. */
const FLAT = [
  ["instagram", "instagram", "#e4405f", "instagram", "instagram shopping"],
  ["firefox", "firefoxbrowser", "#ff7139", "firefox", "firefox focus", "firefox reality", "mozilla"],
  ["safari", "safari", "#006cff", "safari", "mobile safari"],
  ["duckduckgo", "duckduckgo", "#de5833", "duckduckgo", "duck.ai"],
  ["ecosia", "ecosia", "#008009", "ecosia"],
  ["baidu", "baidu", "#5a62f5", "baidu", "baidu ai", "ernie bot"],
  ["qwant", "qwant", "#5c97ff", "qwant"],
  ["kagi", "kagi", "#ffb319", "kagi", "kagi assistant"],
  ["naver", "naver", "#03c75a", "naver", "naver blog"],
  ["startpage", "startpage", "#6563ff", "startpage"],
  ["samsung", "samsung", "#4a6cf0", "samsung internet"],
  ["line", "line", "#00c300", "line"],
  ["wechat", "wechat", "#07c160", "wechat"],
  ["weibo", "sinaweibo", "#e6162d", "weibo"],
  ["vk", "vk", "#0077ff", "vk", "vkontakte"],
  ["odnoklassniki", "odnoklassniki", "#ee8208", "odnoklassniki"],
  ["xing", "xing", "#0b8f92", "xing"],
  ["spotify", "spotify", "#1ed760", "spotify"],
  ["flickr", "flickr", "#0063dc", "flickr"],
  ["soundcloud", "soundcloud", "#ff5500", "soundcloud"],
  ["proton-mail", "protonmail", "#6d4aff", "proton mail", "lumo"],
  ["substack", "substack", "#ff6719", "substack"],
  ["feedly", "feedly", "#2bb24c", "feedly"],
  ["gemini", "googlegemini", "#8e75b2", "gemini"],
  ["bilibili", "bilibili", "#00a1d6", "bilibili"],
  ["etsy", "etsy", "#f16521", "etsy"],
  ["ebay", "ebay", "#e53238", "ebay"],
  ["trustpilot", "trustpilot", "#00b67a", "trustpilot"],
  ["tor", "torbrowser", "#7d4698", "tor", "tor browser"],
  ["freebsd", "freebsd", "#ab2b28", "freebsd"],
  ["playstation", "playstation", "#0070d1", "playstation"],
  ["yelp", "yelp", "#ff1a1a", "yelp"],
  ["dailymotion", "dailymotion", "#4d5bff", "dailymotion"],
  ["huawei", "huawei", "#e40010", "huawei", "huawei browser"],
  ["qwen", "qwen", "#615ced", "qwen", "alibaba"],
];

/** Icons that are black or white, and take the colour of the text. */
const PLAIN = [
  ["apple", "apple", "ios", "mac os", "watchos", "apple", "icloud mail"],
  ["linux", "linux", "linux"],
  ["x", "x", "x", "twitter"],
  ["github", "github", "github"],
  ["tiktok", "tiktok", "tiktok"],
  ["threads", "threads", "threads"],
  ["medium", "medium", "medium"],
  ["snapchat", "snapchat", "snapchat"],
  ["tumblr", "tumblr", "tumblr"],
  ["dev", "devdotto", "dev community"],
  ["wikipedia", "wikipedia", "wikipedia"],
  ["openai", "openai", "chatgpt", "chatgpt atlas", "openai"],
  ["anthropic", "anthropic", "anthropic"],
  ["kakaotalk", "kakaotalk", "kakaotalk", "kakaostory"],
  ["harmonyos", "harmonyos", "harmonyos"],
  ["bytedance", "bytedance", "bytedance"],
];

function svgOf(set, name, colour) {
  const icon = set.icons[name];
  if (!icon) throw new Error(`There is no icon ${name}.`);
  const [width, height] = [icon.width ?? set.width ?? 24, icon.height ?? set.height ?? 24];
  const side = Math.max(width, height);
  // Square, so that all icons have the same box and nothing shifts.
  const box = `${(width - side) / 2} ${(height - side) / 2} ${side} ${side}`;
  const body = icon.body.replaceAll("currentColor", colour ?? "#000");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${body}</svg>`;
}

const brands = Object.fromEntries([
  ...COLOURED.map(([key, icon, ...names]) => [key, { names, svg: svgOf(logos, icon) }]),
  ...FLAT.map(([key, icon, colour, ...names]) => [key, { names, svg: svgOf(simple, icon, colour) }]),
  ...PLAIN.map(([key, icon, ...names]) => [key, { names, plain: true, svg: svgOf(simple, icon) }]),
]);
writeFileSync(new URL("brands.json", import.meta.url), JSON.stringify(brands));
