import { type DimensionKey, EVERYTHING } from "@/lib/analytics/query/dimensions";
import { channelRule } from "@/lib/ingest/enrich/channels";
import { knownSource, namedSource, type SourceKind } from "@/lib/ingest/enrich/sources";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { bare, countryCode } from "@/lib/transfer/countries";
import { dimensionNumber, PAGEVIEWS_ALONE } from "@/lib/transfer/daily-sums";
import { browserOf, systemOf } from "@/lib/transfer/device-names";
import type { Column, Metadata } from "@/lib/transfer/matomo-columns";

/** The reports of Matomo that can be imported, and how a file tells which of them it has. */

/** Returns a field of a row; '' if it lacks the column. */
export type Of = (column: Column | Metadata) => string;

/** A dimension value of a row, and which part of the dimension the report has. */
type Value = [dimension: number, word: string, part?: string];

export interface Report {
  /** Which columns have the sums. */
  sums: "visits" | "page" | "entry" | "exit" | "event" | "pageviews";
  values(of: Of): Value[];
}

const UNKNOWN =
  /^(unknown|unbekannt|inconnue?|desconocid[oa]|xx)$|(not defined|nicht definiert|indéfinie?|no está definid[oa])$/i;
export const knownOf = (label: string): string => (UNKNOWN.test(label) ? "" : label);

const valueFor =
  (key: DimensionKey, toOurs: (of: Of) => string): Report["values"] =>
  (of) => [[dimensionNumber(key), toOurs(of)]];
const visitsBy = (key: DimensionKey, toOurs: (of: Of) => string): Report => ({
  sums: "visits",
  values: valueFor(key, toOurs),
});
const labelBy = (key: DimensionKey, toOurs = (label: string) => label): Report =>
  visitsBy(key, (of) => toOurs(knownOf(of("label"))));

/** Returns the path of a page. @throws Error for a folder of pages */
function pathOf(of: Of): string {
  const label = of("label");
  if (of("url") !== "") return canonicalTypedPath(of("url"));
  if (UNKNOWN.test(label)) return "";
  if (!label.startsWith("/"))
    throw new Error(`"${label}" is a folder of pages; export the report flat (flat=1, or "Flat" in the export dialog)`);
  // The page of a folder itself has this name.
  return canonicalTypedPath(label.replace(/\/index$/, "/"));
}

const LETTER_CODE = /^[a-z]{2}$/i;

function countryOf(of: Of): string {
  const code = of("code") || (/^countryCode==(\w+)/.exec(of("segment"))?.[1] ?? "");
  if (LETTER_CODE.test(code)) return knownOf(code) === "" ? "" : code.toUpperCase();
  const label = knownOf(of("label"));
  const named = label === "" ? "" : countryCode(label);
  if (named === null) throw new Error(`"${label}" is not a known country; export the report with its metadata`);
  return named;
}

/** Labels of places end with the larger ones, such as "Lyon, Auvergne-Rhône-Alpes, France". */
const placeOf = (of: Of, column: Metadata): string => knownOf(of(column) || (of("label").split(", ")[0] ?? ""));

/** Device types by the name in segments, and in the interface. */
const DEVICES: readonly [device: string, types: string][] = [
  ["Desktop", "desktop bureau escritorio"],
  [
    "Mobile",
    "smartphone featurephone phablet téléphoneintelligentsmartphone teléfonointeligente phablette tabléfono portablemediaplayer wearable fonctionnalitétéléphone característicadelteléfono",
  ],
  ["Tablet", "tablet tablette tableta"],
  ["TV or console", "tv televisión console spielekonsole consola"],
];
const DEVICE_OF = new Map(DEVICES.flatMap(([device, types]) => types.split(" ").map((type) => [type, device])));

/** Returns our name of a type of device. @param type as in segments and names of icons; '' if it is not given */
export function deviceNamed(type: string, label: string): string {
  const known = knownOf(label);
  return DEVICE_OF.get(bare(decoded(type))) ?? DEVICE_OF.get(bare(known)) ?? known;
}

