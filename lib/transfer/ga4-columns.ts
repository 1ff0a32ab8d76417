import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { namedSource } from "@/lib/ingest/enrich/sources";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { countryCode } from "@/lib/transfer/countries";
import { dimensionNumber } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";

/**
 * Columns of Google Analytics 4 by their normalised names in the English and German user interface and in the API
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
export const known = (value: string): string => (UNKNOWN.has(value) ? "" : value);

type ValuesOf = (value: string) => [dimension: number, value: string][];

const valuesFor =
  (key: DimensionKey, toOurs = (value: string) => value): ValuesOf =>
  (value) => [[dimensionNumber(key), toOurs(value)]];
const sourceOf = (value: string) => namedSource(value)?.name ?? value;
const page = valuesFor("page", canonicalTypedPath);
const entryPage = valuesFor("entry_page", canonicalTypedPath);
const medium = valuesFor("utm_medium", known);
const campaign = valuesFor("utm_campaign");
const channel = valuesFor("channel");
const source = valuesFor("source", sourceOf);

/** Splits a combined value such as `google / organic`. */
const sourceAndMedium: ValuesOf = (value) => {
  const [from = "", by = ""] = value.split(" / ");
  return [...source(known(from)), ...medium(by)];
};

function country(value: string): string {
  const code = value === "" ? "" : countryCode(value);
  if (code === null) throw new Error(`"${value}" is not a known country name; export the column "Country ID" instead`);
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

/** Importable dimensions by normalised column name. */
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
  country: valuesFor("country", country),
  countryid: valuesFor("country", country),
  land: valuesFor("country", country),
  region: valuesFor("region"),
  city: valuesFor("city"),
  stadt: valuesFor("city"),
  devicecategory: valuesFor("device", deviceOf),
  gerätekategorie: valuesFor("device", deviceOf),
  browser: valuesFor("browser", browserOf),
  operatingsystem: valuesFor("os", systemOf),
  betriebssystem: valuesFor("os", systemOf),
  ...Object.fromEntries(EVENT_NAMES.map((name) => [name, valuesFor("event")])),
};
