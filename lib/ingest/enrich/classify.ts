import { IN_MEMORY_SECONDS } from "@/lib/contract/storage-times";
import spam from "@/lib/ingest/enrich/data/referrer-spam.json";
import moreSpam from "@/lib/ingest/enrich/data/referrer-spam-more.json";
import { dataCentreOf, isOperatorAddress, LISTS } from "@/lib/ingest/enrich/lists";
import { ownLists } from "@/lib/ingest/enrich/own-lists";
import { recogniseRobot } from "@/lib/ingest/enrich/robots";
import type { SignedAgent } from "@/lib/ingest/enrich/web-bot-auth";
import { type Purpose, REASONS, type Verdict, type VerdictReason } from "@/lib/ingest/event/verdict";
import { boundedMap } from "@/lib/platform/bounded-map";
import { countedAddress } from "@/lib/platform/counted-address";

/** Versions of the packages with lists; a test compares them with the installed ones. */
export const PACKAGES = { isbot: "5.2.3", "crawler-user-agents": "1.60.0" } as const;
const RULES_DATE = "2026-11-27";
/**
 * Orders versions: a date, and `.` with a number for further versions of the same day. Raise it with every change of
 * the inputs below, which a test enforces.
 */
export const EDITION = "2026-11-27";

/** The inputs of verdicts. When the edition is raised, visits classified by an older one are reclassified. */
export const VERSION = `${EDITION}: ${[
  ...Object.entries(PACKAGES).map((entry) => entry.join(" ")),
  ...LISTS.filter(({ decides }) => decides === "verdicts").map(({ name, date }) => `${name} ${date}`),
  `rules ${RULES_DATE}`,
].join(", ")}`;

function verdict(reason: VerdictReason, more: Partial<Omit<Verdict, "reason" | "traffic">> = {}): Verdict {
  const { traffic } = REASONS[reason];
  return { traffic, reason, bot: "", operator: "", purpose: "", verified: "", version: VERSION, ...more };
}

/** Returns the verdict for a user agent or a robot's name; null if it is not a robot. */
export function classifyName(name: string): Verdict | null {
  const robot = recogniseRobot(name);
  return robot && verdict(robot.reason, { ...robot, verified: robot.operator === "" ? "" : "claimed" });
}

/**
 * Desktop browser versions of autumn 2018. Phones, tablets and TVs are not checked: they keep the version of their maker.
 * Chrome 69 is what 360 Secure Browser calls itself in all of its versions.
 */
const MIN_VERSIONS: Readonly<Record<string, number>> = { Chrome: 69, Firefox: 63, Opera: 56, Edge: 18, IE: 11 };

/**
 * What machines have whose browser others update: Internet Explorer with parts of Windows or of the machine's maker, Linux
 * distributions, and systems with a Firefox of their own.
 */
const MAINTAINED =
  /; (?:MA|SM|HP|LE|CM|DE|AS)[A-Z]{2,6}[;)]|Firefox\/[\d.]+ \w|Windows CE|\.NET|InfoPath|Media Center PC|Ubuntu|Debian|CentOS|Fedora|Mandriva|Slackware|SUSE|Gentoo|Red Hat/;

/** Systems on which these browsers update themselves. */
const OWN_UPDATES: ReadonlySet<string> = new Set(["Windows", "Mac OS", "Linux"]);

/** Returns the verdict from the user agent alone, or null for human. Called once per user agent and cached. */
export function classifyAgent(
  userAgent: string,
  agent: { browser: string; browser_version: string; os: string; device: string },
): Verdict | null {
  const robot = classifyName(userAgent);
  if (robot) return robot;
  if (agent.device !== "Desktop" || !OWN_UPDATES.has(agent.os) || MAINTAINED.test(userAgent)) return null;
  // Opera on the engine of Chrome is as old as that: TVs keep its version number and renew the engine.
  const engine = agent.browser === "Opera" ? /\bChrome\/(\d+)/.exec(userAgent)?.[1] : undefined;
  const oldest = MIN_VERSIONS[engine ? "Chrome" : agent.browser];
  return oldest !== undefined && Number(engine ?? agent.browser_version) < oldest ? verdict("old_browser") : null;
}

interface Evidence {
  /** The verdict from the user agent. */
  byAgent: Verdict | null;
  /** The referring URL without scheme and query, as it is stored; `''` for none. */
  from: string;
  /** Address of the request, if it is the event's own sender. */
  address?: string | null;
  /** Whether the sender identifies itself as a browser. */
  isBrowser?: boolean;
  /** How the headers of a page's request contradict its user agent. */
  contradiction?: VerdictReason | null;
  /** The agent that signed the request. */
  signed?: SignedAgent | null;
  /** Whether its address opened more pages within a minute than people do. */
  tooMany?: boolean;
}

