import crawlers from "crawler-user-agents";
import { isbotMatch, list } from "isbot";
import aiAgents from "@/lib/ingest/enrich/data/ai-agents.json";
import aiAgentsDocumented from "@/lib/ingest/enrich/data/ai-agents-documented.json";
import crawlersDocumented from "@/lib/ingest/enrich/data/crawlers-documented.json";
import { type OwnLists, ownLists } from "@/lib/ingest/enrich/own-lists";
import { type Purpose, SEARCHING, type VerdictReason } from "@/lib/ingest/event/verdict";
import { clip } from "@/lib/platform/text";

/** A user agent that is not a person's browser, and what is known about it. */
interface Robot {
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

/** Robots that are known by name, whatever else the user agent says. */
class RobotNames {
  readonly #exact = new Map<string, Robot>();
  readonly #lower = new Map<string, Robot>();
  readonly #prefixes: [prefix: string, robot: Robot][] = [];
  /** Names with a space, which are not words. */
  readonly #spaced = new Map<string, { pattern: RegExp; robot: Robot }>();

  add(reason: VerdictReason, { token, operator, purpose }: ListedRobot): void {
    const bot = token.replace("*", "");
    const robot = { reason, bot, operator, purpose: purpose as Purpose };
    if (token.endsWith("*")) this.#prefixes.push([bot.toLowerCase(), robot]);
    else if (/[^\w.-]/.test(token)) this.#spaced.set(token, { pattern: wholeWords(token), robot });
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
    for (const { pattern, robot } of this.#spaced.values()) if (pattern.test(text)) return robot;
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
    return prefix && { ...prefix[1], bot: clip(LETTERS.exec(word)?.[0] ?? prefix[1].bot, 100) };
  }
}

/** What follows a prefix is not on a list: other characters could identify a single sender. */
const LETTERS = /^[A-Za-z]+(?:-[A-Za-z]+){0,2}/;
const WORDS = /[A-Za-z0-9][A-Za-z0-9._-]*/g;
const wholeWords = (token: string) =>
  new RegExp(`(?<![\\w-])${token.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "i");

/** Browsers controlled by programs, mostly without a screen. */
const HEADLESS =
  /Headless\w*|PhantomJS|SlimerJS|CasperJS|Playwright|Puppeteer|Selenium|WebDriver|\bjsdom|HtmlUnit|Cypress\/|Lightpanda|HappyDOM|wkhtmlto\w+/i;

/** Returns the robots of lists, of which later ones take precedence. */
function robotsOf(...lists: [VerdictReason, readonly ListedRobot[]][]): RobotNames {
  const names = new RobotNames();
  for (const [reason, robots] of lists) for (const robot of robots) names.add(reason, robot);
  return names.finish();
}

const LISTED = robotsOf(
  ["crawler", crawlersDocumented.entries],
  ["ai_agent", aiAgents.entries],
  ["ai_agent", aiAgentsDocumented.entries],
);

let own: { lists: OwnLists; names: RobotNames } | null = null;
/** Returns the robots of the operator's own lists, which are read once. */
function ownNames(): RobotNames {
  const lists = ownLists();
  if (own?.lists !== lists) own = { lists, names: robotsOf(["crawler", lists.crawlers], ["ai_agent", lists.aiAgents]) };
  return own.names;
}

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
  const listed = ownNames().find(named, counts) ?? LISTED.find(named, counts);
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

/**
 * Finds words of robots in user agents. A list of words takes phones, TVs and apps with such a word in their name for
 * robots: `Discovery`, `CUBOT`, `NewsArticle`, `Google TV`. So a complete browser is judged without them.
 */

/** A user agent that has the form of a browser's, without what a robot says about itself. */
const COMPLETE_BROWSER =
  /^(?!.*(?:https?:|www\.|@[a-z]|\+\w+\.\w))(?:[\w. ]+\/[\w.]+ ?(?:\([^)]*\) ?)?){0,3}(?:(?:Mozilla|Opera|UCWEB)\/\d.*(?:AppleWebKit|Gecko\/|Trident\/|MSIE|Presto|UCBrowser|HbbTV)|Dalvik\/\d.*Andr)/i;
/** `compatible;` begins a robot's name, except in Internet Explorer and Konqueror. */
const ROBOT_FORM = /compatible;(?! ?(?:MSIE|Konqueror|U;|OffByOne))/i;
const isCompleteBrowser = (userAgent: string): boolean =>
  COMPLETE_BROWSER.test(userAgent) && !ROBOT_FORM.test(userAgent);

/** Devices and apps of people whose user agents have a form of their own. */
const OWN_FORM =
  /^\[FBAN\/|^dv\(i|;tpapi\b|^smarttv_|UP\.Browser|MIDP-|MAUI|BREW\/|^SonyEricsson|^Opera\/9\.80, |^(?:iPhone|iPad|iPod)[\w,]*$|SMART-?TV|HbbTV|VIDAA|Aplix|^nook browser|^Theyub /i;

/** The model of an Android device: what follows the version and the language, up to the next part. */
const ANDROID_MODEL =
  /((?:Andr[o0]id|Adr)(?:##)?[ /-]*[\d.]*(?:; ?(?:arm\w*|U|wv|Mobile|Tablet|[a-z]{2}[-_][A-Za-z]{2,4}(?:-[A-Z]{2})?))*; ?)(?:[^;)]*)/gi;
/** Products of people, and parts of TVs and old phones, with words of robots in them. */
const PRODUCTS_OF_PEOPLE =
  /\bBuild\/[^;) ]*|\b(?:CUBOT|NewsArticle|SmartNews|NewsBreak|NewsApp|Applenews|AppleNews|GoogleLens|GoogleTV|Google ?TV|Google ?Earth|GoogleApp|GoogleAssistant|SogouMSE|SogouMobileBrowser|SogouSearch|MicroMessenger|Weixin|Process\/tools\w*(?:\(\w*\))?|ChromeFrame|JavaPlatform|Java\/Jbed)\b[^ ;)]*|(?<![-\w])Google\/\d[\d.]*|\bOMI\/[^ ;)]*|\bCE-HTML\/[\d.]*|\bws:\d*\|[\d|.]*|\b(?!NetNews)\w*news\w*\/[\d.]+|\(HTTP \w+;HTTPS\)|\bMetaSr\b|\b(?!Cypress)[\w.-]{1,40}\/[\d.]+ (?=Chrome\/[\d.]+ Electron\/)|\bSE 2\.X\b/gi;

/** isbot's patterns that complete browsers match, too. */
export const NOT_IN_BROWSERS: readonly string[] = ["\\b\\w+/1\\.0;", "\\|", "\\(\\)", ";\\s\\w+;$", "rexx;", "sogou"];
/** Words in names of phones, TVs and apps, whose browsers name them. */
export const NOT_IN_APPS: readonly string[] = [
  "(?:^|[^g])news(?!sapphire)",
  "(?<! channel/|google/)google(?!(?:wv|app|/google| pixel))",
  "(?<!cam)scan",
  "catch",
  " daum[ /]",
  "discovery",
  "download",
  "feed",
  "grab",
  "java(?!;)",
  "library",
  "mail\\.ru/",
  "radar",
  "tools",
  "torrent",
];
/** isbot's patterns of what has not the form of a browser at all. */
const IS_FORM = /^\^(?:\[|\\w|<)/;
const patternOf = (counts: (pattern: string) => boolean) => new RegExp(list.filter(counts).join("|"), "i");
const inBrowsers = (pattern: string) => !NOT_IN_BROWSERS.includes(pattern);
const inApps = (pattern: string) => inBrowsers(pattern) && !NOT_IN_APPS.includes(pattern);
const IN_BROWSERS = patternOf(inBrowsers);
const IN_APPS = patternOf(inApps);
const IN_OWN_FORM = patternOf((pattern) => inApps(pattern) && !IS_FORM.test(pattern));

/** Robots in the form of a phone's browser that have only words of apps in their names. */
const ROBOTS_ON_PHONES =
  /\bGoogle[-_](?!Pixel|TV|Lens|Earth|App\b|Home|Nest)[A-Za-z]\w+|\b\w+-Google\b|Google ?(?:Web ?Light|Web ?Preview|Page ?Speed|Adwords|PP Default|Messages)|\bCatchpoint|wechatdevtools|\bNetNewsWire/i;

/** Monitors that no list of words has. */
const OTHER_ROBOTS =
  /\bHLB\/\d|\b360JK\b|\byunjiankong\b|\bYLT Chrome|\bTSM-turingos|\bNikto\/|\bMechanize\/\d|\bWindowsPowerShell\/|^Viber\/|\blinepoker\b/;

/** What runs apps with browsers in them. */
const HANDHELD = /Andr[o0]id|\bAdr |\(iP(?:hone|ad|od)|Mobile|\bTV\b|SmartTV|HbbTV/i;

/** Returns a complete browser's user agent without the model of its device, which may have any name. */
const withoutModel = (userAgent: string): string => userAgent.replace(ANDROID_MODEL, "$1");

/** Also without the products that people use. */
const withoutProducts = (userAgent: string): string => withoutModel(userAgent).replace(PRODUCTS_OF_PEOPLE, "");

/**
 * Returns the text by which a user agent is a robot's, or null for a person's browser.
 *
 * @param text the user agent, of a complete browser `withoutProducts`.
 */
function robotWordsIn(userAgent: string, text: string, isComplete: boolean): string | null {
  const other = OTHER_ROBOTS.exec(userAgent)?.[0];
  if (other !== undefined) return other;
  if (!isComplete) {
    return OWN_FORM.test(userAgent)
      ? (IN_OWN_FORM.exec(withoutProducts(userAgent))?.[0] ?? null)
      : isbotMatch(userAgent);
  }
  const words = HANDHELD.test(userAgent) ? IN_APPS : IN_BROWSERS;
  return (words.exec(text) ?? ROBOTS_ON_PHONES.exec(text))?.[0] ?? null;
}
