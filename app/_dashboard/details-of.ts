import { DETAILS, type DetailsAnswer } from "@/components/reports/details";
import { type Filter, paramsOf, sentOf } from "@/components/reports/filters";
import { countriesNamed, valueName } from "@/components/reports/values";
import { questionOf, readView, type View } from "@/components/reports/view";
import { type DimensionKey, isDimension } from "@/lib/analytics/dimensions";
import { mismatchOf } from "@/lib/analytics/metrics";
import { Refusal } from "@/lib/contract/errors";
import type { Metric } from "@/lib/contract/vocabulary";
import analyticsExplore from "@/lib/operations/analytics.explore";
import type { Asking } from "./ask";

const ROWS = 25;
/** All the rows that the operation tells at once, more than there are countries. */
const MOST = 1000;
const LONGEST_SEARCH = 100;

interface Wanted {
  dimension: DimensionKey;
  /** What the values contain, in words where they have others than their own. */
  q: string;
  page: number;
}

/** What an address asks for: of which dimension, what is searched, which page, in which view. @throws Refusal */
export function detailsAsked(asking: Asking, address: URLSearchParams): Promise<DetailsAnswer> {
  const dimension = address.get(DETAILS.of) ?? "";
  if (!isDimension(dimension)) throw new Refusal("invalid_input", "There is no such list.");
  const page = /^[1-9]\d{0,2}$/.exec(address.get(DETAILS.page) ?? "1");
  if (!page) throw new Refusal("invalid_input", "There is no such page of the list.");
  const q = address.get(DETAILS.q) ?? "";
  return detailsOf(asking, readView(paramsOf(address)), { dimension, q, page: Number(page[0]) });
}

/** All countries of the view that an address says, those with the most visitors first. @throws Refusal */
export async function countriesAsked({ as, siteId, now }: Asking, address: URLSearchParams) {
  const question = questionOf(siteId, readView(paramsOf(address)));
  const input = { ...question, compare: "none", dimensions: "country", metrics: "visitors", limit: MOST };
  const { data } = await as(analyticsExplore, { input, now });
  return {
    rows: data.rows.flatMap(({ values: [value], visitors }) =>
      value ? [{ value, text: valueName("country", value), visitors: visitors ?? 0 }] : [],
    ),
  };
}

/** A page of all the values of a dimension in a view, those with the most visitors first. @throws Refusal */
export async function detailsOf({ as, siteId, now }: Asking, view: View, wanted: Wanted): Promise<DetailsAnswer> {
  const { dimension, page } = wanted;
  const metrics = metricsOf(dimension);
  const q = wanted.q.trim().slice(0, LONGEST_SEARCH);
  const ask = async (filters: readonly Filter[], limit: number, page: number) => {
    const question = questionOf(siteId, view);
    const input = {
      ...question,
      ...(view.filters && { filters: sentOf(filters) }),
      compare: "none",
      dimensions: dimension,
      metrics: metrics.join(","),
      limit,
      page,
    };
    const { data } = await as(analyticsExplore, { input, now });
    const rows = data.rows.map(({ values: [value = null], ...row }) => ({
      value: value ?? "",
      text: valueName(dimension, value),
      numbers: metrics.map((metric) => row[metric] ?? null),
    }));
    return { rows, more: data.meta.truncated === true };
  };
  const filters = view.filters ?? [];
  // Countries are few, and searched by names that the operation does not know.
  if (dimension === "country" && q !== "") {
    const named = new Set(countriesNamed(q));
    const rows = (await ask(filters, MOST, 1)).rows.filter(({ value }) => named.has(value));
    return { metrics, page, rows: rows.slice((page - 1) * ROWS, page * ROWS), more: rows.length > page * ROWS };
  }
  const searched = q === "" ? filters : [...filters, searchOf(dimension, q, filters)];
  return { metrics, page, ...(await ask(searched, ROWS, page)) };
}

/** What can be told of a dimension: bounces and durations belong to whole visits, not to a page or an event. */
function metricsOf(dimension: DimensionKey): Metric[] {
  if (dimension === "event") return ["visitors", "visits", "events"];
  const all: Metric[] = ["visitors", "visits", "pageviews", "bounce_rate", "visit_duration"];
  const told = all.filter((metric) => mismatchOf(metric, dimension) === null);
  return told.includes("bounce_rate") ? told : [...told, "time_on_page", "scroll_depth"];
}

/**
 * A search as a further filter, whatever the capitals. The values of one operator are alternatives, so it takes one that
 * the view does not use of this dimension.
 */
function searchOf(dimension: DimensionKey, q: string, filters: readonly Filter[]): Filter {
  const used = filters.filter(({ key }) => key === dimension).map(({ operator }) => operator);
  if (!used.includes("matches")) {
    return { key: dimension, operator: "matches", values: [`(?i)${q.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`] };
  }
  if (!used.includes("contains")) return { key: dimension, operator: "contains", values: [q] };
  throw new Refusal("invalid_input", "Beside filters that search these values already, they cannot be searched.");
}
