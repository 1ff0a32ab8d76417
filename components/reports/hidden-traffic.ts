import type { Traffic } from "@/lib/contract/vocabulary";
import { perLocale } from "@/lib/platform/locale";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** The events of one class that reports about people leave out. */
export interface HiddenTraffic {
  traffic: Exclude<Traffic, "human" | "all">;
  pageviews: number;
  /** Custom and commerce events. */
  events: number;
}

const AS: Record<HiddenTraffic["traffic"], string> = {
  bot: msg("bots"),
  ai: msg("AI agents and crawlers"),
  spam: msg("referrer spam"),
  suspicious: msg("suspicious"),
};

const list = perLocale(() => new Intl.ListFormat(currentLanguage()));

/** "24 pageviews are hidden as suspicious." */
export function hiddenSentence(hidden: readonly HiddenTraffic[]): string {
  const parts = hidden.map(({ traffic, pageviews, events }, index) => {
    const known = { events: eventsText(pageviews, events), traffic: t(AS[traffic]) };
    if (index > 0) return t("{events} as {traffic}", known);
    return hidden.length === 1 && pageviews + events === 1
      ? t("{events} is hidden as {traffic}", known)
      : t("{events} are hidden as {traffic}", known);
  });
  return `${list().format(parts)}.`;
}

function eventsText(pageviews: number, events: number): string {
  const viewed = t("{count, plural, one {# pageview} other {# pageviews}}", { count: pageviews });
  const happened = t("{count, plural, one {# event} other {# events}}", { count: events });
  if (pageviews === 0) return happened;
  return events === 0 ? viewed : t("{pageviews} and {events}", { pageviews: viewed, events: happened });
}

/** The traffic filter that shows what is hidden. */
export const trafficThatShows = ([first, ...more]: readonly HiddenTraffic[]): Traffic =>
  first && more.length === 0 ? first.traffic : "all";
