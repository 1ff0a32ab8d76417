/**
 * What a view is narrowed to, as its address says it: in the form that the operations take, as JSON
 * (`filters={"country":"FR"}`) or with brackets (`filters[country]=FR`). Whether there is such a dimension or operator,
 * the operation decides; here is only the grammar, for server and browser alike.
 */
export interface Filter {
  /** A dimension, `prop:<name>`, `goal:<name>` or `event`. */
  key: string;
  operator: string;
  /** Any of these; `""` is unknown or none. */
  values: string[];
}

export type SearchParams = Record<string, string | string[] | undefined>;

/** Operators as they stand between what is compared and a value. */
export const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  is: "is",
  is_not: "is not",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  matches: "matches",
};

/** Which goal or property a key names; neither for that of a dimension. */
export function namedBy(key: string): { kind: "goal" | "prop" | null; name: string } {
  const [, kind = null, name = ""] = /^(goal|prop):(.*)$/s.exec(key) ?? [];
  return { kind: kind as "goal" | "prop" | null, name };
}

/** Whether a value of a goal's filter says that it was reached. */
export const isReached = (value: string): boolean => /^(yes|true)$/.test(value);

/** A query as the pages get theirs. */
export const paramsOf = (query: URLSearchParams): SearchParams =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, oneOrAll(query.getAll(name))]));

const oneOrAll = (values: string[]) => (values.length === 1 ? values[0] : values);

/** The filters of an address; null when what stands there is none. */
export function readFilters(params: SearchParams): Filter[] | null {
  const bracketed = Object.keys(params).filter((name) => name.startsWith("filters["));
  if (bracketed.length > 0) return params.filters === undefined ? fromBrackets(params, bracketed) : null;
  if (params.filters === undefined || params.filters === "") return [];
  return typeof params.filters === "string" ? fromJson(params.filters) : null;
}

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

/** The same filters as the input of an operation; null for none. */
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

/** The same filters as the parameter of an address; null for none. */
export function writeFilters(filters: readonly Filter[]): string | null {
  const sent = sentOf(filters);
  return sent && JSON.stringify(sent);
}

/** Each dimension's filters beside each other, each operator once, each value once. */
export const tidy = (filters: readonly Filter[]): Filter[] =>
  grouped(filters, ({ key }) => key).flatMap(([key, ofKey]) =>
    grouped(ofKey, ({ operator }) => operator).map(([operator, same]) => ({
      key,
      operator,
      values: [...new Set(same.flatMap(({ values }) => values))],
    })),
  );

function grouped(filters: readonly Filter[], by: (filter: Filter) => string): [string, Filter[]][] {
  const groups = new Map<string, Filter[]>();
  for (const filter of filters) groups.set(by(filter), [...(groups.get(by(filter)) ?? []), filter]);
  return [...groups];
}

/** Whether a row of this value is what the view is narrowed to. */
export const isChosen = (filters: readonly Filter[], key: string, value: string): boolean =>
  filters.some((one) => one.key === key && one.operator === "is" && one.values.includes(value));

/** Narrowed to one more value of a dimension, or no longer narrowed to it. */
export function toggled(filters: readonly Filter[], key: string, value: string): Filter[] {
  if (isChosen(filters, key, value)) return leaveOut(filters, key, "is", value);
  return tidy([...leaveOut(filters, key, "is_not", value), { key, operator: "is", values: [value] }]);
}

const leaveOut = (filters: readonly Filter[], key: string, operator: string, value: string): Filter[] =>
  filters.flatMap((one) => {
    if (one.key !== key || one.operator !== operator) return [one];
    const values = one.values.filter((other) => other !== value);
    return values.length > 0 ? [{ ...one, values }] : [];
  });

/** By these two a filter is told from the others of its view. */
const isSame = (one: Filter, other: Filter) => one.key === other.key && one.operator === other.operator;

export const without = (filters: readonly Filter[], gone: Filter): Filter[] =>
  filters.filter((one) => !isSame(one, gone));

const OPPOSITES: Record<string, string> = {
  is: "is_not",
  is_not: "is",
  contains: "not_contains",
  not_contains: "contains",
};
const ANSWERS: Record<string, string> = { yes: "no", true: "no", no: "yes", false: "yes" };

/** What says the contrary of a filter; null where nothing does. */
export function oppositeOf({ key, operator, values }: Filter): Filter | null {
  if (key.startsWith("goal:")) return { key, operator, values: values.map((value) => ANSWERS[value] ?? value) };
  const opposite = OPPOSITES[operator];
  return opposite ? { key, operator: opposite, values } : null;
}

/** With a filter in the place of another one, or as the last one. A dimension has one pattern: a new one replaces it. */
export function replaced(filters: readonly Filter[], old: Filter | null, by: Filter): Filter[] {
  const isReplaced = (one: Filter) => by.operator === "matches" && isSame(one, by);
  if (!old) return tidy([...filters.filter((one) => !isReplaced(one)), by]);
  return tidy(filters.flatMap((one) => (isSame(one, old) ? by : isReplaced(one) ? [] : one)));
}
