import { storedParts, storedValues } from "@/lib/analytics/query/canonical-values";
import { DIMENSIONS, type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { type Issue, invalidInput } from "@/lib/platform/errors";
import { canonicalName } from "@/lib/platform/names";
import { LONGEST_PATH } from "@/lib/platform/text";

/**
 * Filters of a report. Conditions are AND-ed. A condition on a visit dimension chooses visits and their events. All
 * conditions on events (page, hostname, title, event, properties, product) are about one and the same event: they choose the
 * events that meet them, and the visits that contain such an event. A goal chooses by visitor and local day.
 */
export interface Condition {
  /** As the caller wrote it, such as `country`, `prop:plan`, `goal:Signup` or `product`. */
  key: string;
  on: { dimension: DimensionKey } | { prop: string } | { goal: string } | { product: true };
  operator: Operator;
  /** Where the caller wrote it, for errors. */
  path: string;
  /** Any of these; `''` is unknown or none. */
  values: string[];
}

/** How a value is compared. Case matters, as in URLs. */
export const OPERATORS = {
  is: "is one of the values",
  is_not: "is none of the values",
  contains: "contains one of the values",
  not_contains: "contains none of the values",
  starts_with: "begins with one of the values",
  matches: "matches the value, one RE2 regular expression of at most 256 characters",
} as const;
export type Operator = keyof typeof OPERATORS;

const MOST_CONDITIONS = 30;
const MOST_VALUES = 100;
const LONGEST_VALUE = LONGEST_PATH;
export const LONGEST_PATTERN = 256;

/**
 * @param pageQuery the query parameters that make a page of the site, for whole addresses.
 * @throws Refusal `invalid_input` that names each unknown key, unknown operator or invalid value.
 */
export function readFilters(
  sent: Record<string, unknown> | null | undefined,
  { name = "filters", pageQuery = [] }: { name?: string; pageQuery?: readonly string[] } = {},
): Condition[] {
  const issues: Issue[] = [];
  const conditions = Object.entries(sent ?? {}).flatMap(([key, value]) => {
    const on = subjectOf(key);
    if (on) return conditionsOf(key, on, value, { path: `${name}.${key}`.slice(0, 120), pageQuery, issues });
    issues.push({ path: `${name}.${key}`.slice(0, 120), message: `is not known; there are ${KNOWN_KEYS}` });
    return [];
  });
  if (conditions.length > MOST_CONDITIONS) {
    issues.push({ path: name, message: `has ${conditions.length} conditions; at most ${MOST_CONDITIONS} are taken` });
  }
  if (issues.length > 0) throw invalidInput(issues);
  return conditions;
}

const KNOWN_KEYS = `${Object.keys(DIMENSIONS).join(", ")}, product, prop:<name> and goal:<name>`;

function subjectOf(key: string): Condition["on"] | null {
  if (isDimension(key)) return { dimension: key };
  if (key === "product") return { product: true };
  const [, kind, name] = /^(prop|goal):(.{1,255})$/s.exec(key) ?? [];
  const canonical = canonicalName(name ?? "");
  if (canonical === "") return null;
  return kind === "prop" ? { prop: canonical } : { goal: name as string };
}

function conditionsOf(
  key: string,
  on: Condition["on"],
  value: unknown,
  { path, pageQuery, issues }: { path: string; pageQuery: readonly string[]; issues: Issue[] },
): Condition[] {
  const compared = typeof value === "object" && value !== null && !Array.isArray(value) ? value : { is: value };
  const entries = Object.entries(compared);
  if (entries.length === 0) issues.push({ path, message: `is empty; give a value, or one of ${OPERATOR_NAMES}` });
  return entries.flatMap(([operator, given]) => {
    const at = operator === "is" ? path : `${path}.${operator}`.slice(0, 150);
    if (!Object.hasOwn(OPERATORS, operator)) {
      issues.push({ path: at, message: `is not an operator; there are ${OPERATOR_NAMES}` });
      return [];
    }
    const values = (Array.isArray(given) ? given : [given]).map(conditionText);
    const fault = faultOfValues(on, operator as Operator, values);
    if (fault) issues.push({ path: at, message: fault });
    if (fault) return [];
    const canonical = (values as string[]).flatMap((value) => canonicalIn(on, operator as Operator, value, pageQuery));
    return [{ key, on, operator: operator as Operator, path: at, values: canonical }];
  });
}

function canonicalIn(on: Condition["on"], operator: Operator, value: string, pageQuery: readonly string[]): string[] {
  if (!("dimension" in on) || value === "" || operator === "matches") return [value];
  const isWhole = operator === "is" || operator === "is_not";
  return isWhole ? storedValues(on.dimension, value, pageQuery) : storedParts(on.dimension, value);
}

const OPERATOR_NAMES = Object.keys(OPERATORS).join(", ");

/** Null and `''` are "unknown". Numbers and truth values are what a property holds. */
function conditionText(value: unknown): string | null {
  if (value === null) return "";
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

function faultOfValues(on: Condition["on"], operator: Operator, values: (string | null)[]): string | null {
  if (values.length === 0) return "has no value; give one, or leave it out";
  if (values.length > MOST_VALUES) return `has ${values.length} values; at most ${MOST_VALUES} are taken`;
  if (operator === "matches" && values.length > 1) {
    return `has ${values.length} regular expressions; give one, with | between alternatives`;
  }
  if (values.some((value) => value === null))
    return 'is text, a list of texts, or an object such as {"contains": "blog"}';
  if ("goal" in on && !(operator === "is" && values.length === 1 && /^(yes|no|true|false)$/.test(values[0] ?? ""))) {
    return "is yes for visitors who reached the goal, or no for those who did not";
  }
  const longest = operator === "matches" ? LONGEST_PATTERN : LONGEST_VALUE;
  if (values.some((value) => (value ?? "").length > longest))
    return `has values of more than ${longest} characters; shorten them`;
  return values.includes("") && !["is", "is_not"].includes(operator)
    ? 'has an empty value; what has none is {"is": ""}'
    : null;
}
