import { bare } from "@/lib/transfer/countries";

/**
 * Columns of Matomo's reports by their names in the Reporting API (https://developer.matomo.org/api-reference/reporting-api)
 * and in exports of its interface in English, German, French and Spanish.
 */

/** Columns that are read, with their normalised names in the interface. */
const TRANSLATED = {
  label: "label bezeichnung nom etiqueta",
  date: "date datum fecha",
  nb_uniq_visitors: "uniquevisitors eindeutigebesucher visiteursuniques visitantesúnicos",
  nb_visits: "visits besuche visites visitas",
  nb_uniq_pageviews: "uniquepageviews eindeutigeseitenansichten vuesdepageuniques vistasdepáginasúnicas",
  nb_hits: "pageviews seitenansichten vuesdepage páginasvistas",
  bounce_count: "bounces absprünge rebonds rebotes",
  sum_visit_length:
    "totaltimespentbyvisitorsinseconds vonbesuchernverbrachtegesamtzeitinsekunden tempstotalpasséparlesvisiteursensecondes tiempototaldelosvisitantesenelsitioensegundos",
  bounce_rate: "bouncerate absprungsrate absprungrate tauxderebond porcentajederebote",
  avg_time_on_site:
    "avgvisitdurationinseconds avgtimeonwebsite durchschnbesuchszeitinsekunden durchschnittszeitaufderwebseite duréemoydesvisitesensecondes tempsmoyensurlesiteweb promediodeduracióndelasvisitasensegundos promediodetiempoenelsitio",
  entry_nb_visits: "entrances eingänge entrées entradas",
  entry_nb_uniq_visitors: "uniqueentrances eindeutigeeinstiege entréesuniques entradasúnicas",
  exit_nb_visits: "exits ausstiege sorties salidas",
  exit_nb_uniq_visitors: "uniqueexits eindeutigeausstiege sortiesuniques salidasúnicas",
  nb_events: "events ereignisse evènements événements eventos",
} as const;

/** Columns that are read and have no name of their own in the interface, or one that another column has too. */
const RAW = [
  "entry_bounce_count",
  "entry_sum_visit_length",
  "nb_pageviews",
  "idVisit",
  "actionDetails",
  "nb_conversions",
] as const;

export type Column = keyof typeof TRANSLATED | (typeof RAW)[number];

/** What is said of the label of a row, with the prefix `metadata_` in CSV. */
const METADATA = [
  "segment",
  "logo",
  "url",
  "code",
  "city_name",
  "region_name",
  "referer_type",
  "referrer_type",
  "is_summary",
  "is_aggregate",
] as const;
export type Metadata = (typeof METADATA)[number];

/** Parts of names of metrics that are not imported. Metrics do not split rows, whatever they are. */
const IGNORED_RAW =
  /^(nb_(actions|users|visits_converted|conv|uniq_pageviews|downloads|uniq_downloads|outlinks|uniq_outlinks|searches|keywords|hits_with|hits_following_search|events_with_value|visits_percentage|total)|max_actions|actions_per_visit|avg_|sum_(time|bandwidth|event_value|daily|generation)|(min|max)_(time|bandwidth|event_value)|revenue|conversion_rate|exit_rate|exit_bounce_count|entry_nb_actions|items|goals?_|PagePerformance_|Referrers_|bounce_rate|(bounce_count|sum_visit_length|nb_(uniq_visitors|visits|actions|users))_(new|returning)|avg_time_on_site_)/;
/** Metadata and nested values that are not read. */
const IGNORED_OTHER =
  /^(goals|subtable|label1|custom_row_id|logo\w*|shortLabel|icon\w*|idsubdatatable\w*|(Actions|Referrers|UserCountry|DevicesDetection|Events|Goals)_\w+|country|country_name|region|city|lat|long|html_label_\w+|htmlLabel\w*|deltas?|\w+_evolution(_trend)?|folder_url_start|page_title_path|truncated)$/;

