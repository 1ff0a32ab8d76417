import crawlers from "crawler-user-agents";
import aiAgents from "@/lib/ingest/enrich/data/ai-agents.json";
import aiAgentsDocumented from "@/lib/ingest/enrich/data/ai-agents-documented.json";
import crawlersDocumented from "@/lib/ingest/enrich/data/crawlers-documented.json";
import { ownLists } from "@/lib/ingest/enrich/own-lists";
import { type Robot, RobotNames } from "@/lib/ingest/enrich/robot-names";
import {
  HANDHELD,
  isCompleteBrowser,
  robotWordsIn,
  withoutModel,
  withoutProducts,
} from "@/lib/ingest/enrich/robot-words";
import { SEARCHING } from "@/lib/ingest/event/verdict";
import { clip } from "@/lib/platform/text";

/** Browsers controlled by programs, mostly without a screen. */
const HEADLESS =
  /Headless\w*|PhantomJS|SlimerJS|CasperJS|Playwright|Puppeteer|Selenium|WebDriver|\bjsdom|HtmlUnit|Cypress\/|Lightpanda|HappyDOM|wkhtmlto\w+/i;

const LISTED = new RobotNames();
for (const robot of crawlersDocumented.entries) LISTED.add("crawler", robot);
for (const robot of aiAgents.entries) LISTED.add("ai_agent", robot);
for (const robot of aiAgentsDocumented.entries) LISTED.add("ai_agent", robot);
LISTED.finish();

/** Whether a robot is one of an AI product, or collects pages for a search engine: the AI report lists these. */
export const isReader = ({ reason, purpose }: Robot): boolean => reason === "ai_agent" || purpose === SEARCHING;

/** Names that only say which robot it is, once words say that it is one: some are everyday words. */
const CRAWLERS = new RobotNames();
for (const { pattern, tags = [] } of crawlers as { pattern: string; tags?: string[] }[]) {
  const token = plainName(pattern);
  if (token === null || tags.includes("http-library")) continue;
  const purpose = tags.includes("search-engine") ? "search" : "crawler";
  CRAWLERS.add(tags.includes("ai-crawler") ? "ai_agent" : "crawler", { token, operator: "", purpose });
}
CRAWLERS.finish();

/** Returns the name that a `crawler-user-agents` pattern matches, or null when it matches more than a name. */
function plainName(pattern: string): string | null {
  const name = pattern.replace(/\\(.)/g, "$1").replace(/\/$/, "");
  return /^[A-Za-z0-9._-]+$/.test(name) && !HEADLESS.test(name) ? name : null;
}

/** Whether a word is more than an everyday one such as `Code`, `Spider` or `Operator`. */
const isDistinctive = (word: string): boolean =>
  /[-_.\d]|[a-z][A-Z]|^[A-Z]{2,}[a-z]|[Bb]ot|[Cc]rawl|[Ss]pider\w|\w[Ss]pider/.test(word);

/** An everyday word names an agent where the name of a product stands; editors of code are browsers of people, too. */
function standsAsProduct(word: string, userAgent: string, isComplete: boolean): boolean {
  if (isComplete) return userAgent.includes(` ${word}/`) && !userAgent.includes(" Electron/");
  return new RegExp(`(?:^|[;(,] ?)${word}(?:[/;)]|$)`).test(userAgent);
}

/** Apps and browsers of assistants, in which people open pages; what reads pages for them has a longer name. */
const ASSISTANT_APP =
  /^(?:ChatGPT|Claude|Copilot|DeepSeek|Doubao|Gemini|Grok|Kimi|Perplexity)(?:App|Atlas|Desktop|Mobile)?$/i;

/** Returns the robot that a user agent names, or null for a person's browser. Takes a few microseconds. */
export function recogniseRobot(userAgent: string): Robot | null {
  if (userAgent === "") return { reason: "no_user_agent", bot: "no user agent", operator: "", purpose: "" };
  const isComplete = isCompleteBrowser(userAgent);
  const text = isComplete ? withoutProducts(userAgent) : userAgent;
  const named = isComplete ? withoutModel(userAgent) : userAgent;
  const counts = (word: string) =>
    !(isComplete && ASSISTANT_APP.test(word)) && (isDistinctive(word) || standsAsProduct(word, userAgent, isComplete));
  const listed = ownLists().robots.find(named, counts) ?? LISTED.find(named, counts);
  if (listed !== undefined) return listed;
  const words = robotWordsIn(userAgent, text, isComplete);
  const isDesktop = isComplete && !HANDHELD.test(userAgent);
  const crawler =
    words !== null || isDesktop ? CRAWLERS.find(text, words === null ? isDistinctive : () => true) : undefined;
  if (crawler !== undefined) return crawler;
  const headless = HEADLESS.exec(text)?.[0];
  if (headless !== undefined) return { reason: "headless", bot: headless, operator: "", purpose: "" };
  if (words === null) return null;
  return { reason: "robot_words", bot: clip(nameIn(words, userAgent), 100), operator: "", purpose: "" };
}

/** Words around a match that say nothing about whose robot it is. */
const NO_NAME = /^(?:|mozilla|https?|www|com|org|net|github|bot|crawler|spider|check|url|rss)$/i;
/** What follows `compatible;`, what stands before the address of a robot's page, and what comes first. */
const NAMES = [
  /compatible[;,] ?\+?([A-Za-z][A-Za-z-]*)/i,
  /(?<![A-Za-z])([A-Za-z]+)[/ \d.-]*\(\+?https?:/,
  /^([A-Za-z]+(?:-[A-Za-z]+)*)/,
];

/**
 * Returns the robot's name: the word around a match, such as `AhrefsBot` for `Bot`, or another one where that is no name.
 * Letters only: other characters could identify a single sender.
 */
function nameIn(part: string, userAgent: string): string {
  const word = wordAround(part, userAgent);
  if (!NO_NAME.test(word)) return word;
  const names = NAMES.map((pattern) => pattern.exec(userAgent)?.[1] ?? "");
  return names.find((name) => !NO_NAME.test(name)) ?? word;
}

function wordAround(part: string, userAgent: string): string {
  const at = userAgent.indexOf(part);
  const before = /[A-Za-z]*$/.exec(userAgent.slice(0, at))?.[0] ?? "";
  const after = /^[A-Za-z]*/.exec(userAgent.slice(at))?.[0] ?? "";
  return before + after;
}
