import type { DimensionKey } from "@/lib/analytics/dimensions";
import { namedSource } from "@/lib/ingest/sources";
import { columnsOf, dateOf, EVERYTHING, numberIn, numberOf, type Service } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/machines";

/**
 * Google Analytics 4, a report or an exploration as CSV: lines that begin with # tell about the file, then comes a header
 * with a date and at most one dimension. Rates and averages become sums by the sessions beside them.
 */

const DIMENSIONS: Readonly<Record<string, DimensionKey>> = {
  "page path": "page",
  "page path and screen class": "page",
  "landing page": "entry_page",
  "session source": "source",
  "session default channel group": "channel",
  "session primary channel group (default channel group)": "channel",
  "session medium": "utm_medium",
  "session campaign": "utm_campaign",
  "country id": "country",
  "device category": "device",
  browser: "browser",
  "operating system": "os",
  "event name": "event",
};
const DATES = ["date", "date (yyyymmdd)"];
const VISITORS = ["total users", "active users", "users"];
const PAGEVIEWS = ["views", "screen page views"];
/** What Google calls what is unknown, and what came from nowhere. */
const UNKNOWN = new Set(["(not set)", "(direct)", "(none)", "(data not available)"]);

/** Words that are called otherwise here. */
const OURS: Partial<Record<string, (word: string) => string>> = {
  browser: browserOf,
  os: systemOf,
  device: deviceOf,
  source: (word) => namedSource(word)?.name ?? word,
};

export const GA4: Service = {
  name: "ga4",
  reader(header) {
    const names = header.map((name) => name.trim().toLowerCase());
    const date = names.find((name) => DATES.includes(name));
    const visitors = VISITORS.find((name) => names.includes(name));
    if (!date || !visitors) return null;
    const pageviews = PAGEVIEWS.find((name) => names.includes(name)) ?? "";
    const told = names.flatMap((name) => (Object.hasOwn(DIMENSIONS, name) ? [name] : []));
    const [dimension] = told;
    if (told.length > 1) return null;
    const key = dimension === undefined ? null : (DIMENSIONS[dimension] as DimensionKey);
    const named = columnsOf(names);
    const read = (fields: readonly string[]) => {
      const of = named(fields);
      const number = (name: string) => numberOf(of(name), name);
      const word = key === null ? "" : of(dimension as string);
      const visits = Math.round(number("sessions"));
      const sum = {
        dimension: key === null ? EVERYTHING : numberIn(key),
        day: dateOf(of(date)),
        word: UNKNOWN.has(word) ? "" : (OURS[key ?? ""]?.(word) ?? word),
        visitors: Math.round(number(visitors)),
        visits,
        bounces: Math.round(number("bounce rate") * visits),
        duration_ms: Math.round(number("average session duration") * visits * 1000),
        pageviews: Math.round(number(pageviews)),
        // What Google calls an event is a pageview too: only with their names is it known which are not.
        events: key === "event" ? Math.round(number("event count")) : 0,
      };
      return [sum];
    };
    return { into: "given", read };
  },
};