const deviceOf = (of: Of): string => deviceNamed(/^deviceType==(.+)$/.exec(of("segment"))?.[1] ?? "", of("label"));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Returns our name of a source: a host, a search engine or a social network. */
export const sourceNamed = (name: string): string =>
  (knownSource(name) ?? namedSource(name) ?? namedSource(name.replace(/\W+$/, "")))?.name ?? name;

/** A report of one kind of source, which adds up with those of the others. */
const sourcesOf = (part: string): Report => ({
  sums: "visits",
  values: (of) => [[dimensionNumber("source"), sourceNamed(knownOf(of("label"))), part]],
});

/** Types of referrers by their numbers, with the names in segments and in the interface. */
const TYPES: Readonly<Record<string, { names: string; kind?: SourceKind; isDirect?: true; isCampaign?: true }>> = {
  1: { names: "direct directentry direktezugriffe entréesdirectes entradadirecta", isDirect: true },
  2: { names: "search searchengines suchmaschinen moteursderecherche motoresdebúsqueda", kind: "search" },
  3: { names: "website websites webseiten sitesweb sitiosdeinternet" },
  6: { names: "campaign campaigns kampagnen campagnes campañas", isCampaign: true },
  7: { names: "social socialnetworks sozialenetzwerke réseauxsociaux redessociales", kind: "social" },
  8: { names: "aiassistant aiassistants kiassistenten assistantsia asistentesdeia", kind: "ai" },
};

export interface ReferrerType {
  isDirect: boolean;
  isCampaign: boolean;
  /** Our channel. Campaigns do not tell theirs, unless their medium is known. */
  channel: string;
}

/** @throws Error for an unknown type, by its number, its name in segments, or in the interface */
export function referrerType(type: string, medium = ""): ReferrerType {
  const name = bare(type);
  const numbered = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const found = numbered ?? Object.values(TYPES).find(({ names }) => names.split(" ").includes(name));
  if (!found) throw new Error(`"${type}" is not a known type of referrer; export the report with its metadata`);
  const { kind, isDirect = false, isCampaign = false } = found;
  const hasReferrer = !isDirect && !isCampaign;
  const signs = { source: "", kind, medium: medium.toLowerCase(), campaign: "", click: null, hasReferrer };
  return { isDirect, isCampaign, channel: channelRule({ ...signs, isTagged: isCampaign }).channel };
}

function channelValues(of: Of): Value[] {
  const said = /^referrerType==([\w-]+)/.exec(of("segment"))?.[1] ?? of("label");
  const { channel, isDirect } = referrerType(of("referrer_type") || said);
  const direct: Value[] = isDirect ? [[dimensionNumber("source"), "", "direct"]] : [];
  return [[dimensionNumber("channel"), channel], ...direct];
}

const REPORTS = {
  totals: { sums: "visits", values: () => [[EVERYTHING, ""]] },
  pageviews: { sums: "pageviews", values: () => [[EVERYTHING, "", PAGEVIEWS_ALONE]] },
  page: { sums: "page", values: valueFor("page", pathOf) },
  entry_page: { sums: "entry", values: valueFor("entry_page", pathOf) },
  exit_page: { sums: "exit", values: valueFor("exit_page", pathOf) },
  country: visitsBy("country", countryOf),
  region: visitsBy("region", (of) => placeOf(of, "region_name")),
  city: visitsBy("city", (of) => placeOf(of, "city_name")),
  device: visitsBy("device", deviceOf),
  browser: labelBy("browser", browserOf),
  os: labelBy("os", systemOf),
  channel: { sums: "visits", values: channelValues },
  website: sourcesOf("websites"),
  search: sourcesOf("search"),
  social: sourcesOf("social"),
  ai: sourcesOf("ai"),
  utm_campaign: labelBy("utm_campaign"),
  utm_source: labelBy("utm_source"),
  utm_medium: labelBy("utm_medium"),
  event: { sums: "event", values: valueFor("event", (of) => knownOf(of("label"))) },
} as const satisfies Readonly<Record<string, Report>>;
export type ReportName = keyof typeof REPORTS;

