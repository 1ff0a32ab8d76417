import type { EventType, TrafficClass } from "@/lib/contract/vocabulary";
import type { Agent, Campaign, EventPage, Place, Referrer } from "@/lib/ingest/event/decided-event";
import { DAY_MS } from "@/lib/platform/durations";
import { dateAt, MINUTE } from "@/lib/testing/oracle/clock";

/** One event as it was sent, with everything that is known about its sender. */
export interface RawEvent {
  /** Epoch milliseconds with microseconds; unique among the events of a world. */
  at: number;
  /** The sender, recognised within one local day only, unless `user` is set. */
  who: string;
  user: string | null;
  type: EventType;
  name: string | null;
  page: EventPage | null;
  referrer: Referrer;
  campaign: Campaign | null;
  place: Place;
  agent: Agent;
  traffic: TrafficClass;
  /** The bot or spammer that determined the traffic class, if any. */
  robot?: string | undefined;
  engagementMs: number | null;
  /** Percent. */
  scroll: number | null;
  revenue: string | null;
  currency: string | null;
  props: Record<string, unknown> | null;
  /** The HTTP status of its page; null when nobody knows it. */
  status: number | null;
}

/** An event that was stored, in its visit. */
export interface Fact extends RawEvent {
  visit: Visit;
  visitor: string;
}

export interface Visit {
  visitor: string;
  /** The first user that was identified during the visit, when it began without one. */
  user: string | null;
  started: number;
  last: number;
  /** The first event, with the source, campaign, location and device of the visit. */
  first: RawEvent;
  traffic: TrafficClass;
  facts: Fact[];
}

const VISIT_TIMEOUT = 30 * MINUTE;

const isBot = (traffic: TrafficClass): boolean => traffic === "bot" || traffic === "ai";

/**
 * Returns the visitor names of a sender in order of precedence: by user id, then by the salts of today and yesterday.
 */
export function namesOf({ user, who, at, traffic }: RawEvent, zone: string): string[] {
  const today = dateAt(at, zone);
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10);
  return [...(user ? [`${isBot(traffic) ? "bot" : "user"} ${user}`] : []), `${who} ${today}`, `${who} ${yesterday}`];
}

/** Returns the visits of events. @param events in the order in which they were sent. */
export function visitsOf(events: readonly RawEvent[], zone: string): Visit[] {
  const visits: Visit[] = [];
  for (const event of events) {
    const names = namesOf(event, zone);
    const user = event.user !== null && !isBot(event.traffic) ? event.user : null;
    const joins = user !== null && event.traffic === "human";
    const runs = (one: Visit) => millisecond(event.at) - millisecond(one.last) <= VISIT_TIMEOUT;
    const isOthers = (one: Visit) => user !== null && one.user !== null && one.user !== user;
    // Of the visits that a user started or was identified in: human visits first, then the most recent.
    const own = visits.filter((one) => one.user === user || one.visitor === `user ${user}`).filter(runs);
    const isPersons = (one: Visit) => Number(one.traffic === "human");
    let visit = joins ? own.sort((a, b) => isPersons(b) - isPersons(a) || b.last - a.last)[0] : undefined;
    for (const name of names) {
      const latest = visits.filter((one) => one.visitor === name).at(-1);
      if (!visit && latest && runs(latest) && !isOthers(latest)) visit = latest;
    }
    if (!visit) {
      // Engagement and vitals do not start a visit.
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

/** Pauses and durations are measured in whole milliseconds. */
export const millisecond = (at: number): number => Math.floor(at);

export const isView = ({ type }: RawEvent): boolean => type === "pageview" || type === "screen";
export const isInteraction = ({ type }: RawEvent): boolean => type === "event" || type === "commerce";
/** Returns whether an event shows that its visitor was there: reports on an earlier view do not. */
export const isPresence = ({ type }: RawEvent): boolean => type !== "engagement" && type !== "vitals";
export const isNamed = ({ type }: RawEvent): boolean => type === "passive" || type === "event" || type === "commerce";

export const viewsOf = (visit: Visit): Fact[] => visit.facts.filter(isView);
export const isBounce = (visit: Visit): boolean => viewsOf(visit).length < 2 && !visit.facts.some(isInteraction);

/** Returns the products of an event, the ids of its items or else their names, each with its name. */
export function namedProductsIn({ props }: Fact): { product: string; name: string | null }[] {
  const { items } = (props ?? {}) as { items?: Record<string, string | number>[] };
  return (items ?? []).flatMap(({ product_id, name }) => {
    const product = product_id || name;
    return product ? [{ product: `${product}`, name: name ? `${name}` : null }] : [];
  });
}

export const productsIn = (fact: Fact): string[] => namedProductsIn(fact).map(({ product }) => product);
