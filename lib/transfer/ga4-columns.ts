import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { namedSource } from "@/lib/ingest/enrich/sources";
import { countryCode } from "@/lib/transfer/countries";
import { numberIn } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/machines";

/**
 * The columns of Google Analytics 4 by the names of its pages in English and German and of its API, without spaces and
 * punctuation (https://developers.google.com/analytics/devguides/reporting/data/v1/api-schema).
 */

export const DAYS = {
  date: ["date", "dateyyyymmdd", "datum"],
  nthDay: ["nthday", "ntag", "ntertag"],
} as const;

export const METRICS = {
  visitors: ["totalusers", "users", "activeusers", "nutzerinsgesamt", "gesamtnutzerzahl", "nutzer", "aktivenutzer"],
  visits: ["sessions", "sitzungen"],
  pageviews: ["views", "screenpageviews", "aufrufe"],
  bounceRate: ["bouncerate", "absprungrate"],
  duration: ["averagesessionduration", "durchschnittlichesitzungsdauer"],
  events: ["eventcount", "ereignisanzahl", "anzahlderereignisse"],
} as const;
export type MetricName = keyof typeof METRICS;

/** Metrics that sums are not made of. */
export const IGNORED: ReadonlySet<string> = new Set(
  [
    "newusers returningusers engagedsessions engagementrate engagedsessionsperactiveuser engagedsessionsperuser",
    "userengagement userengagementduration averageengagementtime averageengagementtimeperactiveuser",
    "averageengagementtimepersession eventspersession eventsperactiveuser eventcountperuser eventcountperactiveuser",
    "viewsperactiveuser viewsperuser viewspersession screenpageviewsperuser screenpageviewspersession sessionsperuser",
    "sessionsperactiveuser keyevents sessionkeyeventrate userkeyeventrate conversions sessionconversionrate",
    "userconversionrate totalrevenue purchaserevenue eventvalue transactions ecommercepurchases",
    "neuenutzer wiederkehrendenutzer sitzungenmitinteraktionen sitzungenmitinteraktion interaktionsrate",
    "schlüsselereignisse gesamtumsatz durchschnittlicheinteraktionsdauer",
  ].flatMap((names) => names.split(" ")),
);

/** What Google calls what is unknown, and what came from nowhere. */
const UNKNOWN = new Set(["(not set)", "(direct)", "(none)", "(data not available)"]);
/** A value of a dimension; `''` where Google Analytics knows none. */
export const known = (word: string): string => (UNKNOWN.has(word) ? "" : word);

type Words = (word: string) => [dimension: number, word: string][];

const one =
  (key: DimensionKey, ours = (word: string) => word): Words =>
  (word) => [[numberIn(key), ours(word)]];
const sourceOf = (word: string) => namedSource(word)?.name ?? word;
const page = one("page");
const entryPage = one("entry_page");
const medium = one("utm_medium", known);
const campaign = one("utm_campaign");
const channel = one("channel");
const source = one("source", sourceOf);

/** `google / organic` tells both. */
const sourceAndMedium: Words = (word) => {
  const [from = "", by = ""] = word.split(" / ");
  return [...source(known(from)), ...medium(by)];
};

function country(word: string): string {
  const code = word === "" ? "" : countryCode(word);
  if (code === null) throw new Error(`"${word}" is not the name of a country; export the column "Country ID" instead`);
  return code;
}

export const EVENT_NAMES = ["eventname", "ereignisname"] as const;
/** Events that Google Analytics records by itself for each page and visit. */
export const AUTOMATIC_EVENTS: ReadonlySet<string> = new Set([
  "page_view",
  "screen_view",
  "session_start",
  "first_visit",
  "first_open",
  "user_engagement",
]);

/** Dimensions that can be imported. */
export const DIMENSIONS: Readonly<Record<string, Words>> = {
  pagepath: page,
  pagepathandscreenclass: page,
  unifiedpagepathscreen: page,
  seitenpfad: page,
  seitenpfadundbildschirmklasse: page,
  landingpage: entryPage,
  landingpagequerystring: entryPage,
  landingpageplusquerystring: entryPage,
  zielseite: entryPage,
  sessionsource: source,
  sitzungquelle: source,
  sessionsourcemedium: sourceAndMedium,
  sitzungquellemedium: sourceAndMedium,
  sessionmedium: medium,
  sitzungmedium: medium,
  sessioncampaign: campaign,
  sessioncampaignname: campaign,
  sitzungkampagne: campaign,
  sessiondefaultchannelgroup: channel,
  sessiondefaultchannelgrouping: channel,
  sessionprimarychannelgroup: channel,
  sessionprimarychannelgroupdefaultchannelgroup: channel,
  sitzungstandardchannelgruppe: channel,
  country: one("country", country),
  countryid: one("country", country),
  land: one("country", country),
  region: one("region"),
  city: one("city"),
  stadt: one("city"),
  devicecategory: one("device", deviceOf),
  gerätekategorie: one("device", deviceOf),
  browser: one("browser", browserOf),
  operatingsystem: one("os", systemOf),
  betriebssystem: one("os", systemOf),
  ...Object.fromEntries(EVENT_NAMES.map((name) => [name, one("event")])),
};