/** Normalised names in the interface of metrics that are not imported. */
const IGNORED_TRANSLATED: ReadonlySet<string> = new Set(
  [
    "actions maximumactionsinonevisit actionspervisit users visitswithconversions conversionrate conversions revenue",
    "revenuepervisit avgtimeonpage exitrate eventvalue minimumeventvalue maximumeventvalue averagevalue eventswithavalue",
    "avgnetworktime avgservertime avgtransfertime avgdomprocessingtime avgdomcompletiontime avgonloadtime avgpageloadtime",
    "downloads uniquedownloads outlinks uniqueoutlinks searches uniquekeywords avgbandwidth avggenerationtime",
    "aktionen maximaleaktionenprobesuch aktionenprobesuch benutzer besuchemitkonversionen konversionsrate konversionen",
    "umsatz umsatzprobesuch durchschnittszeitproseite ausstiegsrate ereigniswert minimalerereigniswert durchschnittswert",
    "maximalerereigniswert ereignissemiteinemwert durchschnnetzwerkzeit durchschnserverzeit durchschnübertragungszeit",
    "durchschnzeitfürdomprozessierung durchschnzeitfürdomkomplettierung durchschnladezeit durchschnseitenladezeit",
    "eindeutigedownloads ausgehendeverweise eindeutigeausgehendeverweise suchanfragen eindeutigesuchbegriffe",
    "nombremaximumdactionsenunevisite actionsparvisite utilisateurs visitesavecconversions tauxdeconversion revenu",
    "revenuparvisite tempsmoyensurlapage tauxdesortie valeurdévènement valeurminimaledévènement valeurmoyenne",
    "valuemaximaledévènement evènementsavecunevaleur tempsmoyendeconnexion moyheureduserveur moytempsdetransfert",
    "tempsmoyendetraitementdudom tempsmoyendegénérationdudom moyautempsdechargement tempsdechargementmoyen",
    "téléchargements téléchargementsuniques lienssortants lienssortantsuniques recherches motclésuniques",
    "acciones accionesmáximasenunavisita accionesporvisita usuarios visitasconconversiones porcentajedeconversión",
    "conversiones ingresos ingresoporvisita tiempopromedioenlapágina porcentajedesalida valordelevento",
    "valormínimodelevento valormáximodelevento valorpromedio eventosconunvalor tiempoderedmedio",
    "tiempomediodecargadelapágina descargas descargasúnicas enlacesdesalida enlacesexternosúnicos búsquedas",
    "palabrasclavesúnicas",
  ].flatMap((names) => names.split(" ")),
);
/** Sums of days within a longer period, metrics after an entry, and those of one goal. */
const IGNORED_FORMS =
  /(dailysum|tagessumme|résuméquotidien|sumadiaria|afterenteringhere|nacheintritt|aprèsêtreentréici|despuésdeentraraquí)$|(goal|ziel|objectif|objetivo)s?\d+$/;

/** Flat reports have a column for the name of each level. */
const LEVEL = /^(label1|(Actions|Referrers|Events)_\w+)$/;

/** Whether a column has the name of one level of a flat report. */
export const isLevel = (name: string): boolean => LEVEL.test(METADATA_PREFIX.exec(name)?.[1] ?? name);

const METADATA_PREFIX = /^(?:metadata_|(?:metadata|metadaten|méta-données|metadatos): ?)(.+)$/i;

const BY_NAME = new Map<string, Column>([
  ...Object.entries(TRANSLATED).flatMap(([column, names]) =>
    [bare(column), ...names.split(" ")].map((name): [string, Column] => [name, column as Column]),
  ),
  ...RAW.map((column): [string, Column] => [bare(column), column]),
]);

const isMetadata = (name: string): name is Metadata => (METADATA as readonly string[]).includes(name);

/** Returns what a column is; null for one to ignore, and undefined for an unknown one. */
export function columnNamed(name: string): Column | Metadata | null | undefined {
  const said = METADATA_PREFIX.exec(name)?.[1];
  if (said !== undefined) return isMetadata(said) ? said : null;
  const normal = bare(name);
  const column = BY_NAME.get(normal);
  if (column) return column;
  if (isMetadata(name)) return name;
  const isIgnored =
    IGNORED_RAW.test(name) || IGNORED_OTHER.test(name) || IGNORED_TRANSLATED.has(normal) || IGNORED_FORMS.test(normal);
  return isIgnored ? null : undefined;
}
