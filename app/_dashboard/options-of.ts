import { paramsOf } from "@/components/reports/filters";
import { countriesNamed, valueName } from "@/components/reports/values";
import { NOT_COMPARED, readView, reportInput } from "@/components/reports/view";
import { isDimension } from "@/lib/analytics/query/dimensions";
import analyticsFilterOptions from "@/lib/operations/analytics.filter_options";
import type { QueryContext } from "./queries";

const ROWS = 50;
/** As many as the operation tells; more countries than most sites know. */
const MOST = 100;

/**
 * The values of `field` that contain `q`, each in words, as an address asks for them. The view's other filters are left
 * out, so that a further value of a dimension can be found, and at once. @throws Refusal
 */
export async function optionsFromQuery(asking: QueryContext, address: URLSearchParams) {
  const [field, q] = [address.get("field") ?? "", address.get("q") ?? ""];
  const view = { ...readView(paramsOf(address)), filters: [], segment: null, ...NOT_COMPARED };
  const ask = (text: string, limit: number) =>
    optionsOf(asking, { ...reportInput(asking.siteId, view), field, q: text, limit });
  const found = field === "country" ? await countries(q, ask) : await ask(q, ROWS);
  const options = found.map(({ value, visitors }) => ({ value, visitors, text: valueName(field, value) }));
  return { field, options: [...options, ...unknownOf(field, q)] };
}

interface Found {
  value: string;
  visitors: number | null;
}

async function optionsOf({ as, now }: QueryContext, input: object): Promise<Found[]> {
  const { data } = await as(analyticsFilterOptions, { input, now });
  return data.options;
}

/** Countries are found by their names, which the operation, knowing codes, does not. */
async function countries(q: string, ask: (q: string, limit: number) => Promise<Found[]>): Promise<Found[]> {
  const named = countriesNamed(q);
  const all = await ask("", MOST);
  const seen = all.filter(({ value }) => named.includes(value));
  // Where there may be more of them than are told, any that there is.
  const others = all.length < MOST || q === "" ? [] : named.filter((code) => !seen.some(({ value }) => value === code));
  return [...seen, ...others.map((value) => ({ value, visitors: null }))].slice(0, ROWS);
}

/** Every hit has these. */
const ALWAYS_KNOWN = ["page", "hostname", "event", "bot"];

/** The value that is none, when it is among what was typed. */
function unknownOf(field: string, q: string): (Found & { text: string })[] {
  const text = valueName(field, "");
  const offered = isDimension(field) && !ALWAYS_KNOWN.includes(field) && text.toLowerCase().includes(q.toLowerCase());
  return offered ? [{ value: "", visitors: null, text }] : [];
}
