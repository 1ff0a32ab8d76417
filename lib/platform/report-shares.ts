import { countedNetwork } from "@/lib/platform/counted-address";
import { env } from "@/lib/platform/env";
import { REPORT_LIMITS } from "@/lib/platform/limits";

/** A group of reports that a limit counts together. */
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

/** The shares that a report counts towards, widest first. Each of them must have room for it. */
export type Shares = readonly [Share, ...Share[]];

/** The caller of a report: a person, or a client with its person, if any. */
type ReportCaller = { kind: "owner"; personId: number } | { kind: "client"; clientId: string; personId: number | null };

/** Returns the report limits of a kind of caller. */
export function limitsOf(kind: keyof typeof REPORT_LIMITS): Pick<Share, "running" | "waiting"> & { seconds: number } {
  const { running, waiting, part } = REPORT_LIMITS[kind];
  return { running, waiting, seconds: Math.max(1, Math.round(env().REPORT_SECONDS * part)) };
}

/**
 * Returns the shares of a caller. A person and all of their agents share one budget; within it each agent has a smaller
 * one, which leaves room for the person. A machine account without a person has the budget of an agent.
 */
export function sharesOf(principal: ReportCaller): Shares {
  if (principal.kind === "owner") return [personShare(principal.personId)];
  const ofClient = { key: `client:${principal.clientId}`, name: "this client", ...limitsOf("client") };
  return principal.personId === null ? [ofClient] : [personShare(principal.personId), ofClient];
}

const personShare = (personId: number): Share => ({
  key: `person:${personId}`,
  name: "your account, with all of its agents",
  ...limitsOf("person"),
});

/**
 * Returns the shares of a visitor of a public dashboard: one budget for all, and within it one per network (/24 or
 * /64).
 */
export const anonymousShares = (address: string): Shares => [
  { key: "anonymous", name: "public dashboards", ...limitsOf("anonymous") },
  { key: `network:${countedNetwork(address)}`, name: "your network", ...limitsOf("network") },
];

/**
 * Returns the shares of an export. Its duration is unknown, so an account with all of its agents runs one at a time and keeps
 * report time for reports.
 */
export function exportShares(principal: ReportCaller): Shares {
  const account = sharesOf(principal)[0];
  return [
    account,
    { key: `export:${account.key}`, name: "exports of your account", running: 1, waiting: 100, seconds: null },
  ];
}

/** Reads of the service itself, such as the last event of a site. */
export const SERVICE_SHARES: Shares = [
  { key: "service", name: "the service", running: 3, waiting: 400, seconds: null },
];
