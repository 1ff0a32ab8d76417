import {
  DIMENSIONS,
  type DimensionKey,
  dimensionOf,
  isDimension,
  NAMED_EVENTS,
  ONLY_ON_VISITS,
  VIEWS,
  wordsOf,
} from "@/lib/analytics/dimensions";
import { type Goal, goalNamed } from "@/lib/analytics/goals";
import { pathRegex } from "@/lib/analytics/path-regex";
import { type Issue, invalidInput } from "@/lib/contract/errors";
import { Prisma, reports } from "@/lib/db";

/**
 * What a report is narrowed to. Conditions are AND-ed. A condition on a visit dimension chooses visits and their events. All
 * conditions on events (page, hostname, title, event, properties) are about one and the same event: they choose the
 * events that meet them, and the visits that contain such an event. A goal chooses by visitor and local day.
 */
export interface Condition {
  /** As the caller wrote it, such as `country`, `prop:plan` or `goal:Signup`. */
  key: string;
  on: { dimension: DimensionKey } | { prop: string } | { goal: string };
  operator: Operator;
  /** Any of these; `''` is unknown or none. */
  values: string[];
}

/** How a word is compared. Letters are told apart by case, as in addresses. */
export const OPERATORS = {
  is: "is one of the values",
  is_not: "is none of the values",
  contains: "contains one of the values",
  not_contains: "contains none of the values",
  starts_with: "begins with one of the values",
  matches: "matches one of the values, Postgres regular expressions of at most 256 characters",
} as const;
export type Operator = keyof typeof OPERATORS;

const MOST_CONDITIONS = 30;
const MOST_VALUES = 100;
const LONGEST_VALUE = 2048;
const LONGEST_PATTERN = 256;
/** A condition that so many words of a dictionary meet is no narrowing, and its list of ids would have no end. */
const MOST_WORDS = 50_000;

/** @throws Refusal `invalid_input` naming each key, operator or value that is not understood. */
export function readFilters(sent: Record<string, unknown> | null | undefined, name = "filters"): Condition[] {
  const issues: Issue[] = [];
  const conditions = Object.entries(sent ?? {}).flatMap(([key, value]) => {
    const on = subjectOf(key);
    if (on) return conditionsOf(key, on, value, `${name}.${key}`.slice(0, 120), issues);
    issues.push({ path: `${name}.${key}`.slice(0, 120), message: `is not a filter; there are ${KNOWN_KEYS}` });
    return [];
  });
  if (conditions.length > MOST_CONDITIONS) {
    issues.push({ path: name, message: `has ${conditions.length} conditions; at most ${MOST_CONDITIONS} are taken` });
  }
  if (issues.length > 0) throw invalidInput(issues);
  return conditions;
}

const KNOWN_KEYS = `${Object.keys(DIMENSIONS).join(", ")}, prop:<name> and goal:<name>`;

function subjectOf(key: string): Condition["on"] | null {
  if (isDimension(key)) return { dimension: key };
  const [, kind, name] = /^(prop|goal):(.{1,255})$/s.exec(key) ?? [];
  if (kind === "prop") return { prop: name as string };
  return kind === "goal" ? { goal: name as string } : null;
}

function conditionsOf(key: string, on: Condition["on"], value: unknown, path: string, issues: Issue[]): Condition[] {
  const compared = typeof value === "object" && value !== null && !Array.isArray(value) ? value : { is: value };
  const entries = Object.entries(compared);
  if (entries.length === 0) issues.push({ path, message: `is empty; give a value, or one of ${OPERATOR_NAMES}` });
  return entries.flatMap(([operator, given]) => {
    const at = operator === "is" ? path : `${path}.${operator}`.slice(0, 150);
    if (!Object.hasOwn(OPERATORS, operator)) {
      issues.push({ path: at, message: `is not a way to compare; there are ${OPERATOR_NAMES}` });
      return [];
    }
    const values = (Array.isArray(given) ? given : [given]).map(textOf);
    const fault = faultOf(on, operator as Operator, values);
    if (fault) issues.push({ path: at, message: fault });
    return fault ? [] : [{ key, on, operator: operator as Operator, values: values as string[] }];
  });
}

const OPERATOR_NAMES = Object.keys(OPERATORS).join(", ");

