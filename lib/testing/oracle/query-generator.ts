import fc from "fast-check";
import { OPERATORS, type Operator } from "@/lib/analytics/query/conditions";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import type { Period } from "@/lib/contract/fields";
import type { Traffic } from "@/lib/contract/vocabulary";
import { EVENTS, HOSTS, PATHS, SOURCES, TITLES } from "@/lib/testing/oracle/actions";
import { aimedAt } from "@/lib/testing/oracle/aim";
import { dateAt, daysBetween, plusDays } from "@/lib/testing/oracle/clock";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { type Query, rangeOf } from "@/lib/testing/oracle/query";
import { GOALS, type World } from "@/lib/testing/oracle/world";
import { runs } from "@/lib/testing/tier";

/** Random queries with values that occur in random worlds. */

const VALUES: Partial<Record<DimensionKey, string[]>> = {
  page: PATHS,
  entry_page: PATHS,
  exit_page: PATHS,
  hostname: HOSTS,
  title: TITLES,
  source: SOURCES.map(({ source }) => source),
  referrer: SOURCES.map(({ url }) => url),
  channel: SOURCES.map(({ channel }) => channel),
  channel_rule: ["one", "another"],
  utm_source: ["news", "google", ""],
  utm_medium: ["email", "cpc", ""],
  utm_campaign: ["spring", "brand", ""],
  utm_term: ["shoes", ""],
  utm_content: ["ad1", ""],
  country: ["DE", "FR", "US", ""],
  region: ["California", ""],
  city: ["Somewhere", ""],
  device: ["desktop", "mobile", "tablet"],
  browser: ["Chrome", "Firefox", "Safari"],
  browser_version: ["100", "101", "104"],
  os: ["Windows", "iOS"],
  os_version: ["11", ""],
  language: ["de", "en"],
  screen: ["large", "small"],
  traffic: ["human", "bot", "suspicious"],
  bot: ["Googlebot", "GPTBot", ""],
  bot_operator: ["OpenAI", "Google", ""],
  bot_purpose: ["training", "search", ""],
  event: [...EVENTS, "Search", "purchase"],
};
export const dimensionKeys = Object.keys(DIMENSIONS) as DimensionKey[];
const operators = Object.keys(OPERATORS) as Operator[];
const FRAGMENTS = ["a", "o", "/", "e", "1", "/blog", "S"];
const PATTERNS = ["^/a", "[a-e]$", "o+", "^$", "^(Sig|/bl|D)", "x|y"];

const dimension = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...dimensionKeys) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DimensionKey>("page", "event", "entry_page", "exit_page", "source", "country"),
  },
);

const comparing = (values: string[]): fc.Arbitrary<SentFilters[string]> => {
  const some = fc.array(fc.constantFrom(...values, "nothing of this name"), { minLength: 1, maxLength: 2 });
  const valuesOf = (operator: Operator): fc.Arbitrary<string[]> => {
    if (operator === "is" || operator === "is_not") return some;
    if (operator === "matches") return fc.constantFrom(...PATTERNS).map((pattern) => [pattern]);
    return fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 2 });
  };
  const compared = fc
    .constantFrom(...operators)
    .chain((operator) => valuesOf(operator).map((values) => ({ [operator]: values })));
  return fc.oneof(fc.constantFrom(...values), some, compared);
};

const condition: fc.Arbitrary<[string, SentFilters[string]]> = fc.oneof(
  {
    weight: 6,
    arbitrary: dimension.chain((key) =>
      comparing(VALUES[key] ?? [""]).map((sent): [string, typeof sent] => [key, sent]),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<[string, string[]]>(
        ["prop:plan", ["pro", "basic", ""]],
        ["prop:seats", ["3", ""]],
        ["prop:beta", ["true", ""]],
        ["prop:term", ["shoes", "hats"]],
        ["product", ["p1", "p2", "Socks", ""]],
      )
      .chain(([key, values]) => comparing(values).map((sent): [string, typeof sent] => [key, sent])),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom(
        ...GOALS.map(({ name }) => `goal:${name}`),
        "goal:Play",
        "goal:event:Play",
        "goal:/a",
        "goal:/blog/**",
      ),
      fc.constantFrom("yes", "no"),
    ),
  },
);

/** Two conditions that the same event must meet, although other events of its visit may meet one of them. */
const ofOneEvent: fc.Arbitrary<SentFilters> = fc
  .tuple(
    fc.constantFrom<SentFilters>(
      { page: ["/", "/a"] },
      { page: { is_not: ["/"] } },
      { title: "Home" },
      { "prop:plan": "pro" },
    ),
    fc.constantFrom<SentFilters>(
      { event: ["Signup", "Play"] },
      { event: { is_not: ["Signup"] } },
      { hostname: "example.com" },
    ),
  )
  .map(([one, other]) => ({ ...one, ...other }));

const filters: fc.Arbitrary<SentFilters> = fc.oneof(
  { weight: 3, arbitrary: fc.array(condition, { maxLength: 3 }).map((all) => Object.fromEntries(all)) },
  { weight: 1, arbitrary: ofOneEvent },
);

