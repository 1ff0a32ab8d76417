import { iconOf } from "@/components/icons/icon-of";
import { OUTCOMES_SHOWN } from "@/components/reports/answers";
import { DEFAULT_SORT, DETAILS, type DetailsAnswer, type DetailsRow } from "@/components/reports/details";
import { type Filter, paramsOf, sentOf } from "@/components/reports/filters";
import { NOT_COMPARED, readView, reportInput, type View } from "@/components/reports/view";
import { type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { mismatchOf } from "@/lib/analytics/query/metrics";
import { HAS_CODES, isNamed, valueName } from "@/lib/analytics/query/value-names";
import type { Metric, Outcome } from "@/lib/contract/vocabulary";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { Refusal } from "@/lib/platform/errors";
import { currentLanguage, t } from "@/lib/texts/translate";
import { measured, outcomesShown } from "./outcomes-of";
import type { QueryContext } from "./queries";

const ROWS = 25;
/** The operation's maximum of rows, more than there are countries or languages. */
const MAX_ROWS = 1000;
const MAX_SEARCH_LENGTH = 100;

interface DetailsRequest {
  dimension: DimensionKey;
  /** Text that the values contain; for countries and languages, that their names contain. */
  q: string;
  /** A metric or the dimension itself; a leading minus sorts descending. */
  sort: string;
  page: number;
  /** What rows show that visits led to, as the page says; null if it does not. */
  known: string | null;
}

/** Details for a URL: dimension, search, order, page and view. @throws Refusal */
export function detailsFromQuery(context: QueryContext, searchParams: URLSearchParams): Promise<DetailsAnswer> {
  const dimension = searchParams.get(DETAILS.of) ?? "";
  if (!isDimension(dimension)) throw new Refusal("invalid_input", t("This dimension does not exist."));
  const page = /^[1-9]\d{0,2}$/.exec(searchParams.get(DETAILS.page) ?? "1");
  if (!page) throw new Refusal("invalid_input", t("The page must be a number from 1 to 999."));
  const q = searchParams.get(DETAILS.q) ?? "";
  const sort = searchParams.get(DETAILS.sort) ?? DEFAULT_SORT;
  const known = searchParams.get(OUTCOMES_SHOWN);
  return detailsOfView(context, readView(paramsOf(searchParams)), { dimension, q, sort, page: Number(page[0]), known });
}

/** All countries of the view of a URL, most visitors first. @throws Refusal */
export async function countriesFromQuery({ as, siteId, now }: QueryContext, searchParams: URLSearchParams) {
  const question = reportInput(siteId, readView(paramsOf(searchParams)));
  const input = { ...question, ...NOT_COMPARED, dimensions: "country", metrics: "visitors", limit: MAX_ROWS };
  const { data } = await as(analyticsExplore, { input, now });
  return {
    rows: data.rows.flatMap(({ values: [value], visitors }) =>
      value ? [{ value, text: valueName("country", value), visitors: visitors ?? 0 }] : [],
    ),
  };
}

/** One page of the values of a dimension in a view, with the values of the comparison range. @throws Refusal */
export async function detailsOfView(
  context: QueryContext,
  view: View,
  request: DetailsRequest,
): Promise<DetailsAnswer> {
  const { dimension, page } = request;
  const outcomes = await outcomesShown(context, view, request.known);
  const metrics = [...metricsOf(dimension), ...outcomes];
  const q = request.q.trim().slice(0, MAX_SEARCH_LENGTH);
  const by = request.sort.replace(/^-/, "");
  const sorted = { by, descending: by !== request.sort };
  if (by !== dimension && !metrics.some((metric) => metric === by)) {
    throw new Refusal("invalid_input", t("The list cannot be sorted by this column."));
  }
  const filters = view.filters ?? [];
  const answer = { metrics, sorted, page };
  // Countries and languages are searched and sorted by name, which the operation cannot do because it knows only codes.
  if (HAS_CODES.has(dimension) && (q !== "" || by === dimension)) {
    const all = { dimension, outcomes, filters, sort: request.sort, limit: MAX_ROWS, page: 1 };
    const { rows, currency } = await rowsOf(context, view, all);
    const named = namedRows(rows, dimension, q, by === dimension ? sorted : null);
    return { ...answer, currency, rows: named.slice((page - 1) * ROWS, page * ROWS), more: named.length > page * ROWS };
  }
  const searched = q === "" ? filters : [...filters, searchOf(dimension, q, filters)];
  const options = { dimension, outcomes, filters: searched, sort: request.sort, limit: ROWS, page };
  return { ...answer, ...(await rowsOf(context, view, options)) };
}

interface RowsRequest extends Omit<DetailsRequest, "q" | "known"> {
  outcomes: readonly Outcome[];
  filters: readonly Filter[];
  limit: number;
}

/** Queries rows and adds the labels of their values. */
async function rowsOf(
  { as, siteId, now }: QueryContext,
  view: View,
  { dimension, outcomes, filters, ...options }: RowsRequest,
) {
  const input = {
    ...reportInput(siteId, view),
    ...(view.filters && { filters: sentOf(filters) }),
    dimensions: dimension,
    ...measured(metricsOf(dimension), outcomes, view),
    ...options,
  };
  const { data } = await as(analyticsExplore, { input, now });
  const numbersOf = (row: (typeof data.rows)[number]) => data.metrics.map((metric) => row[metric] ?? null);
  const rows = data.rows.map((row, index): DetailsRow => {
    const [value = null] = row.values;
    const before = data.comparison?.[index];
    const icon = iconOf(dimension, value);
    return {
      value: value ?? "",
      text: valueName(dimension, value),
      ...(icon !== undefined && { icon }),
      numbers: numbersOf(row),
      before: before ? numbersOf(before) : null,
    };
  });
  return { rows, currency: data.currency, more: data.meta.truncated === true };
}

/** Rows whose names contain a text, optionally sorted by name with the unknown one last. */
function namedRows(
  rows: DetailsRow[],
  dimension: string,
  q: string,
  sorted: DetailsAnswer["sorted"] | null,
): DetailsRow[] {
  const found = q === "" ? rows : rows.filter(({ value }) => isNamed(dimension, value, q));
  if (sorted === null) return found;
  const sign = sorted.descending ? -1 : 1;
  return found.toSorted(
    (a, b) => Number(a.value === "") - Number(b.value === "") || sign * a.text.localeCompare(b.text, currentLanguage()),
  );
}

/** Metrics of a dimension. Bounce rate and visit duration apply to whole visits, not to pages or events. */
function metricsOf(dimension: DimensionKey): Metric[] {
  if (dimension === "event") return ["visitors", "visits", "events"];
  const all: Metric[] = ["visitors", "visits", "pageviews", "bounce_rate", "visit_duration"];
  const metrics = all.filter((metric) => mismatchOf(metric, dimension) === null);
  return metrics.includes("bounce_rate") ? metrics : [...metrics, "time_on_page", "scroll_depth"];
}

/**
 * Turns a case-insensitive search into a filter. Values of one operator are alternatives, so it uses an operator that
 * the view does not use for this dimension.
 */
function searchOf(dimension: DimensionKey, q: string, filters: readonly Filter[]): Filter {
  const used = filters.filter(({ key }) => key === dimension).map(({ operator }) => operator);
  if (!used.includes("matches")) {
    return { key: dimension, operator: "matches", values: [`(?i)${q.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`] };
  }
  if (!used.includes("contains")) return { key: dimension, operator: "contains", values: [q] };
  throw new Refusal("invalid_input", t("The view already searches these values; remove one of its filters to search."));
}
