import { conversionRate, converts, ranked, selectWithGoal, type WithGoal } from "@/lib/testing/oracle/acquisition";
import { ROBOTS } from "@/lib/testing/oracle/actions";
import { valueOfFact, valueOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isBounce, isPresence, isView, type Visit } from "@/lib/testing/oracle/facts";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { ratio, visitorsOf } from "@/lib/testing/oracle/metrics";
import { earned, salesOf, unconverted } from "@/lib/testing/oracle/money";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answer of AI traffic: what robots read, what they did not, and whom assistants sent. */

type Class = "ai" | "bot";
const CLASSES: readonly Class[] = ["ai", "bot"];

/** Returns the name of the robot that a visit has by its first event. */
const robotOf = ({ first }: Visit): string => first.agent.bot;
const knownOf = (name: string) => ROBOTS.find((robot) => robot.bot === name);

/** Returns the class in which a visit or an event is a reader; null for any other. */
function classOf(traffic: string, visit: Visit, query: Query): Class | null {
  const isReader = traffic === "ai" || (traffic === "bot" && knownOf(robotOf(visit))?.purpose === "search");
  const asked = query.traffic ?? "human";
  const isAsked = asked === "human" || asked === "all" || asked === traffic;
  return isReader && isAsked ? (traffic as Class) : null;
}

const isError = ({ status }: Fact): boolean => status !== null && status >= 400;
const isRead = (fact: Fact): boolean => !isError(fact);
const pageOf = (fact: Fact): string | null => fact.page?.path ?? null;
const lastOf = (facts: readonly Fact[]): string =>
  new Date(Math.floor(Math.max(...facts.map(({ at }) => at)))).toISOString();
const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

interface Readers {
  /** Page views of readers, with their class. */
  views: { fact: Fact; of: Class }[];
  visits: { visit: Visit; of: Class }[];
}

function readersOf({ facts, visits }: Selection, query: Query): Readers {
  return {
    views: facts.filter(isView).flatMap((fact) => {
      const of = classOf(fact.traffic, fact.visit, query);
      return of ? [{ fact, of }] : [];
    }),
    visits: visits.flatMap((visit) => {
      const of = classOf(visit.traffic, visit, query);
      return of ? [{ visit, of }] : [];
    }),
  };
}

function totalsOf(readers: Readers) {
  const of = (name: Class) => {
    const facts = readers.views.filter((one) => one.of === name).map(({ fact }) => fact);
    return {
      agents: distinct(facts.map(({ visit }) => robotOf(visit))).length,
      reads: facts.filter(isRead).length,
      errors: facts.filter(isError).length,
      pages: distinct(facts.filter(isRead).map(pageOf)).length,
      visits: readers.visits.filter((one) => one.of === name).length,
    };
  };
  return { ai: of("ai"), search_engines: of("bot") };
}

function agentsOf(readers: Readers) {
  const rows = CLASSES.flatMap((of) =>
    distinct(readers.views.filter((one) => one.of === of).map(({ fact }) => robotOf(fact.visit))).map((name) => {
      const facts = readers.views
        .filter((one) => one.of === of && robotOf(one.fact.visit) === name)
        .map(({ fact }) => fact);
      const visits = readers.visits.filter((one) => one.of === of && robotOf(one.visit) === name);
      const verified = (word: string) =>
        visits.filter(({ visit }) => knownOf(visit.first.robot ?? "")?.verified === word);
      const [good, bad] = [verified("verified").length, verified("spoofed").length];
      return {
        agent: name || null,
        operator: knownOf(name)?.operator || null,
        purpose: knownOf(name)?.purpose || null,
        traffic: of,
        reads: facts.filter(isRead).length,
        errors: facts.filter(isError).length,
        visits: visits.length,
        pages: distinct(facts.filter(isRead).map(pageOf)).length,
        last_seen: lastOf(facts),
        verification: { verified: good, claimed: verified("claimed").length, spoofed: bad },
        verified_share: ratio(good, good + bad),
      };
    }),
  );
  return ranked(
    rows,
    (row) => [row.reads, row.errors],
    (row) => [row.agent, row.traffic],
  );
}

