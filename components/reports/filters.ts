import { msg } from "@/lib/texts/translate";

/**
 * Filters of a view, as in its URL: as JSON (`filters={"country":"FR"}`, the input format of operations) or with
 * brackets (`filters[country]=FR`). This module only parses the syntax, on the server and in browsers; operations
 * validate dimensions and operators.
 */
export interface Filter {
  /** A dimension, `prop:<name>`, `goal:<name>` or `event`. */
  key: string;
  operator: string;
  /** Matches any of these values; `""` means unknown or none. */
  values: string[];
  /** Names of values that are ids. */
  names?: ReadonlyMap<string, string>;
}

export type SearchParams = Record<string, string | string[] | undefined>;

/** Display text of the operators. */
export const OPERATOR_LABELS: Readonly<Record<string, string>> = {
  is: msg("is"),
  is_not: msg("is not"),
  contains: msg("contains"),
  not_contains: msg("does not contain"),
  starts_with: msg("starts with"),
  matches: msg("matches"),
};

/** Returns the goal or property that a key names; kind null for a dimension. */
export function namedBy(key: string): { kind: "goal" | "prop" | null; name: string } {
  const [, kind = null, name = ""] = /^(goal|prop):(.*)$/s.exec(key) ?? [];
  return { kind: kind as "goal" | "prop" | null, name };
}

/** Returns whether a value of a goal filter means "reached". */
export const isReached = (value: string): boolean => /^(yes|true)$/.test(value);

/** Converts `URLSearchParams` to the `searchParams` of Next.js pages. */
export const paramsOf = (query: URLSearchParams): SearchParams =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, oneOrAll(query.getAll(name))]));

const oneOrAll = (values: string[]) => (values.length === 1 ? values[0] : values);

/** Reads filters from search parameters; null if they are invalid. */
export function filtersOfQuery(params: SearchParams): Filter[] | null {
  const bracketed = Object.keys(params).filter((name) => name.startsWith("filters["));
  if (bracketed.length > 0) return params.filters === undefined ? fromBrackets(params, bracketed) : null;
  if (params.filters === undefined || params.filters === "") return [];
  return typeof params.filters === "string" ? fromJson(params.filters) : null;
}

/** Returns the filters of an answer or of something saved, which are in the input format of operations. */
export const filtersIn = (filters: unknown): Filter[] => filtersOfQuery({ filters: JSON.stringify(filters) }) ?? [];

function fromJson(text: string): Filter[] | null {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isTable(sent)) return sent === null ? [] : null;
  return joined(
    Object.entries(sent).flatMap(([key, value]) =>
      Object.entries(isTable(value) ? value : { is: value }).map(([operator, given]) => ({
        key,
        operator,
        values: (Array.isArray(given) ? given : [given]).map(textOf),
      })),
    ),
  );
}

function fromBrackets(params: SearchParams, names: string[]): Filter[] | null {
  return joined(
    names.map((name) => {
      const [, key, operator = "is"] = /^filters\[([^[\]]+)\](?:\[([^[\]]+)\])?(?:\[\])?$/.exec(name) ?? [];
      return key === undefined ? null : { key, operator, values: [params[name] ?? ""].flat() };
    }),
  );
}

const isTable = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null => {
  if (value === null) return "";
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
};

type Read = { key: string; operator: string; values: (string | null)[] } | null;

function joined(read: Read[]): Filter[] | null {
  const whole = read.filter((one): one is Filter => one !== null && !one.values.includes(null));
  return whole.length === read.length ? tidy(whole) : null;
}

/** Returns filters as the input of an operation; null for none. */
export function sentOf(filters: readonly Filter[]): Record<string, unknown> | null {
  if (filters.length === 0) return null;
  return Object.fromEntries(
    grouped(filters, ({ key }) => key).map(([key, all]) => {
      const compared = all.map(({ operator, values }) => [operator, values.length === 1 ? values[0] : values] as const);
      const [only] = compared;
      return [key, compared.length === 1 && only?.[0] === "is" ? only[1] : Object.fromEntries(compared)];
    }),
  );
}

/** Returns filters as a search parameter; null for none. */
export function writeFilters(filters: readonly Filter[]): string | null {
  const sent = sentOf(filters);
  return sent && JSON.stringify(sent);
}

/** Groups filters by dimension and merges those with the same operator, without duplicate values. */
export const tidy = (filters: readonly Filter[]): Filter[] =>
  grouped(filters, ({ key }) => key).flatMap(([key, ofKey]) =>
    grouped(ofKey, ({ operator }) => operator).map(([operator, same]) => ({
      key,
      operator,
      values: [...new Set(same.flatMap(({ values }) => values))],
      ...namesIn(same),
    })),
  );

function namesIn(filters: readonly Filter[]): Pick<Filter, "names"> {
  const names = new Map(filters.flatMap(({ names = [] }) => [...names]));
  return names.size > 0 ? { names } : {};
}

function grouped(filters: readonly Filter[], by: (filter: Filter) => string): [string, Filter[]][] {
  const groups = new Map<string, Filter[]>();
  for (const filter of filters) groups.set(by(filter), [...(groups.get(by(filter)) ?? []), filter]);
  return [...groups];
}

/** Returns whether the view is filtered by this value. */
export const isChosen = (filters: readonly Filter[], key: string, value: string): boolean =>
  filters.some((one) => one.key === key && one.operator === "is" && one.values.includes(value));

/** Adds a value to the filters of a dimension, or removes it. */
export function toggledFilter(filters: readonly Filter[], key: string, value: string): Filter[] {
  if (isChosen(filters, key, value)) return leaveOut(filters, key, "is", value);
  return tidy([...leaveOut(filters, key, "is_not", value), { key, operator: "is", values: [value] }]);
}

const leaveOut = (filters: readonly Filter[], key: string, operator: string, value: string): Filter[] =>
  filters.flatMap((one) => {
    if (one.key !== key || one.operator !== operator) return [one];
    const values = one.values.filter((other) => other !== value);
    return values.length > 0 ? [{ ...one, values }] : [];
  });

/** Key and operator identify a filter within a view. */
const isSame = (one: Filter, other: Filter) => one.key === other.key && one.operator === other.operator;

export const without = (filters: readonly Filter[], removed: Filter): Filter[] =>
  filters.filter((one) => !isSame(one, removed));

const OPPOSITES: Record<string, string> = {
  is: "is_not",
  is_not: "is",
  contains: "not_contains",
  not_contains: "contains",
};
const ANSWERS: Record<string, string> = { yes: "no", true: "no", no: "yes", false: "yes" };

/** Returns the inverted filter; null if its operator has no opposite. */
export function oppositeOf(filter: Filter): Filter | null {
  const { key, operator, values } = filter;
  if (key.startsWith("goal:")) return { key, operator, values: values.map((value) => ANSWERS[value] ?? value) };
  const opposite = OPPOSITES[operator];
  return opposite ? { ...filter, operator: opposite } : null;
}

/** Replaces a filter, or appends one if `old` is null. A dimension has at most one pattern: a new one replaces it. */
export function replaced(filters: readonly Filter[], old: Filter | null, by: Filter): Filter[] {
  const isReplaced = (one: Filter) => by.operator === "matches" && isSame(one, by);
  if (!old) return tidy([...filters.filter((one) => !isReplaced(one)), by]);
  return tidy(filters.flatMap((one) => (isSame(one, old) ? by : isReplaced(one) ? [] : one)));
}
