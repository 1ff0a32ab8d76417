import crawlers from "crawler-user-agents";
import aiAgents from "@/lib/ingest/enrich/data/ai-agents.json";
import aiAgentsDocumented from "@/lib/ingest/enrich/data/ai-agents-documented.json";
import crawlersDocumented from "@/lib/ingest/enrich/data/crawlers-documented.json";
import {
  HANDHELD,
  isCompleteBrowser,
  robotWordsIn,
  withoutModel,
  withoutProducts,
} from "@/lib/ingest/enrich/robot-words";
import type { Purpose, VerdictReason } from "@/lib/ingest/event/verdict";
import { clip } from "@/lib/platform/text";

/** A user agent that is not a person's browser, and what is known about it. */
export interface Robot {
  reason: VerdictReason;
  bot: string;
  operator: string;
  purpose: Purpose | "";
}

/** An entry of a list of robots. A token that ends in `*` stands for all words that begin with it. */
interface ListedRobot {
  token: string;
  operator: string;
  purpose: string;
}

/** Browsers controlled by programs, mostly without a screen. */
const HEADLESS =
  /Headless\w*|PhantomJS|SlimerJS|CasperJS|Playwright|Puppeteer|Selenium|WebDriver|\bjsdom|HtmlUnit|Cypress\/|Lightpanda/i;

/** Robots that are known by name, whatever else the user agent says. */
class Names {
  readonly #exact = new Map<string, Robot>();
  readonly #lower = new Map<string, Robot>();
  readonly #prefixes: [prefix: string, robot: Robot][] = [];
  readonly #spaced: [pattern: RegExp, robot: Robot][] = [];

  add(reason: VerdictReason, { token, operator, purpose }: ListedRobot): void {
    const bot = token.replace("*", "");
    const robot = { reason, bot, operator, purpose: purpose as Purpose };
    if (token.endsWith("*")) this.#prefixes.push([bot.toLowerCase(), robot]);
    else if (/[^\w.-]/.test(token)) this.#spaced.push([wholeWords(token), robot]);
    else {
      // Two lists may write a name differently: the later one, which we compiled, has the operator.
      const known = this.#lower.get(bot.toLowerCase());
      this.#exact.set(bot, robot);
      this.#lower.set(bot.toLowerCase(), robot);
      if (known?.reason === reason) this.#exact.set(known.bot, robot);
    }
  }

  /** Longer prefixes first, so that a more exact one decides. */
  finish(): this {
    this.#prefixes.sort(([one], [other]) => other.length - one.length);
    return this;
  }

  /** Returns the first known robot among the words; one of an AI product takes precedence over others. */
  find(text: string, counts: (word: string) => boolean): Robot | undefined {
    for (const [pattern, robot] of this.#spaced) if (pattern.test(text)) return robot;
    let first: Robot | undefined;
    for (const word of text.match(WORDS) ?? []) {
      const robot = this.#of(word);
      if (robot === undefined || !counts(word)) continue;
      if (robot.reason === "ai_agent") return robot;
      first ??= robot;
    }
    return first;
  }

  #of(word: string): Robot | undefined {
    const exact = this.#exact.get(word);
    if (exact !== undefined) return exact;
    const lower = word.toLowerCase();
    const known = this.#lower.get(lower);
    if (known !== undefined) return known;
    const prefix = this.#prefixes.find(([start]) => lower.startsWith(start));
    return prefix && { ...prefix[1], bot: clip(word, 100) };
  }
}

const WORDS = /[A-Za-z0-9][A-Za-z0-9._-]*/g;
const wholeWords = (token: string) =>
  new RegExp(`(?<![\\w-])${token.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "i");

const LISTED = new Names();
for (const robot of crawlersDocumented.entries) LISTED.add("crawler", robot);
for (const robot of aiAgents.entries) LISTED.add("ai_agent", robot);
for (const robot of aiAgentsDocumented.entries) LISTED.add("ai_agent", robot);
LISTED.finish();

/** Names that only say which robot it is, once words say that it is one: some are everyday words. */
const CRAWLERS = new Names();
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

/** Returns the robot that a user agent names, or null for a person's browser. Takes a few microseconds. */
export function recogniseRobot(userAgent: string): Robot | null {
  if (userAgent === "") return { reason: "no_user_agent", bot: "no user agent", operator: "", purpose: "" };
  const isComplete = isCompleteBrowser(userAgent);
  const text = isComplete ? withoutProducts(userAgent) : userAgent;
  const listed = LISTED.find(
    isComplete ? withoutModel(userAgent) : userAgent,
    (word) => isDistinctive(word) || standsAsProduct(word, userAgent, isComplete),
  );
  if (listed !== undefined) return listed;
  const words = robotWordsIn(userAgent, text, isComplete);
  const isDesktop = isComplete && !HANDHELD.test(userAgent);
  const crawler =
    words !== null || isDesktop ? CRAWLERS.find(text, words === null ? isDistinctive : () => true) : undefined;
  if (crawler !== undefined) return crawler;
  const headless = HEADLESS.exec(text)?.[0];
  if (headless !== undefined) return { reason: "headless", bot: headless, operator: "", purpose: "" };
  if (words === null) return null;
  return { reason: "robot_words", bot: clip(wordAround(words, userAgent), 100), operator: "", purpose: "" };
}

/**
 * Returns the word around a match: `AhrefsBot` for `Bot`. Letters only: other characters could identify a single
 * sender.
 */
function wordAround(part: string, userAgent: string): string {
  const at = userAgent.indexOf(part);
  const before = /[A-Za-z]*$/.exec(userAgent.slice(0, at))?.[0] ?? "";
  const after = /^[A-Za-z]*/.exec(userAgent.slice(at))?.[0] ?? "";
  return before + after;
}
