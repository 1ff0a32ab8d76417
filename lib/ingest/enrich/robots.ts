import crawlers from "crawler-user-agents";
import { isbotMatch } from "isbot";
import { AI_AGENTS, SEARCH_ENGINES } from "@/lib/ingest/enrich/robot-lists";
import { type Purpose, SEARCHING, type VerdictReason } from "@/lib/ingest/event/verdict";
import { clip } from "@/lib/platform/text";

/** A user agent that is not a person's browser, and what is known about it. */
export interface Robot {
  reason: VerdictReason;
  bot: string;
  operator: string;
  purpose: Purpose | "";
}

/** Whether a robot is one of an AI product, or collects pages for a search engine: the AI report lists these. */
export const isReader = ({ reason, purpose }: Robot): boolean => reason === "ai_agent" || purpose === SEARCHING;

/** Browsers controlled by programs without a screen. */
const HEADLESS = /HeadlessChrome|PhantomJS|SlimerJS|Playwright|Puppeteer|Selenium/i;

/** Known robots by lower-case name. Our own lists are added last and override the others. */
const KNOWN = new Map<string, Robot>();
for (const { pattern, tags = [] } of crawlers as { pattern: string; tags?: string[] }[]) {
  const name = plainName(pattern);
  if (name !== null && !tags.includes("http-library")) {
    KNOWN.set(name.toLowerCase(), known(tags.includes("ai-crawler"), name, "", purposeOf(tags)));
  }
}
for (const [name, operator, purpose] of SEARCH_ENGINES)
  KNOWN.set(name.toLowerCase(), known(false, name, operator, purpose));
for (const [name, operator, purpose] of AI_AGENTS) KNOWN.set(name.toLowerCase(), known(true, name, operator, purpose));

function known(isAi: boolean, bot: string, operator: string, purpose: Purpose): Robot {
  return { reason: isAi ? "ai_agent" : "crawler", bot, operator, purpose };
}

/** Returns the name that a `crawler-user-agents` pattern matches, or null when it matches more than a name. */
function plainName(pattern: string): string | null {
  const name = pattern.replace(/\\(.)/g, "$1").replace(/\/$/, "");
  return /^[A-Za-z0-9._-]+$/.test(name) && !HEADLESS.test(name) ? name : null;
}

function purposeOf(tags: readonly string[]): Purpose {
  return tags.includes("search-engine") ? "search" : "crawler";
}

/** Names with a space, which matching word by word cannot find. */
const SPACED = AI_AGENTS.filter(([name]) => name.includes(" ")).map(([name]) => name);

/**
 * Returns the robot that a user agent names, or null for a person's browser. Takes a few microseconds for a browser:
 * only user agents that match `isbot` or our own lists are examined word by word.
 */
export function recogniseRobot(userAgent: string): Robot | null {
  if (userAgent === "") return { reason: "no_user_agent", bot: "no user agent", operator: "", purpose: "" };
  const words = isbotMatch(userAgent);
  if (words === null && !OWN_LISTS.test(userAgent)) return null;
  const named = knownRobotIn(userAgent);
  if (named) return named;
  // One of our names within a longer word does not count.
  if (words === null) return null;
  const headless = HEADLESS.exec(userAgent)?.[0];
  if (headless) return { reason: "headless", bot: headless, operator: "", purpose: "" };
  return { reason: "robot_words", bot: clip(wordAround(words, userAgent), 100), operator: "", purpose: "" };
}

const OWN_LISTS = new RegExp(
  [...AI_AGENTS, ...SEARCH_ENGINES].map(([name]) => `\\b${name.replaceAll(".", "\\.")}\\b`).join("|"),
  "i",
);

/**
 * Returns the first known name among the words. AI products take precedence, because their agents often name a browser
 * or crawler too.
 */
function knownRobotIn(userAgent: string): Robot | undefined {
  const spaced = SPACED.find((name) => userAgent.includes(name));
  if (spaced) return KNOWN.get(spaced.toLowerCase());
  const found = (userAgent.match(/[A-Za-z0-9._-]+/g) ?? []).map((word) => KNOWN.get(word.toLowerCase()));
  return found.find((robot) => robot?.reason === "ai_agent") ?? found.find((robot) => robot !== undefined);
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
