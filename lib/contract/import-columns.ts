/** What a column of a file of another service may mean, where its name does not tell. */
export const COLUMN_MEANINGS = {
  date: "Date",
  nth_day: "Number of the day",
  visitors: "Total users",
  visits: "Sessions",
  pageviews: "Views",
  bounce_rate: "Bounce rate",
  duration: "Average session duration",
  events: "Event count",
  page: "Page path",
  entry_page: "Landing page",
  source: "Session source",
  source_medium: "Session source / medium",
  utm_medium: "Session medium",
  utm_campaign: "Session campaign",
  channel: "Session channel group",
  country: "Country",
  region: "Region",
  city: "City",
  device: "Device category",
  browser: "Browser",
  os: "Operating system",
  event: "Event name",
  ignored: "Another number, which is skipped",
} as const;
export type ColumnMeaning = keyof typeof COLUMN_MEANINGS;

/** A column whose meaning the owner has to choose. */
export interface ColumnQuestion {
  file: string;
  column: string;
  /** Values of its first rows. */
  examples: string[];
  /** What it most likely means; null for no idea. */
  suggestion: ColumnMeaning | null;
}

/** What the owner chose for a column. */
export interface ChosenColumn {
  file: string;
  column: string;
  meaning: ColumnMeaning;
}
