import type { EventType, TrafficClass } from "@/lib/contract/vocabulary";
import type { Agent, Campaign, Page, Place, Referrer } from "@/lib/ingest/event/values";
import { dateAt, MINUTE } from "@/lib/testing/oracle/clock";

/** One event as it was sent, with everything that is known of its sender. */
export interface RawEvent {
  /** Epoch milliseconds, in microseconds: no two events of a world share them. */
  at: number;
  /** Whoever it is; recognised again within a local day only, unless `user` names them. */
  who: string;
  user: string | null;
  type: EventType;
  name: string | null;
  page: Page | null;
  referrer: Referrer;
  campaign: Campaign | null;
  place: Place;
  agent: Agent;
  traffic: TrafficClass;
  /** The name of the robot or spammer for which it was given its class; nothing when not given. */
  robot?: string;
  engagementMs: number | null;
  /** Percent. */
  scroll: number | null;
  revenue: string | null;
  currency: string | null;
  props: Record<string, unknown> | null;
}

/** An event that was stored, in its visit. */
export interface Fact extends RawEvent {
  visit: Visit;
  visitor: string;
}

export interface Visit {
  visitor: string;
  /** Who was identified in it first, when it began without a user. */
  user: string | null;
  started: number;
  last: number;
  /** The event that it began with: where it came from, and from what place, campaign and device. */
  first: RawEvent;
  traffic: TrafficClass;
  facts: Fact[];
}

const SILENCE = 30 * MINUTE;

const isBot = (traffic: TrafficClass): boolean => traffic === "bot" || traffic === "ai";

/** The names by which a sender may be known, likeliest first: the sender's own, then that of today and of yesterday. */
export function namesOf({ user, who, at, traffic }: RawEvent, zone: string): string[] {
  const today = dateAt(at, zone);
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
  return [...(user ? [`${isBot(traffic) ? "bot" : "user"} ${user}`] : []), `${who} ${today}`, `${who} ${yesterday}`];
}

/** The visits that events make, in the order in which they were sent. */
export function visitsOf(events: readonly RawEvent[], zone: string): Visit[] {
  const visits: Visit[] = [];
  for (const event of events) {
    const names = namesOf(event, zone);
    const user = event.user !== null && !isBot(event.traffic) ? event.user : null;
    const joins = user !== null && event.traffic === "human";
    const runs = (one: Visit) => millisecond(event.at) - millisecond(one.last) <= SILENCE;
    const isOthers = (one: Visit) => user !== null && one.user !== null && one.user !== user;
    // Of the visits that a user began and those in which they were identified, a person's, and the one they were in last.
    const own = visits.filter((one) => one.user === user || one.visitor === `user ${user}`).filter(runs);
    const isPersons = (one: Visit) => Number(one.traffic === "human");
    let visit = joins ? own.sort((a, b) => isPersons(b) - isPersons(a) || b.last - a.last)[0] : undefined;
    for (const name of names) {
      const latest = visits.filter((one) => one.visitor === name).at(-1);
      if (!visit && latest && runs(latest) && !isOthers(latest)) visit = latest;
    }
    if (!visit) {
      // What is told of a page afterwards begins no visit.
      if (event.type === "engagement" || event.type === "vitals") continue;
      visit = {
        visitor: names[0] as string,
        user: null,
        started: event.at,
        last: event.at,
        first: event,
        traffic: event.traffic,
        facts: [],
      };
      visits.push(visit);
    }
    if (joins && visit.visitor !== `user ${user}` && !isBot(visit.traffic)) visit.user ??= user;
    if (event.traffic === "suspicious" && visit.traffic === "human") visit.traffic = "suspicious";
    const traffic = event.traffic === "human" && visit.traffic === "suspicious" ? "suspicious" : event.traffic;
    visit.last = Math.max(visit.last, event.at);
    visit.facts.push({ ...event, traffic, visit, visitor: visit.visitor });
  }
  return visits;
}

/** Silences and durations are told in whole milliseconds. */
export const millisecond = (at: number): number => Math.floor(at);

export const isView = ({ type }: RawEvent): boolean => type === "pageview" || type === "screen";
export const isInteraction = ({ type }: RawEvent): boolean => type === "event" || type === "commerce";
export const isNamed = ({ type }: RawEvent): boolean => type === "passive" || type === "event" || type === "commerce";

export const viewsOf = (visit: Visit): Fact[] => visit.facts.filter(isView);
export const isBounce = (visit: Visit): boolean => viewsOf(visit).length < 2 && !visit.facts.some(isInteraction);
