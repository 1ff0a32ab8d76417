import type { Odds } from "@/prisma/dice";

/** Browsers, languages and bots of the demo sites, with their weights. */

const like = (system: string, engine: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/${engine} (KHTML, like Gecko) ${rest}`;
const chrome = (system: string, more = "") => like(system, "537.36", `Chrome/142.0.0.0${more}`);
const safari = (system: string, mobile = "") => like(system, "605.1.15", `Version/18.6${mobile} Safari/604.1`);
const firefox = (system: string) => `Mozilla/5.0 (${system}; rv:144.0) Gecko/20100101 Firefox/144.0`;

const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const WINDOWS = "Windows NT 10.0; Win64; x64";
export const BROWSERS: Odds<{ screen: string; userAgent: string }> = [
  [24, { screen: "393", userAgent: safari("iPhone; CPU iPhone OS 18_6 like Mac OS X", " Mobile/15E148") }],
  [20, { screen: "1920", userAgent: chrome(WINDOWS, " Safari/537.36") }],
  [17, { screen: "412", userAgent: chrome("Linux; Android 10; K", " Mobile Safari/537.36") }],
  [12, { screen: "1512", userAgent: chrome(MAC, " Safari/537.36") }],
  [9, { screen: "1440", userAgent: safari(MAC) }],
  [7, { screen: "1536", userAgent: firefox(WINDOWS) }],
  [6, { screen: "1280", userAgent: chrome(WINDOWS, " Safari/537.36 Edg/142.0.0.0") }],
  [3, { screen: "820", userAgent: safari("iPad; CPU OS 18_6 like Mac OS X", " Mobile/15E148") }],
  [2, { screen: "1920", userAgent: firefox("X11; Linux x86_64") }],
];
export const LANGUAGES: Odds<string> = [
  [40, "en-US"],
  [25, "de-DE"],
  [12, "en-GB"],
  [8, "fr-FR"],
  [6, "es-ES"],
  [5, "nl-NL"],
];
const mozilla = (more: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; ${more})`;

/** Robots, each with an address that its operator publishes, if it does. */
export const BOTS: Odds<{ userAgent: string; address: string | null }> = [
  [
    9,
    { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", address: "66.249.66.1" },
  ],
  [
    5,
    { userAgent: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", address: "157.55.39.10" },
  ],
  [8, { userAgent: mozilla("compatible; GPTBot/1.2; +https://openai.com/gptbot"), address: "20.171.206.10" }],
  [5, { userAgent: mozilla("compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot"), address: "51.8.102.10" }],
  [6, { userAgent: mozilla("compatible; ChatGPT-User/1.0; +https://openai.com/bot"), address: "23.98.142.180" }],
  [6, { userAgent: mozilla("compatible; ClaudeBot/1.0; +claudebot@anthropic.com"), address: "216.73.216.10" }],
  [3, { userAgent: mozilla("compatible; Claude-User/1.0; +Claude-User@anthropic.com"), address: "216.73.216.11" }],
  [4, { userAgent: mozilla("compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot"), address: null }],
  [3, { userAgent: "CCBot/2.0 (https://commoncrawl.org/faq/)", address: null }],
  [3, { userAgent: "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", address: null }],
];
