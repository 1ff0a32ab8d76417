import type { BreakdownKey, DimensionKey } from "@/lib/analytics/query/dimensions";
import { ROBOTS } from "@/lib/testing/oracle/actions";
import { type Fact, isNamed, type Visit, viewsOf } from "@/lib/testing/oracle/facts";

/** The values of visits and events by dimension; `''` is unknown or none. */

const OF_EVENTS: readonly DimensionKey[] = ["page", "hostname", "title", "event"];
export const isProperty = (key: BreakdownKey): key is `prop:${string}` => key.startsWith("prop:");
export const isOfEvents = (key: BreakdownKey): boolean => isProperty(key) || OF_EVENTS.some((one) => one === key);
export const isOfWholeVisits = (key: BreakdownKey): boolean => key === "entry_page" || key === "exit_page";

export function valueOfVisit(visit: Visit, key: BreakdownKey): string {
  if (isProperty(key)) throw new Error(`${key} is not a dimension of visits`);
  const { referrer, campaign, place, agent } = visit.first;
  switch (key) {
    case "entry_page":
      return viewsOf(visit)[0]?.page?.path ?? "";
    case "exit_page":
      return viewsOf(visit).at(-1)?.page?.path ?? "";
    case "source":
      return referrer.source;
    case "referrer":
      return referrer.url;
    case "channel":
      return referrer.channel;
    case "channel_rule":
      return referrer.rule;
    case "utm_source":
      return campaign?.source ?? "";
    case "utm_medium":
      return campaign?.medium ?? "";
    case "utm_campaign":
      return campaign?.campaign ?? "";
    case "utm_term":
      return campaign?.term ?? "";
    case "utm_content":
      return campaign?.content ?? "";
    case "country":
    case "region":
    case "city":
    case "language":
      return place[key];
    case "traffic":
      return visit.traffic;
    case "page":
    case "hostname":
    case "title":
    case "event":
      throw new Error(`${key} is not a dimension of visits`);
    case "bot_operator":
      return ROBOTS.find(({ bot }) => bot === agent.bot)?.operator ?? "";
    case "bot_purpose":
      return ROBOTS.find(({ bot }) => bot === agent.bot)?.purpose ?? "";
    default:
      return agent[key];
  }
}

/** @param titles the first title of each page, by {@link pageKey}. */
export function valueOfFact(fact: Fact, key: BreakdownKey, titles: ReadonlyMap<string, string>): string {
  if (isProperty(key)) return propertyOf(fact, key.slice(5));
  switch (key) {
    case "page":
      return fact.page?.path ?? "";
    case "hostname":
      return fact.page?.hostname ?? "";
    case "title":
      return fact.page ? (titles.get(pageKey(fact.page)) ?? "") : "";
    case "event":
      return isNamed(fact) ? (fact.name ?? "") : "";
    case "traffic":
      return fact.traffic;
    default:
      return valueOfVisit(fact.visit, key);
  }
}

/** Returns a property as text; `''` where the event has none. */
function propertyOf({ props }: Fact, name: string): string {
  const value = props?.[name];
  return value === undefined || value === null ? "" : `${value}`;
}

export const pageKey = ({ hostname, path }: { hostname: string; path: string }): string => `${hostname}${path}`;
