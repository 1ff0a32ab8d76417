import type { TrafficClass } from "@/lib/contract/vocabulary";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { freshBytes } from "@/lib/ingest/store/fresh-bytes";
import type { WritableEvent } from "@/lib/ingest/store/writable-event";

/** Events of one visitor with silences of at most this long are one visit. */
export const SILENCE_MS = 30 * 60_000;
/** No visit is looked for further back: by then its visitor's salt is gone. */
export const LONGEST_VISIT_MS = 48 * 3600_000;
const MOST_INTERACTIONS = 100;
/** The largest 32-bit integer. */
const LARGEST = 2 ** 31 - 1;

/** Ids of a hit's words in the dictionaries; 0 for none. */
export interface DimensionIds {
  page: number;
  referrer: number;
  campaign: number;
  place: number;
  agent: number;
  name: number;
  verdict: number;
}

/** A visit as far as it is known, and what the hits of this batch add to it. Times are epoch milliseconds. */
export interface Visit extends Omit<DimensionIds, "page" | "name"> {
  siteId: number;
  visitId: string;
  /** Null for an event of a server that belongs to no visit: then there is no row in `facts.visit`. */
  visitorId: string | null;
  /** The first user identified in it, when it began without one. */
  userHash: string | null;
  started: number;
  last: number;
  traffic: TrafficClass;
  added: { entry: number; exit: number; pageviews: number; events: number; engagementMs: number; interactions: number };
}

/** A stored visit, found by its visitor or by the user identified in it. */
export interface FoundVisit {
  visit: Visit;
  byUser: boolean;
}

/** The running visits that a batch of hits may continue. */
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
   * The visit of an event: the running visit of its visitor, else a new one that begins with the event and takes its source,
   * campaign, place and agent from it. The visit of a server event that joins none has no visitor and is not stored.
   *
   * @returns null for engagement and vitals that come after their visit is over.
   */
  take(hit: WritableEvent, words: DimensionIds): { visit: Visit; isNew: boolean } | null {
    const at = millisecondOf(hit.timestamp);
    const running = this.runningVisitOf(hit, at);
    if (!running && (hit.type === "engagement" || hit.type === "vitals")) return null;
    if (!running && hit.fromServer) return { visit: blankVisit(hit, words, at), isNew: false };
    const visit = running ?? this.begin(hit, words, at);
    extend(visit, hit, words, at);
    this.join(visit, hit);
    if (hit.traffic === "suspicious" && visit.traffic === "human") becomeSuspicious(visit, words);
    return { visit, isNew: visit !== running };
  }

  /**
   * The running visit of the hit's user, else of its session, address or agent. A user's visit is the one that began with
   * the user, or the one in which the user was identified: a person's rather than a program's, then the more recently
   * active of the two. A visit in which another user was identified is not continued.
   */
  private runningVisitOf(hit: WritableEvent, at: number): Visit | undefined {
    const user = userOf(hit);
    const mayContinue = (visit: Visit | undefined): visit is Visit =>
      visit !== undefined && runs(visit, at) && (user === null || visit.userHash === null || visit.userHash === user);
    if (user !== null && joins(hit)) {
      const own = [this.byUser.get(user), this.byVisitor.get(user)].filter(mayContinue);
      const [best] = own.sort((a, b) => isPersons(b) - isPersons(a) || b.last - a.last);
      if (best) return best;
    }
    return hit.visitors.map((visitor) => this.byVisitor.get(visitor)).find(mayContinue);
  }

  /** Lets later events that name only this user continue the visit. */
  private join(visit: Visit, hit: WritableEvent): void {
    const user = userOf(hit);
    if (user === null || !joins(hit) || visit.userHash !== null || visit.visitorId === user) return;
    if (visit.traffic === "bot" || visit.traffic === "ai") return;
    visit.userHash = user;
    this.byUser.set(user, visit);
  }

  private begin(hit: WritableEvent, words: DimensionIds, at: number): Visit {
    const visitorId = hit.visitors[0] as string;
    const visit = { ...blankVisit(hit, words, at), visitorId };
    this.byVisitor.set(visitorId, visit);
    return visit;
  }
}

/** A visit of nobody yet that begins with this event. */
const blankVisit = (hit: WritableEvent, words: DimensionIds, at: number): Visit => ({
  siteId: hit.siteId,
  visitId: freshBytes(8).readBigInt64BE().toString(),
  visitorId: null,
  userHash: null,
  started: at,
  last: at,
  referrer: words.referrer,
  campaign: words.campaign,
  place: words.place,
  agent: words.agent,
  verdict: words.verdict,
  traffic: hit.traffic,
  added: { entry: 0, exit: 0, pageviews: 0, events: 0, engagementMs: 0, interactions: 0 },
});

/** The user a hit names; null for declared bots, whose user ids name no person. */
export const userOf = ({ userHash, visitors }: WritableEvent): string | null =>
  userHash !== null && visitors[0] === userHash ? userHash : null;

const isPersons = ({ traffic }: Visit): number => Number(traffic === "human");

/** Only a person joins a visit by user id: an automated browser could claim any id. */
const joins = ({ traffic }: WritableEvent): boolean => traffic === "human";

/** Whether a moment continues a visit. Clocks of several servers differ a little, so it may lie before the last. */
const runs = (visit: Visit, at: number) => at - visit.last <= SILENCE_MS && visit.started - at <= SILENCE_MS;

/** A visit that began like a person's and then did what people do not: all that follows in it is suspicious too. */
function becomeSuspicious(visit: Visit, words: DimensionIds): void {
  visit.traffic = "suspicious";
  visit.verdict = words.verdict;
}

/** What each type adds is told with `EVENT_TYPES`. */
function extend(visit: Visit, hit: WritableEvent, words: DimensionIds, at: number): void {
  visit.last = Math.max(visit.last, at);
  const { added } = visit;
  if (hit.type === "pageview" || hit.type === "screen") {
    added.pageviews++;
    added.entry ||= words.page;
    added.exit = words.page;
  } else if (hit.type === "engagement") {
    added.engagementMs = Math.min(LARGEST, added.engagementMs + (hit.engagementMs ?? 0));
  } else if (hit.type === "event" || hit.type === "commerce") {
    added.events++;
    added.interactions = Math.min(MOST_INTERACTIONS, added.interactions + 1);
  }
}
