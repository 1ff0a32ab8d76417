import { randomBytes } from "node:crypto";
import type { TrafficClass } from "@/lib/contract/vocabulary";
import { type DictionaryName, LONGEST_VISIT_MS } from "@/lib/ingest/event/catalogue";
import type { DecidedEvent, Outcome } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";

/** A visit ends after this long without events. */
export const VISIT_TIMEOUT_MS = 30 * 60_000;
const MAX_INTERACTIONS = 100;

/** What decides to which visit an event belongs. */
export type VisitEvent = Pick<DecidedEvent, "siteId" | "timestamp" | "type" | "visitors" | "userHash" | "traffic">;

/** Dictionary ids of an event's values; 0 for none. */
export type DimensionIds = Record<DictionaryName, number>;

/** A visit, and what the events of this batch add to it. Times are epoch milliseconds. */
export interface Visit extends Omit<DimensionIds, "page" | "name"> {
  siteId: number;
  visitId: string;
  /** Null for an event without visitors: then there is no row in `facts.visit`. */
  visitorId: string | null;
  /** The first user identified in it, if it started without one. */
  userHash: string | null;
  started: number;
  last: number;
  traffic: TrafficClass;
  added: { entry: number; exit: number; pageviews: number; interactions: number };
}

/** A stored visit, found by its visitor or by its identified user. */
export interface FoundVisit {
  visit: Visit;
  byUser: boolean;
}

/** Returns the class of an event in its visit: a suspicious visit has no human events. */
export const classIn = (visit: Visit, { traffic }: Pick<VisitEvent, "traffic">): TrafficClass =>
  traffic === "human" && visit.traffic === "suspicious" ? "suspicious" : traffic;

/** Returns the outcome of an event that is stored in this visit. */
export const storedIn = (visit: Visit, isNew: boolean, traffic: TrafficClass): Outcome => ({
  status: "stored",
  visit: visit.visitorId === null ? "none" : isNew ? "new" : "continued",
  traffic,
});

/** The running visits that a batch of events may continue. */
export class RunningVisits {
  private readonly byVisitor = new Map<string, Visit>();
  /** The most recently active visit in which each user was identified. */
  private readonly byUser = new Map<string, Visit>();

  constructor(found: readonly FoundVisit[]) {
    const visits = new Map(found.map(({ visit }) => [visit.visitId, visit]));
    for (const { visit, byUser } of found) {
      const same = visits.get(visit.visitId) as Visit;
      if (byUser && same.userHash !== null) this.byUser.set(same.userHash, same);
      else if (same.visitorId !== null) this.byVisitor.set(same.visitorId, same);
    }
  }

  /**
   * Assigns an event to a visit: the running visit of its visitor, else a new one that takes its source, campaign,
   * place and agent from the event. An event without visitors gets a visit of its own, which is not stored.
   *
   * @returns null for engagement and vitals after the end of their visit.
   */
  assign(event: VisitEvent, ids: DimensionIds): { visit: Visit; isNew: boolean } | null {
    const at = millisecondOf(event.timestamp);
    const running = this.runningVisitOf(event, at);
    if (!running && (event.type === "engagement" || event.type === "vitals")) return null;
    if (!running && event.visitors.length === 0) return { visit: blankVisit(event, ids, at), isNew: false };
    const visit = running ?? this.begin(event, ids, at);
    extend(visit, event, ids, at);
    this.join(visit, event);
    if (event.traffic === "suspicious" && visit.traffic === "human") becomeSuspicious(visit, ids);
    return { visit, isNew: visit !== running };
  }

  /**
   * Finds the running visit of the event's user, else of its session, address or agent. A user's visit is the one that
   * started with the user or in which the user was identified: human before automated, then the more recently active. A
   * visit in which another user was identified is not continued.
   */
  private runningVisitOf(event: VisitEvent, at: number): Visit | undefined {
    const user = userOf(event);
    const mayContinue = (visit: Visit | undefined): visit is Visit =>
      visit !== undefined &&
      isRunning(visit, at) &&
      (user === null || visit.userHash === null || visit.userHash === user);
    if (user !== null && mayJoin(event)) {
      const candidates = [this.byUser.get(user), this.byVisitor.get(user)].filter(mayContinue);
      const [best] = candidates.sort((a, b) => isHuman(b) - isHuman(a) || b.last - a.last);
      if (best) return best;
    }
    return event.visitors.map((visitor) => this.byVisitor.get(visitor)).find(mayContinue);
  }

  /** Lets later events with only this user id continue the visit. */
  private join(visit: Visit, event: VisitEvent): void {
    const user = userOf(event);
    if (user === null || !mayJoin(event) || visit.userHash !== null || visit.visitorId === user) return;
    if (visit.traffic === "bot" || visit.traffic === "ai") return;
    visit.userHash = user;
    this.byUser.set(user, visit);
  }

  private begin(event: VisitEvent, ids: DimensionIds, at: number): Visit {
    const visitorId = event.visitors[0] as string;
    const visit = { ...blankVisit(event, ids, at), visitorId };
    this.byVisitor.set(visitorId, visit);
    return visit;
  }
}

/** Creates a visit without visitor that starts with this event. */
const blankVisit = (event: VisitEvent, ids: DimensionIds, at: number): Visit => ({
  siteId: event.siteId,
  visitId: randomBytes(8).readBigInt64BE().toString(),
  visitorId: null,
  userHash: null,
  started: at,
  last: at,
  referrer: ids.referrer,
  campaign: ids.campaign,
  place: ids.place,
  agent: ids.agent,
  verdict: ids.verdict,
  traffic: event.traffic,
  added: { entry: 0, exit: 0, pageviews: 0, interactions: 0 },
});

/** Returns the user of an event; null for declared bots, whose user ids do not name a person. */
export const userOf = ({ userHash, visitors }: VisitEvent): string | null =>
  userHash !== null && visitors[0] === userHash ? userHash : null;

const isHuman = ({ traffic }: Visit): number => Number(traffic === "human");

/** Only human visitors join a visit by user id: an automated browser could claim any id. */
const mayJoin = ({ traffic }: VisitEvent): boolean => traffic === "human";

/**
 * Whether an event at this time continues the visit. Clocks of servers differ a little, so it may precede the last
 * event.
 */
const isRunning = (visit: Visit, at: number) =>
  at - visit.last <= VISIT_TIMEOUT_MS &&
  visit.started - at <= VISIT_TIMEOUT_MS &&
  at - visit.started < LONGEST_VISIT_MS;

/** Once an event of a human visit is suspicious, so are all later ones. */
function becomeSuspicious(visit: Visit, ids: DimensionIds): void {
  visit.traffic = "suspicious";
  visit.verdict = ids.verdict;
}

/** Adds an event to the visit's counters. `EVENT_TYPES` documents what each type counts as. */
function extend(visit: Visit, event: VisitEvent, ids: DimensionIds, at: number): void {
  visit.last = Math.max(visit.last, at);
  const { added } = visit;
  if (event.type === "pageview" || event.type === "screen") {
    added.pageviews++;
    added.entry ||= ids.page;
    added.exit = ids.page;
  } else if (event.type === "event" || event.type === "commerce") {
    added.interactions = Math.min(MAX_INTERACTIONS, added.interactions + 1);
  }
}
