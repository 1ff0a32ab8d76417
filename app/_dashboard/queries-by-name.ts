import { chartFromQuery } from "@/app/_dashboard/chart-of";
import { countriesFromQuery, detailsFromQuery } from "@/app/_dashboard/details-of";
import { listFromQuery } from "@/app/_dashboard/list-of";
import { optionsFromQuery } from "@/app/_dashboard/options-of";
import { panelsFromQuery } from "@/app/_dashboard/panels-of";
import type { QueryContext } from "@/app/_dashboard/queries";
import { Refusal } from "@/lib/platform/errors";

type Query = (context: QueryContext, searchParams: URLSearchParams) => Promise<object>;

/** What an open dashboard asks for in the background, by the last segment of the address. */
const QUERIES: Readonly<Record<string, Query>> = {
  /** Headline numbers and chart of a view, after a new event. */
  chart: chartFromQuery,
  /** All countries of a view, for the map. */
  countries: countriesFromQuery,
  /** One page of all values of a panel, for its details dialog. */
  details: detailsFromQuery,
  /** Values of one dimension, for a tab that is opened. */
  list: listFromQuery,
  /** Values of a field that contain a text, for the filter dialog. */
  options: optionsFromQuery,
  /** Lists of a view, for a dashboard that already shows its numbers. */
  panels: panelsFromQuery,
};

/** @throws Refusal `not_found` */
export function queryNamed(name: string): Query {
  const query = Object.hasOwn(QUERIES, name) && QUERIES[name];
  if (query) return query;
  throw new Refusal("not_found", `There is no ${Object.keys(QUERIES).join(", ")} or last-event at this address.`);
}