function purposesOf({ views }: Readers) {
  const facts = views.filter(({ of }) => of === "ai").map(({ fact }) => fact);
  const purposeOf = (fact: Fact) => knownOf(robotOf(fact.visit))?.purpose || null;
  const rows = distinct(facts.map(purposeOf)).map((purpose) => {
    const those = facts.filter((fact) => purposeOf(fact) === purpose);
    return { purpose, reads: those.filter(isRead).length, errors: those.filter(isError).length };
  });
  return ranked(
    rows,
    (row) => [row.reads, row.errors],
    (row) => [row.purpose],
  );
}

function pagesOf({ views }: Readers): object[] {
  const all = views.map(({ fact }) => fact);
  const reads = all.filter(isRead);
  const rows = distinct(reads.map(pageOf)).map((page) => {
    const those = reads.filter((fact) => pageOf(fact) === page);
    const requests = all.filter((fact) => pageOf(fact) === page);
    const purposeOf = (fact: Fact) => knownOf(robotOf(fact.visit))?.purpose || null;
    const purposes = distinct(those.map(purposeOf)).map((purpose) => ({
      purpose,
      reads: those.filter((fact) => purposeOf(fact) === purpose).length,
    }));
    const answered = (from: number) =>
      requests.filter(({ status }) => status !== null && Math.floor(status / 100) === from).length;
    const unknown = requests.filter(({ status }) => status === null).length;
    return {
      page,
      reads: those.length,
      purposes: ranked(
        purposes,
        (row) => [row.reads],
        (row) => [row.purpose],
      ),
      agents: distinct(those.map(({ visit }) => robotOf(visit))).length,
      last_read: lastOf(those),
      statuses:
        unknown === requests.length
          ? null
          : { "2xx": answered(2), "3xx": answered(3), "4xx": answered(4), "5xx": answered(5), unknown },
    };
  });
  return ranked(
    rows,
    (row) => [row.reads],
    (row) => [row.page],
  );
}

function errorsOf({ views }: Readers): object[] {
  const failed = views.map(({ fact }) => fact).filter(isError);
  const keyOf = (fact: Fact) => JSON.stringify([pageOf(fact), fact.status]);
  const rows = distinct(failed.map(keyOf)).map((key) => {
    const those = failed.filter((fact) => keyOf(fact) === key);
    const [page, status] = JSON.parse(key) as [string | null, number];
    return {
      page,
      status,
      requests: those.length,
      agents: distinct(those.flatMap(({ visit }) => robotOf(visit) || [])).sort(),
      last_seen: lastOf(those),
    };
  });
  return ranked(
    rows,
    (row) => [row.requests, -(row.page === null ? 1 : 0)],
    (row) => [row.page, String(row.status)],
  );
}

/** Null when nobody knows of any reader in the range, whatever the filters. */
function unreadOf(readers: Readers, people: Selection, everybody: Selection): object[] | null {
  if (readersOf(everybody, {}).views.length === 0) return null;
  const read = new Set(readers.views.flatMap(({ fact }) => (isRead(fact) ? pageOf(fact) : [])));
  const views = people.facts.filter(isView);
  const pages = distinct(views.flatMap((fact) => valueOfFact(fact, "page", people.titles) || []));
  const rows = pages
    .filter((page) => !read.has(page))
    .map((page) => {
      const those = views.filter((fact) => pageOf(fact) === page);
      return { page, pageviews: those.length, visitors: visitorsOf(those, people.range.zone) };
    });
  return ranked(
    rows,
    (row) => [row.pageviews, row.visitors],
    (row) => [row.page],
  );
}

const isAssisted = (visit: Visit): boolean => valueOfVisit(visit, "channel") === "AI assistants";

function broughtBy(isCounted: (visit: Visit) => boolean, scope: Selection) {
  const visits = scope.visits.filter(isCounted);
  const conversions = visits.filter(({ facts }) => facts.some((fact) => converts(fact, scope.known))).length;
  return {
    visitors: visitorsOf(
      scope.facts.filter((fact) => isPresence(fact) && isCounted(fact.visit)),
      scope.range.zone,
    ),
    visits: visits.length,
    bounce_rate: ratio(visits.filter(isBounce).length, visits.length),
    conversions,
    conversion_rate: conversionRate(conversions, visits.length),
    revenue: earned(salesOf(scope).filter(({ fact }) => isCounted(fact.visit))),
  };
}

