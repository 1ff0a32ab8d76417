import { type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { ranked } from "@/lib/testing/oracle/acquisition";
import { ROBOTS } from "@/lib/testing/oracle/actions";
import { pageKey } from "@/lib/testing/oracle/dimensions";
import { type Fact, namedProductsIn, productsIn, type RawEvent } from "@/lib/testing/oracle/facts";
import { importedValues } from "@/lib/testing/oracle/imported";
import { rowsBy, visitorsOf } from "@/lib/testing/oracle/metrics";
import { filtersOf, historyOf, type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";

/** Expected answer of filter_options: every value that was ever sent, with its visitors. */

export interface OptionsQuery extends Query {
  field: string;
  q?: string;
  search?: string;
  limit?: number;
}

interface Option {
  value: string;
  name?: string;
  visitors: number | null;
}

const DEFAULT_ROWS = 20;

export function options(query: OptionsQuery, known: Known): object {
  const { scope } = select(query, known);
  const parts = [query.q ?? "", query.search ?? ""].map((part) => part.toLowerCase());
  const fitting = valuesFor(query, scope).filter(({ value, name }) =>
    parts.every((part) => [value, name].some((text) => text?.toLowerCase().includes(part))),
  );
  const limit = query.limit ?? DEFAULT_ROWS;
  return normalised({ field: query.field, rows: fitting.slice(0, limit), truncated: fitting.length > limit }, known);
}

interface Options {
  field: string;
  rows: readonly Option[];
  truncated: boolean;
}

/**
 * Returns options in a normalised order, because the order of equally frequent values depends on the dictionary. Values
 * that tie at the limit are compared without their text. The order of properties is exact: the latest first.
 */
export function normalised({ field, rows, truncated }: Options, known: Known): object {
  if (/^prod|^prop/.test(field)) return { rows, truncated };
  // A copy made before or after them knows such values or not, so no value without visitors is compared.
  const isUnsure = isDimension(field) && hasUnstoredValues(field, known);
  const compared = isUnsure ? rows.filter((row) => row.visitors !== 0) : rows;
  const visitors = compared.map((row) => row.visitors);
  const last = visitors.at(-1);
  const texts = compared.map((row) =>
    (truncated || isUnsure) && row.visitors === last ? "tied" : JSON.stringify([row.value, row.visitors]),
  );
  return { visitors, rows: texts.sort(), truncated: isUnsure ? null : truncated };
}

/** Whether some values were sent only by events that are not stored, such as an engagement without a visit. */
function hasUnstoredValues(key: DimensionKey, known: Known): boolean {
  const pages = known.events.flatMap(({ page }) => (page ? [page] : []));
  const titles = new Map(pages.reverse().map((page) => [pageKey(page), page.title ?? ""]));
  const sentBy = (events: readonly RawEvent[]) => new Set(events.flatMap((event) => valuesIn(event, key, titles)));
  const stored = sentBy(historyOf(known).flatMap(({ facts }) => facts));
  return [...sentBy(known.events)].some((value) => !stored.has(value));
}

function valuesFor(query: OptionsQuery, scope: Selection): Option[] {
  const { field } = query;
  if (field === "goal") return scope.known.goals.map(({ name }) => ({ value: name, visitors: null }));
  if (field === "prop")
    return inProps(scope, ({ props }) => Object.keys(props ?? {}).filter((name) => props?.[name] !== null));
  if (field === "product") {
    const named = scope.facts.flatMap(namedProductsIn).filter(({ name }) => name !== null);
    const names = new Map(named.reverse().map(({ product, name }) => [product, { name: `${name}` }]));
    return inProps(scope, productsIn).map((row) => ({ ...row, ...names.get(row.value) }));
  }
  if (field.startsWith("prop:")) {
    return inProps(scope, ({ props }) => {
      const value = props?.[field.slice(5)];
      return value === undefined || value === null || value === "" ? [] : [`${value}`];
    });
  }
  const key = field as DimensionKey;
  const counted = new Map(rowsBy(scope, [key]).map(({ values: [value], numbers }) => [value, numbers.visitors ?? 0]));
  const narrowed = filtersOf(query).some((filters) => Object.keys(filters).length > 0);
  const sent = scope.known.events.flatMap((event) => valuesIn(event, key, scope.titles));
  // Traffic classes are options even without events.
  const all = [...sent, ...importedValues(scope.known, key)];
  const values = key === "traffic" ? Object.keys(TRAFFIC_CLASSES) : [...new Set(all)].filter((value) => value !== "");
  const rows = values.map((value) => ({ value, visitors: counted.get(value) ?? 0 }));
  return ranked(
    rows.filter(({ visitors }) => visitors > 0 || !narrowed),
    ({ visitors }) => [visitors],
    ({ value }) => [value],
  );
}

/** Returns texts of event properties, most visitors first, then the latest. */
function inProps({ facts, range }: Selection, textsOf: (fact: Fact) => string[]): Option[] {
  const rows = [...new Set(facts.flatMap(textsOf))].map((value) => {
    const those = facts.filter((fact) => textsOf(fact).includes(value));
    const latest = Math.max(...those.map(({ at }) => at));
    return { value, visitors: visitorsOf(those, range.zone), latest };
  });
  const sorted = ranked(
    rows,
    ({ visitors, latest }) => [visitors, latest],
    ({ value }) => [value],
  );
  return sorted.map(({ latest: _, ...row }) => row);
}

/**
 * Returns the values of a dimension that an event sends, whether or not its visit uses them.
 *
 * @param titles the first title of each page.
 */
function valuesIn(
  { page, referrer, campaign, place, agent, name, traffic }: RawEvent,
  key: DimensionKey,
  titles: Selection["titles"],
): string[] {
  switch (key) {
    case "traffic":
      return [traffic];
    case "page":
    case "entry_page":
    case "exit_page":
      return page ? [page.path] : [];
    case "hostname":
      return page ? [page.hostname] : [];
    case "title":
      return page ? [titles.get(pageKey(page)) ?? ""] : [];
    case "source":
    case "channel":
      return [referrer[key]];
    case "channel_rule":
      return [referrer.rule];
    case "referrer":
      return [referrer.url];
    case "utm_source":
    case "utm_medium":
    case "utm_campaign":
    case "utm_term":
    case "utm_content":
      return campaign ? [campaign[key.slice(4) as keyof typeof campaign]] : [];
    case "country":
    case "region":
    case "city":
    case "language":
      return [place[key]];
    case "event":
      // The dictionary of event names includes experiments.
      return name === null ? [] : [name];
    case "bot_operator":
    case "bot_purpose": {
      const robot = ROBOTS.find(({ bot }) => bot === agent.bot);
      return robot ? [key === "bot_operator" ? robot.operator : robot.purpose] : [];
    }
    default:
      return [agent[key]];
  }
}
