import type { Metric } from "@/lib/contract/vocabulary";

/** What the dialog with all values of a panel says in the address: of which dimension, what is searched, which page. */
export const DETAILS = { of: "details", q: "details_q", page: "details_page" } as const;

/** Takes the dialog out of an address. */
export const NO_DETAILS = { [DETAILS.of]: null, [DETAILS.q]: null, [DETAILS.page]: null };

/** All values of a dimension with their numbers, a page of them. */
export interface DetailsAnswer {
  metrics: Metric[];
  rows: { value: string; text: string; numbers: (number | null)[] }[];
  page: number;
  more: boolean;
}
