import { countedNetwork } from "@/lib/platform/counted-address";
import { env } from "@/lib/platform/env";
import { REPORT_LIMITS } from "@/lib/platform/limits";

/** Whose reports a limit counts together. */
export interface Share {
  key: string;
  /** How error messages name it. */
  name: string;
  /** How many statements may run at the same time. */
  running: number;
  /** How many statements may wait. */
  waiting: number;
  /** Seconds of report time in a minute; null without a limit. */
  seconds: number | null;
}

/** The shares that a report counts towards, the widest first: it has to fit into each of them. */
export type Shares = readonly [Share, ...Share[]];

/** Who asks for a report: a person, or a client with the person behind it, if there is one. */
type Caller = { kind: "owner"; personId: number } | { kind: "client"; clientId: string; personId: number | null };

/** What a kind of caller may use, with the configured report time. */
export function limitsOf(kind: keyof typeof REPORT_LIMITS): Pick<Share, "running" | "waiting"> & { seconds: number } {
  const { running, waiting, part } = REPORT_LIMITS[kind];
  return { running, waiting, seconds: Math.max(1, Math.round(env().REPORT_SECONDS * part)) };
}

/**
 * A person and all agents of theirs share one budget, so that an agent never adds to it; within it each agent has a smaller
 * one, so that it leaves something for the person. A machine without a person has the budget of an agent.
 */
export function sharesOf(principal: Caller): Shares {
  if (principal.kind === "owner") return [personShare(principal.personId)];
  const ofClient = { key: `client:${principal.clientId}`, name: "this client", ...limitsOf("client") };
  return principal.personId === null ? [ofClient] : [personShare(principal.personId), ofClient];
}

const personShare = (personId: number): Share => ({
  key: `person:${personId}`,
  name: "your account, with all of its agents",
  ...limitsOf("person"),
});

/** Everyone who looks at a public dashboard shares one budget, and within it each network (/24 or /64) has its own. */
export const anonymousShares = (address: string): Shares => [
  { key: "anonymous", name: "public dashboards", ...limitsOf("anonymous") },
  { key: `network:${countedNetwork(address)}`, name: "your network", ...limitsOf("network") },
];

/** An export has no end that could be foreseen: one of a person runs at a time, which leaves report time for the person. */
export const exportShares = (personId: number): Shares => [
  personShare(personId),
  { key: `export:${personId}`, name: "exports of your account", running: 1, waiting: 100, seconds: null },
];

/** What the service itself reads, such as when a site had its last event. */
export const SERVICE_SHARES: Shares = [
  { key: "service", name: "the service", running: 3, waiting: 400, seconds: null },
];
