import type { Measure } from "@/lib/contract/vocabulary";

/** Search parameters of the details dialog: dimension, search text, sorting (`sort` of analytics.explore) and page. */
export const DETAILS = { of: "details", q: "details_q", sort: "details_sort", page: "details_page" } as const;

/** Most visitors first. */
export const DEFAULT_SORT = "-visitors";

/** Patch that closes the dialog. */
export const NO_DETAILS = { [DETAILS.of]: null, [DETAILS.q]: null, [DETAILS.sort]: null, [DETAILS.page]: null };

/** One page of the values of a dimension with their metrics and what their visits led to. */
export interface DetailsAnswer {
  metrics: Measure[];
  /** The currency of money; null without any. */
  currency: string | null;
  rows: DetailsRow[];
  /** The metric or dimension that all values are sorted by. */
  sorted: { by: string; descending: boolean };
  page: number;
  more: boolean;
}

export interface DetailsRow {
  value: string;
  text: string;
  /** What `iconOf` returned, for a dimension whose values have icons. */
  icon?: string;
  /** One value per metric; null if unknown. */
  numbers: (number | null)[];
  /** The same for the comparison range; null without a comparison or if it has no such row. */
  before: (number | null)[] | null;
}
