import type { Metric } from "@/lib/contract/vocabulary";

/**
 * What the dialog with all values of a panel says in the address: of which dimension, what is searched, how it is sorted
 * (as `sort` of the operation explore), which page.
 */
export const DETAILS = { of: "details", q: "details_q", sort: "details_sort", page: "details_page" } as const;

/** The most visited first. */
export const USUAL_SORT = "-visitors";

/** Takes the dialog out of an address. */
export const NO_DETAILS = { [DETAILS.of]: null, [DETAILS.q]: null, [DETAILS.sort]: null, [DETAILS.page]: null };

/** All values of a dimension with their numbers, a page of them. */
export interface DetailsAnswer {
  metrics: Metric[];
  rows: DetailsRow[];
  /** The metric or the dimension by which all of them are sorted. */
  sorted: { by: string; descending: boolean };
  page: number;
  more: boolean;
}

export interface DetailsRow {
  value: string;
  text: string;
  /** A number for each of the metrics; null where it is unknown. */
  numbers: (number | null)[];
  /** The same of the comparison's range; null where nothing is compared, or it has no such row. */
  before: (number | null)[] | null;
}
