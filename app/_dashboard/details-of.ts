import { DEFAULT_SORT, DETAILS, type DetailsAnswer, type DetailsRow } from "@/components/reports/details";
import { type Filter, paramsOf, sentOf } from "@/components/reports/filters";
import { countriesNamed, valueName } from "@/components/reports/values";
import { NOT_COMPARED, readView, reportInput, type View } from "@/components/reports/view";
import { type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { mismatchOf } from "@/lib/analytics/query/metrics";
import type { Metric } from "@/lib/contract/vocabulary";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { Refusal } from "@/lib/platform/errors";
import type { QueryContext } from "./queries";

const ROWS = 25;
/** All the rows that the operation tells at once, more than there are countries. */
const MOST = 1000;
const LONGEST_SEARCH = 100;

interface Wanted {
  dimension: DimensionKey;
  /** What the values contain, in words where they have others than their own. */
  q: string;
  /** A metric of it or the dimension itself, with a minus the other way round. */
  sort: string;
  page: number;
}

/** What an address asks for: of which dimension, what is searched, in which order, which page, in which view. @throws Refusal */
export function detailsFromQuery(asking: QueryContext, address: URLSearchParams): Promise<DetailsAnswer> {
  const dimension = address.get(DETAILS.of) ?? "";
  if (!isDimension(dimension)) throw new Refusal("invalid_input", "There is no such list.");
  const page = /^[1-9]\d{0,2}$/.exec(address.get(DETAILS.page) ?? "1");
  if (!page) throw new Refusal("invalid_input", "There is no such page of the list.");
  const q = address.get(DETAILS.q) ?? "";
  const sort = address.get(DETAILS.sort) ?? DEFAULT_SORT;
  return detailsOf(asking, readView(paramsOf(address)), { dimension, q, sort, page: Number(page[0]) });
}

/** All countries of the view that an address says, those with the most visitors first. @throws Refusal */
export async function countriesFromQuery({ as, siteId, now }: QueryContext, address: URLSearchParams) {
  const question = reportInput(siteId, readView(paramsOf(address)));
  const input = { ...question, ...NOT_COMPARED, dimensions: "country", metrics: "visitors", limit: MOST };
  const { data } = await as(analyticsExplore, { input, now });
  return {
    rows: data.rows.flatMap(({ values: [value], visitors }) =>
      value ? [{ value, text: valueName("country", value), visitors: visitors ?? 0 }] : [],
    ),
  };
}

/** A page of all the values of a dimension in a view, each beside what it was in the range to compare with. @throws Refusal */
export async function detailsOf(asking: QueryContext, view: View, wanted: Wanted): Promise<DetailsAnswer> {
  const { dimension, page } = wanted;
  const metrics = metricsOf(dimension);
  const q = wanted.q.trim().slice(0, LONGEST_SEARCH);
  const by = wanted.sort.replace(/^-/, "");
  const sorted = { by, descending: by !== wanted.sort };
  if (by !== dimension && !metrics.some((metric) => metric === by)) {
    throw new Refusal("invalid_input", "The list cannot be sorted by that.");
  }
  const filters = view.filters ?? [];
  const answer = { metrics, sorted, page };
  // Countries are few, and searched and sorted by names that the operation does not know.
  if (dimension === "country" && (q !== "" || by === dimension)) {
    const { rows } = await rowsOf(asking, view, {
      dimension,
      metrics,
      filters,
      sort: wanted.sort,
      limit: MOST,
      page: 1,
    });
    const named = namedRows(rows, q, by === dimension ? sorted : null);
    return { ...answer, rows: named.slice((page - 1) * ROWS, page * ROWS), more: named.length > page * ROWS };
  }
  const searched = q === "" ? filters : [...filters, searchOf(dimension, q, filters)];
  const asked = { dimension, metrics, filters: searched, sort: wanted.sort, limit: ROWS, page };
  return { ...answer, ...(await rowsOf(asking, view, asked)) };
}

interface AskedRows extends Omit<Wanted, "q"> {
  metrics: Metric[];
  filters: readonly Filter[];
  limit: number;
}

/** Rows as the operation tells them, in words. */
async function rowsOf(
  { as, siteId, now }: QueryContext,
  view: View,
  { dimension, metrics, filters, ...asked }: AskedRows,
) {
  const input = {
    ...reportInput(siteId, view),
    ...(view.filters && { filters: sentOf(filters) }),
    dimensions: dimension,
    metrics: metrics.join(","),
    ...asked,
  };
  const { data } = await as(analyticsExplore, { input, now });
  const numbersOf = (row: (typeof data.rows)[number]) => metrics.map((metric) => row[metric] ?? null);
  const rows = data.rows.map((row, index): DetailsRow => {
    const [value = null] = row.values;
    const before = data.comparison?.[index];
    return {
      value: value ?? "",
      text: valueName(dimension, value),
      numbers: numbersOf(row),
      before: before ? numbersOf(before) : null,
    };
  });
  return { rows, more: data.meta.truncated === true };
}

/** The countries whose names contain a text, in the order of their names where that is asked for; the unknown one last. */
function namedRows(rows: DetailsRow[], q: string, sorted: DetailsAnswer["sorted"] | null): DetailsRow[] {
  const named = new Set(countriesNamed(q));
  const found = q === "" ? rows : rows.filter(({ value }) => named.has(value));
  if (sorted === null) return found;
  const way = sorted.descending ? -1 : 1;
  return found.toSorted(
    (a, b) => Number(a.value === "") - Number(b.value === "") || way * a.text.localeCompare(b.text, "en"),
  );
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
