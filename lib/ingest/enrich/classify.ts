import { AI_AGENTS_DATE } from "@/lib/ingest/enrich/ai-agents";
import { dataCentreOf, NETWORKS_DATE } from "@/lib/ingest/enrich/networks";
import { isOperatorAddress, RANGES_DATE } from "@/lib/ingest/enrich/ranges";
import { SPAM_DATE, spammerOf } from "@/lib/ingest/enrich/referrer-spam";
import { recogniseRobot } from "@/lib/ingest/enrich/robots";
import { SEARCH_ENGINES_DATE } from "@/lib/ingest/enrich/search-engines";
import { REASONS, type Reason, type Verdict } from "@/lib/ingest/enrich/verdict";

/** Of the packages that hold lists; a test compares them with what is installed. */
export const PACKAGES = { isbot: "5.2.3", "crawler-user-agents": "1.60.0" } as const;
const RULES_DATE = "2026-11-20";
/**
 * Which of two versions is the newer: a date, and a number behind a dot for the next of the same day. Raise it with every
 * change of what follows; a test holds the two together.
 */
export const EDITION = "2026-11-20.1";

/** What the verdicts are decided by. When the edition rises, what was stored by an older one is decided anew. */
export const VERSION = `${EDITION}: ${[
  ...Object.entries(PACKAGES).map((entry) => entry.join(" ")),
  `ai ${AI_AGENTS_DATE}`,
  `search ${SEARCH_ENGINES_DATE}`,
  `spam ${SPAM_DATE}`,
  `ranges ${RANGES_DATE}`,
  `networks ${NETWORKS_DATE}`,
  `rules ${RULES_DATE}`,
].join(", ")}`;

export function verdict(reason: Reason, more: Partial<Omit<Verdict, "reason" | "traffic">> = {}): Verdict {
  const { traffic } = REASONS[reason];
  return { traffic, reason, bot: "", operator: "", purpose: "", verified: "", version: VERSION, ...more };
}

/** What is known of a robot by a user agent that names it, or by the name alone; null when it is none. */
export function classifyName(name: string): Verdict | null {
  const robot = recogniseRobot(name);
  return robot && verdict(robot.reason, { ...robot, verified: robot.operator === "" ? "" : "claimed" });
}

/** The desktop browsers of November 2018. Phones, tablets and televisions stay with what their makers gave them. */
const OLDEST: Readonly<Record<string, number>> = { Chrome: 70, Firefox: 63, Opera: 56, Edge: 18, IE: 11 };

/** What a user agent's own words say against a person, or null. Asked once for each user agent and remembered. */
export function classifyAgent(
  userAgent: string,
  words: { browser: string; browser_version: string; device: string },
): Verdict | null {
  const robot = classifyName(userAgent);
  if (robot) return robot;
  const oldest = words.device === "Desktop" ? OLDEST[words.browser] : undefined;
  return oldest !== undefined && Number(words.browser_version) < oldest ? verdict("old_browser") : null;
}

export interface Evidence {
  /** What its agent says. */
  byAgent: Verdict | null;
  /** The referring address without scheme and query, as the facts keep it; `''` for none. */
  from: string;
  /** Where the request came from, when that is the hit's own sender. */
  address?: string | null;
  /** Whether the sender says that it is a browser. */
  isBrowser?: boolean;
  /** What the headers of a page's request say against its agent. */
  contradiction?: Reason | null;
  /** Whether its address opened more pages within the minute than people do. */
  tooMany?: boolean;
}

/** Whether a hit is a person's (null), and why not. A robot's own word comes first, then where it says it comes from. */
export function classifyEvent({ byAgent, from, address, isBrowser, contradiction, tooMany }: Evidence): Verdict | null {
  if (byAgent && byAgent.traffic !== "suspicious") return verified(byAgent, address ?? null);
  const spammer = from === "" ? null : spammerOf(from.split("/", 1)[0] ?? "");
  if (spammer !== null) return verdict("spam_referrer", { bot: spammer });
  if (byAgent) return byAgent;
  if (contradiction) return verdict(contradiction);
  if (tooMany) return verdict("too_many_pages");
  const network = isBrowser && address ? dataCentreOf(address) : null;
  return network === null ? null : verdict("data_centre", { operator: network });
}

/** A robot keeps its class whatever its address, because lists of addresses age; whether it fits is told beside it. */
function verified(byAgent: Verdict, address: string | null): Verdict {
  const fits = address === null ? null : isOperatorAddress(byAgent.bot, address);
  return fits === null ? byAgent : { ...byAgent, verified: fits ? "verified" : "spoofed" };
}