/** Returns the verdict for an event, or null for human. A robot's own user agent comes first, then the referrer. */
export function classifyEvent({
  byAgent,
  from,
  address,
  isBrowser,
  contradiction,
  signed,
  tooMany,
}: Evidence): Verdict | null {
  if (signed) return bySignature(signed, byAgent, address ?? null);
  if (byAgent && byAgent.traffic !== "suspicious") return withVerification(byAgent, address ?? null);
  const spammer = from === "" ? null : spammerOf(from.split("/", 1)[0] ?? "");
  if (spammer !== null) return verdict("spam_referrer", { bot: spammer });
  if (byAgent) return byAgent;
  if (contradiction) return verdict(contradiction);
  if (tooMany) return verdict("too_many_pages");
  const network = isBrowser && address ? dataCentreOf(address) : null;
  return network === null ? null : verdict("data_centre", { operator: network });
}

/**
 * A right signature says who it is, whatever the user agent: agents have those of browsers. A user agent that names
 * another operator is not what it claims to be.
 */
function bySignature({ agent, state }: SignedAgent, byAgent: Verdict | null, address: string | null): Verdict {
  const { token, operator, purpose } = agent;
  const named = byAgent && byAgent.traffic !== "suspicious" ? byAgent : null;
  if (named === null || (state === "verified" && named.operator === "")) {
    return verdict("ai_agent", { bot: token, operator, purpose: purpose as Purpose, verified: state });
  }
  if (state === "claimed") return withVerification(named, address);
  return { ...named, verified: named.operator === operator ? state : "spoofed" };
}

/**
 * Adds whether the address is one of the robot's operator. The class does not depend on it, because address lists
 * become outdated.
 */
function withVerification(byAgent: Verdict, address: string | null): Verdict {
  const fits = address === null ? null : isOperatorAddress(byAgent.bot, address);
  return fits === null ? byAgent : { ...byAgent, verified: fits ? "verified" : "spoofed" };
}

/** Referrer spam: a public list, and domains that it does not have. */
const SPAMMERS: ReadonlySet<string> = new Set([...spam.entries, ...moreSpam.entries]);

/** Returns the known spam domain that a host belongs to, or null. */
function spammerOf(host: string): string | null {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (SPAMMERS.has(name) || ownLists().spam.has(name)) return name;
  }
  return null;
}

/** What a browser sends about itself besides its user agent, when the request comes from a page. */
export interface PageHeaders {
  acceptLanguage: string | null;
  /** `Sec-CH-UA`, which only Chromium browsers send, and only over a secure connection. */
  brands: string | null;
}

/**
 * Returns how the headers of a page's request contradict its user agent, or null. Checks only what every unmodified
 * browser does: Chromium always sends a language, and its hints have its version.
 */
export function contradictionOf(userAgent: string, { acceptLanguage, brands }: PageHeaders): VerdictReason | null {
  if (acceptLanguage !== null && brands === null) return null;
  const version = /\bChrome\/(\d+)/.exec(userAgent)?.[1];
  if (version !== undefined && !acceptLanguage) return "no_language";
  if (brands === null) return null;
  if (brands.includes("HeadlessChrome")) return "headless";
  const hinted = /"Chromium";\s*v="(\d+)/.exec(brands)?.[1];
  if (hinted === undefined) return null;
  const contradicts = version === undefined ? OTHER_ENGINE.test(userAgent) : version !== hinted;
  return contradicts ? "hints_contradict" : null;
}

/** Firefox, and Safari with all browsers on iOS. */
const OTHER_ENGINE = /\b(Firefox|FxiOS|CriOS|EdgiOS)\/|\bVersion\/[\d.]+ (Mobile\/\w+ )?Safari\//;

/** More than a person opens; a school behind one address with one browser version may open four pages a second. */
export const MAX_PAGES_PER_MINUTE = 300;

/**
 * Bounded by size, because user agents are untrusted. Evicting counts with a flood of user agents gains nothing: each
 * one is counted on its own anyway.
 */
const counters = boundedMap<string, { minute: number; pages: number }>("page-rate", {
  maxSize: 24_000_000,
  sizeCalculation: (_, key) => key.length + 120,
  ttl: IN_MEMORY_SECONDS * 1000,
});

/** Counts a pageview. @returns whether this address and browser opened too many pages of the site within the minute. */
export function opensTooMany(siteId: number, address: string, userAgent: string, now: Date): boolean {
  const key = `${siteId}|${countedAddress(address)}|${userAgent}`;
  const minute = Math.floor(now.getTime() / 60_000);
  const counter = counters.get(key);
  if (counter?.minute !== minute) {
    counters.set(key, { minute, pages: 1 });
    return false;
  }
  counter.pages++;
  return counter.pages > MAX_PAGES_PER_MINUTE;
}
