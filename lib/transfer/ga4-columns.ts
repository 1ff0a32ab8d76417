import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { namedSource } from "@/lib/ingest/enrich/sources";
import { countryCode } from "@/lib/transfer/countries";
import { dimensionNumber } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";

/**
 * Columns of Google Analytics 4 by their normalized names in the English and German user interface and in the API
 * (https://developers.google.com/analytics/devguides/reporting/data/v1/api-schema).
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

/** Metrics that are not imported. */
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

/** Google's names for unknown and direct. */
const UNKNOWN = new Set(["(not set)", "(direct)", "(none)", "(data not available)"]);
/** Returns a dimension value; `''` if it is unknown in Google Analytics. */
export const known = (word: string): string => (UNKNOWN.has(word) ? "" : word);

type ValuesOf = (word: string) => [dimension: number, word: string][];

const one =
  (key: DimensionKey, ours = (word: string) => word): ValuesOf =>
  (word) => [[dimensionNumber(key), ours(word)]];
const sourceOf = (word: string) => namedSource(word)?.name ?? word;
const page = one("page");
const entryPage = one("entry_page");
const medium = one("utm_medium", known);
const campaign = one("utm_campaign");
const channel = one("channel");
const source = one("source", sourceOf);

/** Splits a combined value such as `google / organic`. */
const sourceAndMedium: ValuesOf = (word) => {
  const [from = "", by = ""] = word.split(" / ");
  return [...source(known(from)), ...medium(by)];
};

function country(word: string): string {
  const code = word === "" ? "" : countryCode(word);
  if (code === null) throw new Error(`"${word}" is not a known country name; export the column "Country ID" instead`);
  return code;
}

export const EVENT_NAMES = ["eventname", "ereignisname"] as const;
/** Events that Google Analytics records automatically. */
export const AUTOMATIC_EVENTS: ReadonlySet<string> = new Set([
  "page_view",
  "screen_view",
  "session_start",
  "first_visit",
  "first_open",
  "user_engagement",
]);

/** Importable dimensions by normalized column name. */
export const DIMENSIONS: Readonly<Record<string, ValuesOf>> = {
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
