import type { EventType, TrafficClass } from "@/lib/contract/vocabulary";
import type { Agent, Campaign, Page, Place, Referrer } from "@/lib/ingest/hit";
import { dateAt, MINUTE } from "@/lib/testing/oracle/clock";

/** One event as it was sent, with everything that is known of its sender. */
export interface RawEvent {
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
  started: number;
  last: number;
  /** The event that it began with: where it came from, and from what place, campaign and device. */
  first: RawEvent;
  traffic: TrafficClass;
  facts: Fact[];
}

const SILENCE = 30 * MINUTE;

/** The names by which a sender may be known, likeliest first: the sender's own, then that of today and of yesterday. */
export function namesOf({ user, who, at }: RawEvent, zone: string): string[] {
  const today = dateAt(at, zone);
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
  return [...(user ? [`user ${user}`] : []), `${who} ${today}`, `${who} ${yesterday}`];
}

/** The visits that events make, in the order in which they were sent. */
export function visitsOf(events: readonly RawEvent[], zone: string): Visit[] {
  const visits: Visit[] = [];
  for (const event of events) {
    const names = namesOf(event, zone);
    let visit: Visit | undefined;
    for (const name of names) {
      const latest = visits.filter((one) => one.visitor === name).at(-1);
      if (!visit && latest && event.at - latest.last <= SILENCE) visit = latest;
    }
    if (!visit) {
      // What is told of a page afterwards begins no visit.
      if (event.type === "engagement" || event.type === "vitals") continue;
      visit = {
        visitor: names[0] as string,
        started: event.at,
        last: event.at,
        first: event,
        traffic: event.traffic,
        facts: [],
      };
      visits.push(visit);
    }
    if (event.traffic === "suspicious" && visit.traffic === "human") visit.traffic = "suspicious";
    const traffic = event.traffic === "human" && visit.traffic === "suspicious" ? "suspicious" : event.traffic;
    visit.last = Math.max(visit.last, event.at);
    visit.facts.push({ ...event, traffic, visit, visitor: visit.visitor });
  }
  return visits;
}

export const isView = ({ type }: RawEvent): boolean => type === "pageview" || type === "screen";
export const isInteraction = ({ type }: RawEvent): boolean => type === "event" || type === "commerce";
export const isNamed = ({ type }: RawEvent): boolean => type === "passive" || type === "event" || type === "commerce";

export const viewsOf = (visit: Visit): Fact[] => visit.facts.filter(isView);
export const isBounce = (visit: Visit): boolean => viewsOf(visit).length < 2 && !visit.facts.some(isInteraction);