/** Null and `''` are "unknown". Numbers and truth values are what a property holds. */
function textOf(value: unknown): string | null {
  if (value === null) return "";
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

function faultOf(on: Condition["on"], operator: Operator, values: (string | null)[]): string | null {
  if (values.length === 0) return "has no value";
  if (values.length > MOST_VALUES) return `has ${values.length} values; at most ${MOST_VALUES} are taken`;
  if (values.some((value) => value === null))
    return 'is text, a list of texts, or an object such as {"contains": "blog"}';
  if ("goal" in on && !(operator === "is" && values.length === 1 && /^(yes|no|true|false)$/.test(values[0] ?? ""))) {
    return "is yes for visitors who reached the goal, or no for those who did not";
  }
  const longest = operator === "matches" ? LONGEST_PATTERN : LONGEST_VALUE;
  if (values.some((value) => (value ?? "").length > longest)) return `has values of more than ${longest} characters`;
  return values.includes("") && !["is", "is_not"].includes(operator) ? "has an empty value" : null;
}

/** Conditions ready to be asked: SQL about the fact called `fact`. */
export interface Filters {
  /** About a visit, and about an event as what its visit is. */
  visit: Prisma.Sql[];
  /** About what only a visit knows. */
  visitOnly: Prisma.Sql[];
  /** About one event. */
  event: Prisma.Sql[];
  goals: { reached: boolean; event: Prisma.Sql }[];
}

export const NO_FILTERS: Filters = { visit: [], visitOnly: [], event: [], goals: [] };

/**
 * Looks the words of conditions up in the dictionaries, so that the facts are asked for numbers only.
 *
 * @throws Refusal `invalid_input` for a regular expression that is none, and for a condition that more than 50,000
 *   words meet.
 */
export async function resolveFilters(siteId: number, conditions: readonly Condition[]): Promise<Filters> {
  const filters: Filters = { visit: [], visitOnly: [], event: [], goals: [] };
  await checkPatterns(conditions);
  await Promise.all(
    conditions.map(async (condition) => {
      const { on, operator, values } = condition;
      if ("goal" in on) {
        const goal = await goalNamed(siteId, on.goal);
        filters.goals.push({ reached: /^(yes|true)$/.test(values[0] ?? ""), event: await reaching(siteId, goal) });
      } else if ("prop" in on) {
        filters.event.push(compared(Prisma.sql`coalesce(fact.props ->> ${on.prop}, '')`, operator, values));
      } else {
        const sql = await ofDimension(siteId, on.dimension, { ...condition, path: `filters.${condition.key}` });
        if (ONLY_ON_VISITS.has(on.dimension)) filters.visitOnly.push(sql);
        else filters[dimensionOf(on.dimension).level].push(sql);
      }
    }),
  );
  return filters;
}

async function ofDimension(
  siteId: number,
  key: DimensionKey,
  { path, operator, values }: Pick<Condition, "operator" | "values"> & { path: string },
) {
  const { fact, types } = dimensionOf(key);
  const [positive, negated] = POSITIVE[operator];
  const test = (word: Prisma.Sql) => compared(word, positive, values);
  const found = await reports().$queryRaw<{ id: number }[]>`
    SELECT 0 AS id WHERE ${test(Prisma.sql`''::text`)}
    UNION ALL SELECT id FROM ${wordsOf(key, siteId)} AS words(id, word) WHERE ${test(Prisma.sql`word`)}
    LIMIT ${MOST_WORDS + 1}`;
  if (found.length > MOST_WORDS) {
    throw invalidInput([{ path, message: `is met by more than ${MOST_WORDS} values; narrow it` }]);
  }
  const ids = found.map(({ id }) => id);
  const chosen = negated ? Prisma.sql`${fact} <> ALL(${ids}::int[])` : Prisma.sql`${fact} = ANY(${ids}::int[])`;
  // Engagement and other reports of a page belong to it; a name belongs to the events that carry one.
  return types && key === "event" ? Prisma.sql`(${chosen} AND ${ofTypes(types)})` : chosen;
}

/** The operator that finds words, and whether those found are the ones left out. */
const POSITIVE: Record<Operator, [Operator, boolean]> = {
  is: ["is", false],
  is_not: ["is", true],
  contains: ["contains", false],
  not_contains: ["contains", true],
  starts_with: ["starts_with", false],
  matches: ["matches", false],
};

/** SQL that compares a text. */
export function compared(word: Prisma.Sql, operator: Operator, values: readonly string[]): Prisma.Sql {
  const any = Prisma.sql`SELECT FROM unnest(${values}::text[]) AS value WHERE`;
  switch (operator) {
    case "is":
      return Prisma.sql`${word} = ANY(${values}::text[])`;
    case "is_not":
      return Prisma.sql`${word} <> ALL(${values}::text[])`;
    case "contains":
      return Prisma.sql`EXISTS (${any} strpos(${word}, value) > 0)`;
    case "not_contains":
      return Prisma.sql`NOT EXISTS (${any} strpos(${word}, value) > 0)`;
    case "starts_with":
      return Prisma.sql`EXISTS (${any} starts_with(${word}, value))`;
    case "matches":
      return Prisma.sql`EXISTS (${any} ${word} ~ value)`;
  }
}

/** SQL for the events of these types. That all of them are named is said too: such events have an index of their own. */
export const ofTypes = (types: readonly number[]): Prisma.Sql => {
  const those = Prisma.sql`fact.type = ANY(${types}::smallint[])`;
  return types.every((type) => NAMED_EVENTS.includes(type)) ? Prisma.sql`(fact.name <> 0 AND ${those})` : those;
};

/** SQL for the events by which a goal, or a step of a funnel, is reached; `path` is the parameter that told it. */
export async function reaching(
  siteId: number,
  { kind, pattern }: Pick<Goal, "kind" | "pattern">,
  path = `filters.${kind}`,
): Promise<Prisma.Sql> {
  const asked =
    kind === "page"
      ? { operator: "matches" as const, values: [pathRegex(pattern)] }
      : { operator: "is" as const, values: [pattern] };
  const met = await ofDimension(siteId, kind, { path, ...asked });
  return kind === "page" ? Prisma.sql`(${met} AND ${ofTypes(VIEWS)})` : met;
}

/** Postgres' own judgement on regular expressions. @throws Refusal `invalid_input` for one that is none. */
export async function checkPatterns(conditions: readonly Condition[]): Promise<void> {
  for (const { key, operator, values } of conditions) {
    if (operator !== "matches") continue;
    await reports().$queryRaw`SELECT bool_or('' ~ pattern) FROM unnest(${values}::text[]) AS pattern`.catch((error) => {
      if (!/2201B|regular expression/i.test(String(error?.message) + JSON.stringify(error?.meta ?? {}))) throw error;
      throw invalidInput([
        { path: `filters.${key}.matches`, message: "is not a regular expression that Postgres understands" },
      ]);
    });
  }
}
