/** The reports of Google Analytics that an import fetches, each as a file with the API's names of its columns. */

const OF_VISITS = ["totalUsers", "sessions", "screenPageViews", "bounceRate", "averageSessionDuration"] as const;

export interface FetchedReport {
  /** Null for the totals of a day. */
  dimension: string | null;
  metrics: readonly string[];
}

export const TOTALS_REPORT: FetchedReport = { dimension: null, metrics: OF_VISITS };

export const GA4_REPORTS: readonly FetchedReport[] = [
  { dimension: "pagePath", metrics: ["totalUsers", "sessions", "screenPageViews"] },
  { dimension: "landingPage", metrics: OF_VISITS },
  { dimension: "sessionSource", metrics: OF_VISITS },
  { dimension: "sessionMedium", metrics: OF_VISITS },
  { dimension: "sessionCampaignName", metrics: OF_VISITS },
  { dimension: "sessionDefaultChannelGroup", metrics: OF_VISITS },
  { dimension: "countryId", metrics: OF_VISITS },
  { dimension: "region", metrics: OF_VISITS },
  { dimension: "city", metrics: OF_VISITS },
  { dimension: "deviceCategory", metrics: OF_VISITS },
  { dimension: "browser", metrics: OF_VISITS },
  { dimension: "operatingSystem", metrics: OF_VISITS },
  { dimension: "eventName", metrics: ["totalUsers", "eventCount"] },
];

/** The name of a report's file. */
export const ga4FileName = ({ dimension }: FetchedReport): string => `${dimension ?? "totals"}.csv`;

/** The columns of a report's file. */
export const ga4Columns = ({ dimension, metrics }: FetchedReport): string[] => [
  "date",
  ...(dimension === null ? [] : [dimension]),
  ...metrics,
];