function referredOf(scope: Selection): object {
  const sourceOf = (visit: Visit) => valueOfVisit(visit, "source") || null;
  const assisted = [...scope.visits, ...scope.facts.filter(isPresence).map(({ visit }) => visit)].filter(isAssisted);
  const rows = distinct(assisted.map(sourceOf)).map((source) => {
    const isOfSource = (visit: Visit) => isAssisted(visit) && sourceOf(visit) === source;
    const visits = scope.visits.filter(isOfSource).filter(({ facts }) => facts.some(isView));
    const pages = distinct(visits.map((visit) => valueOfVisit(visit, "entry_page") || null)).map((page) => ({
      page,
      visits: visits.filter((visit) => (valueOfVisit(visit, "entry_page") || null) === page).length,
    }));
    return {
      source,
      ...broughtBy(isOfSource, scope),
      landing_pages: ranked(
        pages,
        (row) => [row.visits],
        (row) => [row.page],
      ).slice(0, 5),
    };
  });
  return {
    ...broughtBy(isAssisted, scope),
    sources: ranked(
      rows,
      (row) => [row.visits, row.visitors],
      (row) => [row.source],
    ),
  };
}

const ROBOT_KEYS = ["bot", "bot_operator", "bot_purpose"];
const withoutRobots = (filters: SentFilters): SentFilters =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => !ROBOT_KEYS.includes(key)));

export function ai(query: WithGoal, known: Known): object {
  const { scope, before } = select({ ...query, traffic: "all" }, known);
  const { filters = {}, saved = [] } = query;
  const ofPeople: WithGoal = {
    ...query,
    traffic: "human",
    filters: withoutRobots(filters),
    saved: saved.map(withoutRobots),
  };
  const people = selectWithGoal(ofPeople, known);
  const everybody = select({ ...query, traffic: "all", filters: {}, saved: [] }, known).scope;
  const readers = readersOf(scope, query);
  const agents = agentsOf(readers);
  const purposes = purposesOf(readers);
  const earlier = before && readersOf(before, query);
  const reads = (part: Selection, of: Class) =>
    readersOf(part, query).views.filter((one) => one.of === of && isRead(one.fact));
  const own = seriesOf(scope, (part) => ({
    purposes: purposes.map(({ purpose }) => ({
      purpose,
      reads: reads(part, "ai").filter(({ fact }) => (knownOf(robotOf(fact.visit))?.purpose || null) === purpose).length,
    })),
    agents: totalsOf(readersOf(part, query)).ai.agents,
    errors: totalsOf(readersOf(part, query)).ai.errors,
    search_engines: reads(part, "bot").length,
    trends: agents.map(
      ({ agent, traffic }) => reads(part, traffic).filter(({ fact }) => (robotOf(fact.visit) || null) === agent).length,
    ),
  })) as { trends: number[] }[];
  const sent = seriesOf(people.scope, (part) => {
    const { visits, conversions } = broughtBy(isAssisted, part);
    return { referred: visits, referred_conversions: conversions };
  }) as { referred: number; referred_conversions: number }[];
  return {
    totals: totalsOf(readers),
    purposes,
    agents: agents.map((row, index) => ({ ...row, trend: own.map(({ trends }) => trends[index] ?? 0) })),
    pages: pagesOf(readers),
    unread: unreadOf(readers, people.scope, everybody),
    errors: errorsOf(readers),
    goal: query.goal ?? null,
    referred: referredOf(people.scope),
    unconverted: unconverted(salesOf(people.scope).filter(({ fact }) => isAssisted(fact.visit))),
    comparison: earlier &&
      people.before && {
        totals: totalsOf(earlier),
        agents: agents.map(({ agent, traffic }) => {
          const found = agentsOf(earlier).find((row) => row.agent === agent && row.traffic === traffic);
          return found ? { reads: found.reads, errors: found.errors, visits: found.visits } : null;
        }),
        referred: broughtBy(isAssisted, people.before),
      },
    series: own.map(({ trends: _, ...bucket }, index) => ({
      ...bucket,
      referred: sent[index]?.referred,
      referred_conversions: sent[index]?.referred_conversions,
    })),
  };
}
