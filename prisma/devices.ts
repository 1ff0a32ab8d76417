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
export const BOTS: Odds<string> = [
  [5, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
  [3, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"],
  [2, "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"],
  [2, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"],
];
