import { formatPlural } from "@/components/ui/format";
import type { Traffic } from "@/lib/contract/vocabulary";

/** The events of one class that reports about people leave out. */
export interface HiddenTraffic {
  traffic: Exclude<Traffic, "human" | "all">;
  pageviews: number;
  /** Custom and commerce events. */
  events: number;
}

const AS: Record<HiddenTraffic["traffic"], string> = {
  bot: "bots",
  ai: "AI agents and crawlers",
  spam: "referrer spam",
  suspicious: "suspicious",
};

const list = new Intl.ListFormat("en");

/** "24 pageviews are hidden as suspicious." */
export function hiddenSentence(hidden: readonly HiddenTraffic[]): string {
  const parts = hidden.map(({ traffic, pageviews, events }) => {
    const counts = [
      ...(pageviews > 0 ? [formatPlural(pageviews, "pageview")] : []),
      ...(events > 0 ? [formatPlural(events, "event")] : []),
    ];
    return { text: `${counts.join(" and ")} as ${AS[traffic]}`, isOne: pageviews + events === 1 };
  });
  const verb = parts.length === 1 && parts[0]?.isOne ? "is" : "are";
  const [first, ...rest] = parts.map(({ text }, index) =>
    index === 0 ? text.replace(" as ", ` ${verb} hidden as `) : text,
  );
  return `${list.format([first ?? "", ...rest])}.`;
}

/** The traffic filter that shows what is hidden. */
export const trafficThatShows = ([first, ...more]: readonly HiddenTraffic[]): Traffic =>
  first && more.length === 0 ? first.traffic : "all";
