import { paramsOf } from "@/components/reports/filters";
import { NOT_COMPARED, readView, reportInput } from "@/components/reports/view";
import { isDimension } from "@/lib/analytics/query/dimensions";
import { countriesNamed, HAS_CODES, isNamed, valueName } from "@/lib/analytics/query/value-names";
import analyticsFilterOptions from "@/lib/operations/analytics.filter_options";
import type { QueryContext } from "./queries";

const ROWS = 50;
/** The operation's maximum of options, more countries and languages than most sites have. */
const MAX_CODES = 100;

/**
 * Values of `field` that contain `q`, with labels. Ignores the filters of the view, so that further values of a
 * dimension are found. @throws Refusal
 */
export async function optionsFromQuery(context: QueryContext, searchParams: URLSearchParams) {
  const [field, q] = [searchParams.get("field") ?? "", searchParams.get("q") ?? ""];
  const view = { ...readView(paramsOf(searchParams)), filters: [], segment: null, ...NOT_COMPARED };
  const query = (text: string, limit: number) =>
    optionsOf(context, { ...reportInput(context.siteId, view), field, q: text, limit });
  const found = HAS_CODES.has(field) ? await codeOptions(field, q, query) : await query(q, ROWS);
  const options = found.map(({ value, name, visitors }) => ({
    value,
    visitors,
    text: name ?? valueName(field, value),
  }));
  return { field, options: [...options, ...unknownOf(field, q)] };
}

interface Found {
  value: string;
  name?: string;
  visitors: number | null;
}

async function optionsOf({ as, now }: QueryContext, input: object): Promise<Found[]> {
  const { data } = await as(analyticsFilterOptions, { input, now });
  return data.options;
}

/** Finds countries and languages by name, which the operation cannot do because it knows only codes. */
async function codeOptions(
  field: string,
  q: string,
  query: (q: string, limit: number) => Promise<Found[]>,
): Promise<Found[]> {
  const all = await query("", MAX_CODES);
  const seen = all.filter(({ value }) => isNamed(field, value, q));
  // If the list may be truncated, offer every country with a matching name.
  const isWhole = all.length < MAX_CODES || q === "" || field !== "country";
  const others = isWhole ? [] : countriesNamed(q).filter((code) => !seen.some(({ value }) => value === code));
  return [...seen, ...others.map((value) => ({ value, visitors: null }))].slice(0, ROWS);
}

/** Fields that every event has. */
const ALWAYS_KNOWN = ["page", "hostname", "event", "bot"];

/** The option for a missing value, if its label contains `q`. */
function unknownOf(field: string, q: string): { value: string; visitors: null; text: string }[] {
  const text = valueName(field, "");
  const offered = isDimension(field) && !ALWAYS_KNOWN.includes(field) && text.toLowerCase().includes(q.toLowerCase());
  return offered ? [{ value: "", visitors: null, text }] : [];
}
