import crawlers from "crawler-user-agents";
import { isbotMatch } from "isbot";
import { AI_AGENTS } from "@/lib/ingest/enrich/ai-agents";
import { SEARCH_ENGINES } from "@/lib/ingest/enrich/search-engines";
import type { Purpose, Reason } from "@/lib/ingest/enrich/verdict";
import { clip } from "@/lib/platform/text";

/** A user agent that is no person's browser, and what is known of it. */
export interface Robot {
  reason: Reason;
  bot: string;
  operator: string;
  purpose: Purpose | "";
}

/** Browsers that programs drive without a screen. */
const HEADLESS = /HeadlessChrome|PhantomJS|SlimerJS|Playwright|Puppeteer|Selenium/i;

/** What is known by a name, in lower case. Our own lists are read last and win. */
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

/** The name a pattern of `crawler-user-agents` looks for, or null when it looks for more than a name. */
function plainName(pattern: string): string | null {
  const name = pattern.replace(/\\(.)/g, "$1").replace(/\/$/, "");
  return /^[A-Za-z0-9._-]+$/.test(name) && !HEADLESS.test(name) ? name : null;
}

function purposeOf(tags: readonly string[]): Purpose {
  return tags.includes("search-engine") ? "search" : "crawler";
}

/** Names of two words cannot be found word by word. */
const SPACED = AI_AGENTS.filter(([name]) => name.includes(" ")).map(([name]) => name);

/**
 * The robot that a user agent says it is, or null for a person's browser. It costs a few microseconds for a browser:
 * only what `isbot` or our own lists know is looked at more closely, word by word.
 */
export function recogniseRobot(userAgent: string): Robot | null {
  if (userAgent === "") return { reason: "no_user_agent", bot: "no user agent", operator: "", purpose: "" };
  const words = isbotMatch(userAgent);
  if (words === null && !OURS.test(userAgent)) return null;
  const named = namedIn(userAgent);
  if (named) return named;
  // A name of ours within a longer word is another word.
  if (words === null) return null;
  const headless = HEADLESS.exec(userAgent)?.[0];
  if (headless) return { reason: "headless", bot: headless, operator: "", purpose: "" };
  return { reason: "robot_words", bot: clip(wordAround(words, userAgent), 100), operator: "", purpose: "" };
}

const OURS = new RegExp(
  [...AI_AGENTS, ...SEARCH_ENGINES].map(([name]) => `\\b${name.replaceAll(".", "\\.")}\\b`).join("|"),
  "i",
);

/** The first known name among the words; an AI product's wins, because its agents often name a browser or crawler too. */
function namedIn(userAgent: string): Robot | undefined {
  const spaced = SPACED.find((name) => userAgent.includes(name));
  if (spaced) return KNOWN.get(spaced.toLowerCase());
  const found = (userAgent.match(/[A-Za-z0-9._-]+/g) ?? []).map((word) => KNOWN.get(word.toLowerCase()));
  return found.find((robot) => robot?.reason === "ai_agent") ?? found.find((robot) => robot !== undefined);
}

/** `AhrefsBot`, where only `Bot` gave it away. Letters alone: what else stands there could tell one sender from others. */
function wordAround(part: string, userAgent: string): string {
  const at = userAgent.indexOf(part);
  const before = /[A-Za-z]*$/.exec(userAgent.slice(0, at))?.[0] ?? "";
  const after = /^[A-Za-z]*/.exec(userAgent.slice(at))?.[0] ?? "";
  return before + after;
}