export const reportNamed = (name: ReportName): Report => REPORTS[name];

const NOT_STORED = "Footfall stores no such sums";
const TITLES = "titles of pages are not stored; Actions.getPageUrls has the pages";
const VERSIONS = "versions are not stored; DevicesDetection.getBrowsers and getOsFamilies have the names";
const KEYWORDS = "keywords of searches are not stored; Referrers.getSearchEngines has the search engines";
const EVENT_PARTS = "categories and names of events are not stored; Events.getAction has the events";
const GOALS = "conversions of goals cannot be stored in daily sums";
const ALL_SOURCES =
  "it names searches by their keywords; Referrers.getWebsites, getSearchEngines, getSocials and getCampaigns have the sources";

/** A report, or why a file of it is skipped. */
export type Found = { name: ReportName } | { skipReason: string };
const is = (name: ReportName): Found => ({ name });
const skip = (skipReason: string): Found => ({ skipReason });

/** Reports by the names in the conditions of their segments. */
const BY_SEGMENT: Readonly<Record<string, Found>> = {
  pageUrl: is("page"),
  entryPageUrl: is("entry_page"),
  exitPageUrl: is("exit_page"),
  pageTitle: skip(TITLES),
  entryPageTitle: skip(TITLES),
  exitPageTitle: skip(TITLES),
  countryCode: is("country"),
  "regionCode,countryCode": is("region"),
  "city,regionCode,countryCode": is("city"),
  deviceType: is("device"),
  browserCode: is("browser"),
  "browserCode,browserVersion": skip(VERSIONS),
  operatingSystemCode: is("os"),
  "operatingSystemCode,operatingSystemVersion": skip(VERSIONS),
  referrerType: is("channel"),
  "referrerType,referrerKeyword": skip(KEYWORDS),
  referrerKeyword: skip(KEYWORDS),
  referrerName: is("website"),
  eventAction: is("event"),
  eventCategory: skip(EVENT_PARTS),
  eventName: skip(EVENT_PARTS),
  campaignName: is("utm_campaign"),
  campaignSource: is("utm_source"),
  campaignMedium: is("utm_medium"),
};
/** Reports of referrers with a name, by their type in the segment. */
const BY_TYPE: Readonly<Record<string, Found>> = {
  website: is("website"),
  search: is("search"),
  social: is("social"),
  campaign: is("utm_campaign"),
  "ai-assistant": is("ai"),
};
/** Reports by the folder of the icon of each row. */
const BY_LOGO: Readonly<Record<string, Found>> = {
  browsers: is("browser"),
  os: is("os"),
  devices: is("device"),
  searchEngines: is("search"),
  socials: is("social"),
};
/** Reports by the method of the Reporting API, and by the normalised names of exports from the interface. */
const BY_METHOD: readonly [names: string, found: Found][] = [
  ["getPageUrls pageurls pages seitenurl seiten urldelapage urlsdepágina páginas", is("page")],
  ["getEntryPageUrls entrypages einstiegsseiten pagesdentrée páginasdeentrada", is("entry_page")],
  ["getExitPageUrls exitpages ausstiegsseiten pagesdesortie páginasdesalida", is("exit_page")],
  ["getPageTitles getEntryPageTitles getExitPageTitles pagetitles seitentitel titresdespages", skip(TITLES)],
  ["getCountry country land pays país", is("country")],
  ["getRegion region région región", is("region")],
  ["getCity city stadt ville ciudad", is("city")],
  ["getType devicetype gerätetyp typedupériphérique tipodedispositivo", is("device")],
  ["getBrowsers browsers browser navigateurs navegadores", is("browser")],
  [
    "getOsFamilies operatingsystemfamilies betriebssystemfamilien famillesdesystèmesdexploitations familiasdesistemasoperativos",
    is("os"),
  ],
  ["getBrowserVersions getOsVersions browserversion operatingsystemversions", skip(VERSIONS)],
  ["getReferrerType channeltype kanaltyp typedecanal tipodecanal", is("channel")],
  ["getAll allchannels allekanäle touslescanaux todosloscanales", skip(ALL_SOURCES)],
  ["getWebsites websites webseiten sitesweb sitiosdeinternet", is("website")],
  ["getSearchEngines searchengines suchmaschinen moteursderecherche motoresdebúsqueda", is("search")],
  ["getSocials socialnetworks sozialenetzwerke réseauxsociaux redessociales", is("social")],
  ["getAIAssistants aiassistants", is("ai")],
  ["getCampaigns campaigns kampagnen campagnes campañas", is("utm_campaign")],
  ["getKeywords keywords suchbegriffe motsclés palabrasclaves", skip(KEYWORDS)],
  ["getAction eventactions ereignisaktionen actionsdelévènement accionesdeevento", is("event")],
  ["getCategory eventcategories ereigniskategorien catégoriesdévènement categoriasdelevento", skip(EVENT_PARTS)],
  ["getName eventnames ereignisnamen nomsdévènement nombresdeloseventos", skip(EVENT_PARTS)],
];
const FOUND_BY_NAME = new Map(
  BY_METHOD.flatMap(([names, found]) => names.split(" ").map((one): [string, Found] => [bare(one), found])),
);

