import fc from "fast-check";
import { OPERATORS, type Operator } from "@/lib/analytics/query/conditions";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import type { Period } from "@/lib/contract/fields";
import type { Traffic } from "@/lib/contract/vocabulary";
import { EVENTS, HOSTS, PATHS, SOURCES, TITLES } from "@/lib/testing/oracle/actions";
import { aimedAt } from "@/lib/testing/oracle/aim";
import { dateAt, daysBetween, plusDays } from "@/lib/testing/oracle/clock";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { type Asked, rangeOf } from "@/lib/testing/oracle/query";
import { GOALS, type World } from "@/lib/testing/oracle/world";

/** Random questions, of words that random worlds hold. */

const WORDS: Partial<Record<DimensionKey, string[]>> = {
  page: PATHS,
  entry_page: PATHS,
  exit_page: PATHS,
  hostname: HOSTS,
  title: TITLES,
  source: SOURCES.map(({ source }) => source),
  referrer: SOURCES.map(({ url }) => url),
  channel: SOURCES.map(({ channel }) => channel),
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
  bot: ["Googlebot", ""],
  event: [...EVENTS, "Search", "purchase"],
};
export const dimensionKeys = Object.keys(DIMENSIONS) as DimensionKey[];
const operators = Object.keys(OPERATORS) as Operator[];
const PARTS = ["a", "o", "/", "e", "1", "/blog", "S"];
const PATTERNS = ["^/a", "[a-e]$", "o+", "^$", "^(Sig|/bl|D)", "x|y"];

const dimension = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...dimensionKeys) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DimensionKey>("page", "event", "entry_page", "exit_page", "source", "country"),
  },
);

const comparing = (words: string[]): fc.Arbitrary<SentFilters[string]> => {
  const some = fc.array(fc.constantFrom(...words, "nothing of this name"), { minLength: 1, maxLength: 2 });
  const valuesOf = (operator: Operator): fc.Arbitrary<string[]> => {
    if (operator === "is" || operator === "is_not") return some;
    if (operator === "matches") return fc.constantFrom(...PATTERNS).map((pattern) => [pattern]);
    return fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 2 });
  };
  const compared = fc
    .constantFrom(...operators)
    .chain((operator) => valuesOf(operator).map((values) => ({ [operator]: values })));
  return fc.oneof(fc.constantFrom(...words), some, compared);
};

const condition: fc.Arbitrary<[string, SentFilters[string]]> = fc.oneof(
  {
    weight: 6,
    arbitrary: dimension.chain((key) =>
      comparing(WORDS[key] ?? [""]).map((sent): [string, typeof sent] => [key, sent]),
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
      )
      .chain(([key, words]) => comparing(words).map((sent): [string, typeof sent] => [key, sent])),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom(...GOALS.map(({ name }) => `goal:${name}`), "goal:Play"),
      fc.constantFrom("yes", "no"),
    ),
  },
);

/** Two conditions on events that one and the same event must meet, though others of its visit may meet one of them. */
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

/** A saved view. It narrows a question, and says what range and traffic are meant where the question itself does not. */
export interface View extends Pick<Asked, "period" | "from" | "to" | "traffic"> {
  filters: SentFilters;
}

/** A question as it is sent: with what is saved under a name. */
export interface Question extends Omit<Asked, "saved"> {
  segment?: SentFilters;
  dashboard?: View;
  /** Chooses an event of the world that the question is to be about; never sent. */
  aim?: number;
}

/** What is meant by it all together. */
export function meant<Q extends Question>({ segment, dashboard, ...question }: Q): Asked & Omit<Q, keyof Question> {
  const { filters, traffic, ...range } = dashboard ?? { filters: {} };
  return {
    ...(question.period || question.from ? {} : range),
    ...(traffic && { traffic }),
    ...question,
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
  .constantFrom("none" as const, "none" as const, "previous_period" as const, "year_over_year" as const)
  .map((compare) => ({ compare }));
/** Days of the question's own to compare with: so many days before now the last of them, as many as the range has or others. */
const ownComparison = fc.record({
  comparedBack: fc.nat({ max: 25 }),
  comparedDays: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
});

/** Some questions about a world, of its recent days. */
export const questions = <Own extends object>(own: fc.Arbitrary<Own>): fc.Arbitrary<(Question & Own)[]> =>
  fc.array(
    fc
      .record({
        span,
        traffic,
        comparing: fc.oneof({ weight: 4, arbitrary: comparison }, { weight: 2, arbitrary: ownComparison }),
        filters: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: filters }),
        segment: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: filters }),
        dashboard: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: dashboard }),
        /** Whether the dashboard may say what range and traffic are meant. */
        silent: fc.boolean(),
        aim: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: fc.nat({ max: 40 }) }),
        own,
      })
      .map(({ span, traffic, own, segment, dashboard, silent, comparing, ...asked }) => {
        const said = dashboard && silent ? {} : { ...span, traffic };
        return {
          ...said,
          ...comparing,
          ...asked,
          ...(segment && { segment }),
          ...(dashboard && { dashboard }),
          ...own,
        } as never;
      }),
    { minLength: 1, maxLength: 3 },
  );

/** Ranges told as "so many days back" in the days of a world, and questions about an event in that event's. */
export function inDaysOf<Q extends Question>(world: World, question: Q): Q {
  const { comparedBack, comparedDays, ...asked } = inRecentDays(world, question as Q & Compared);
  if (comparedBack === undefined) return asked as unknown as Q;
  const { from, to } = rangeOf(meant(asked), world);
  const compare_to = plusDays(dateAt(world.now, world.zone), -comparedBack);
  const compare_from = plusDays(compare_to, -(comparedDays ?? daysBetween(from, to)));
  return { ...asked, compare_from, compare_to } as unknown as Q;
}

interface Compared {
  comparedBack?: number;
  comparedDays?: number;
}

function inRecentDays<Q extends Question>(world: World, { dashboard, aim, ...question }: Q): Q {
  const view = dashboard && { dashboard: dated(world, dashboard) };
  const asked = { ...dated(world, question), ...view } as unknown as Q;
  const aimed = aim === undefined ? asked : aimedAt(world, asked, aim);
  if (world.since === undefined || (aim !== undefined && aim % 2 === 1)) return aimed;
  const { period: _, ...rest } = aimed;
  return { ...rest, from: world.since, to: dateAt(world.now, world.zone) } as unknown as Q;
}

function dated(
  { zone, now }: World,
  { back, days = 0, ...asked }: Pick<Asked, "from" | "to"> & { back?: number; days?: number },
): object {
  if (back === undefined) return asked;
  const to = plusDays(dateAt(now, zone), -back);
  return { ...asked, to, from: plusDays(to, -days) };
}