const periods: Period[] = [
  "today",
  "yesterday",
  "24h",
  "7d",
  "28d",
  "30d",
  "90d",
  "month",
  "last_month",
  "year",
  "all",
  "12mo",
];
const period = fc.oneof(fc.constantFrom<Period>("today", "24h", "7d", "28d"), fc.constantFrom(...periods));
const traffic: fc.Arbitrary<Traffic> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Traffic>("human") },
  { weight: 2, arbitrary: fc.constant<Traffic>("all") },
  { weight: 1, arbitrary: fc.constantFrom<Traffic>("bot", "ai", "spam", "suspicious") },
);

/** A dashboard. Its filters apply to a query, and its range and traffic are the defaults of the query. */
export interface View extends Pick<Query, "period" | "from" | "to" | "traffic"> {
  filters: SentFilters;
}

/** A query as it is sent, with its saved segment and dashboard. */
export interface SentQuery extends Omit<Query, "saved"> {
  segment?: SentFilters;
  dashboard?: View;
  /** Index of the event of the world to target; never sent. */
  aim?: number;
}

/** Combines a query with its segment and dashboard. */
export function resolved<Q extends SentQuery>({
  segment,
  dashboard,
  ...sentQuery
}: Q): Query & Omit<Q, keyof SentQuery> {
  const { filters, traffic, ...range } = dashboard ?? { filters: {} };
  return {
    ...(sentQuery.period || sentQuery.from ? {} : range),
    ...(traffic && { traffic }),
    ...sentQuery,
    saved: [segment ?? {}, filters],
  } as never;
}

const span = fc.oneof(
  period.map((period) => ({ period })),
  fc.record({ back: fc.nat({ max: 25 }), days: fc.nat({ max: 12 }) }),
);
const dashboard = fc
  .record({
    span: fc.option(span, { nil: undefined }),
    traffic: fc.option(traffic, { nil: undefined }),
    filters: fc.oneof(fc.constant({}), filters),
  })
  .map(({ span, traffic, filters }) => ({ ...span, ...(traffic && { traffic }), filters }));

const comparison = fc
  .constantFrom("none" as const, "previous_period" as const, "previous_period" as const, "year_over_year" as const)
  .map((compare) => ({ compare }));
/** A custom comparison range: its last day as days before now, and its number of days (as the range by default). */
const ownComparison = fc.record({
  comparedBack: fc.nat({ max: 25 }),
  comparedDays: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
});

/** Generates a few queries for the recent days of a world. */
export const sentQueries = <Own extends object>(own: fc.Arbitrary<Own>): fc.Arbitrary<(SentQuery & Own)[]> =>
  fc.array(
    fc
      .record({
        span,
        traffic,
        comparing: fc.oneof({ weight: 4, arbitrary: comparison }, { weight: 2, arbitrary: ownComparison }),
        filters: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: filters }),
        segment: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: filters }),
        dashboard: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: dashboard }),
        /** Whether the query omits range and traffic, so that the dashboard sets them. */
        silent: fc.boolean(),
        aim: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: fc.nat({ max: 40 }) }),
        own,
      })
      .map(({ span, traffic, own, segment, dashboard, silent, comparing, ...query }) => {
        const explicit = dashboard && silent ? {} : { ...span, traffic };
        return {
          ...explicit,
          ...comparing,
          ...query,
          ...(segment && { segment }),
          ...(dashboard && { dashboard }),
          ...own,
        } as never;
      }),
    { minLength: 1, maxLength: runs({ full: 3, quick: 1 }) },
  );

/** Converts ranges in "days back" to dates of the world, and targets queries with an `aim` at an event. */
export function withDates<Q extends SentQuery>(world: World, sentQuery: Q): Q {
  const { comparedBack, comparedDays, ...query } = withRecentDates(world, sentQuery as Q & Compared);
  if (comparedBack === undefined) return query as unknown as Q;
  const { from, to } = rangeOf(resolved(query), world);
  const compare_to = plusDays(dateAt(world.now, world.zone), -comparedBack);
  const compare_from = plusDays(compare_to, -(comparedDays ?? daysBetween(from, to)));
  return { ...query, compare_from, compare_to } as unknown as Q;
}

interface Compared {
  comparedBack?: number;
  comparedDays?: number;
}

function withRecentDates<Q extends SentQuery>(world: World, { dashboard, aim, ...sentQuery }: Q): Q {
  const view = dashboard && { dashboard: withRange(world, dashboard) };
  const query = { ...withRange(world, sentQuery), ...view } as unknown as Q;
  const aimed = aim === undefined ? query : aimedAt(world, query, aim);
  if (world.since === undefined || (aim !== undefined && aim % 2 === 1)) return aimed;
  const { period: _, ...rest } = aimed;
  return { ...rest, from: world.since, to: dateAt(world.now, world.zone) } as unknown as Q;
}

function withRange(
  { zone, now }: World,
  { back, days = 0, ...query }: Pick<Query, "from" | "to"> & { back?: number; days?: number },
): object {
  if (back === undefined) return query;
  const to = plusDays(dateAt(now, zone), -back);
  return { ...query, to, from: plusDays(to, -days) };
}