const ownOf = (table: Readonly<Record<string, Found>>, name: string): Found | null =>
  (Object.hasOwn(table, name) && table[name]) || null;

/** Returns the report that a row of it tells; null if it does not tell. */
function reportOfRow(of: Of): Found | null {
  if (of("referer_type") !== "") return skip(ALL_SOURCES);
  const segment = of("segment");
  if (segment !== "") {
    const type = /(?:^|;)referrerType==([\w-]+);(?:.*;)?referrerName==/.exec(segment)?.[1];
    if (type !== undefined) return ownOf(BY_TYPE, type) ?? skip(NOT_STORED);
    const names = segment.split(/[;,]/).map((one) => /^\w+/.exec(one)?.[0] ?? "");
    return ownOf(BY_SEGMENT, names.join()) ?? skip(NOT_STORED);
  }
  const shown = ownOf(BY_LOGO, /\/(\w+)\/[^/]+$/.exec(of("logo"))?.[1] ?? "");
  if (shown) return shown;
  if (of("city_name") !== "") return is("city");
  if (of("region_name") !== "") return is("region");
  return of("code") !== "" ? is("country") : null;
}

/** Returns the report that the name of a file names, such as `Actions.getPageUrls.json` or `Export _ Browsers _ …`. */
function reportInName(name: string): Found | null {
  const method = /\.(get\w*?)(?=[^A-Za-z]|$)/.exec(name)?.[1];
  const title = / _ (.+?) _ /.exec(name)?.[1];
  return FOUND_BY_NAME.get(bare(method ?? title ?? name.replace(/^.*\//, "").replace(/\.\w+$/, ""))) ?? null;
}

/**
 * Returns the report of a file.
 *
 * @param rows the first rows of the file
 * @param has whether the file has a column
 * @returns null if neither its rows nor its name tell
 */
export function reportOf(name: string, rows: readonly Of[], has: (column: Column) => boolean): Found | null {
  if (!has("label")) {
    if (has("nb_visits") || has("nb_uniq_visitors")) return is("totals");
    if (has("nb_pageviews") || has("nb_hits")) return is("pageviews");
    return has("nb_conversions") ? skip(GOALS) : is("totals");
  }
  for (const of of rows) {
    const found = reportOfRow(of);
    if (found) return found;
  }
  return reportInName(name);
}
