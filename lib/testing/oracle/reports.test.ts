import { test } from "vitest";
import { asRead, EXPERIMENTS, VARIANTS } from "@/lib/testing/oracle/actions";
import { checkReports } from "@/lib/testing/oracle/check";
import { REPORTS } from "@/lib/testing/oracle/every-report";
import { withSignups } from "@/lib/testing/oracle/funnels";
import { withLongVisits } from "@/lib/testing/oracle/journeys";
import { withRecentEvents } from "@/lib/testing/oracle/realtime";
import { withIdentifiedPeople } from "@/lib/testing/oracle/retention";
import { withCommerce } from "@/lib/testing/oracle/shopping";
import { withVitals } from "@/lib/testing/oracle/vitals";
import { overMidnights, reshaped, type World } from "@/lib/testing/oracle/world";

/**
 * Compares reports with an independent oracle, which counts the raw events of random worlds with plain loops and shares
 * no code with the reports.
 */

/** They take half a minute; a failure is reported as a small world after another minute. */
test("the overview and each bucket of the chart are what a plain count of the raw events says", () =>
  checkReports([REPORTS.overview(), REPORTS.chart()], { fixed: 32 }));

test("headlines, buckets, lists and explored rows agree with the plain count where most visits are of two days", () =>
  checkReports(
    [REPORTS.overview(), REPORTS.chart(), REPORTS.explore(), REPORTS.heatmap(), REPORTS.campaigns(), REPORTS.seo()],
    { shape: overMidnights, fixed: 16, fresh: 2 },
  ));

/** A part of the worlds has sales, searches or vitals. */
const withSome = (world: World): World =>
  [withSomeCommerce, withSearches, withVitals, (same: World) => same][world.cut % 4]?.(world) ?? world;

test("a report has data where a plain look at the raw events finds some for it", () =>
  checkReports([REPORTS.reports()], { shape: withSome, fixed: 20 }));

test("visitors and visits by weekday and hour are what looking at the clock each quarter of an hour finds", () =>
  checkReports([REPORTS.heatmap()], { fixed: 25 }));

test("metrics by any dimensions are what a plain count of the raw events says", () =>
  checkReports([REPORTS.explore()], { fixed: 25 }));

/** In half of the worlds, most events are sales, so that orders are sent again. */
const withSomeCommerce = (world: World): World => (world.cut % 2 ? withCommerce(world) : world);

test("campaigns, channels, events, goals and the details of one event are what a plain count of the raw events says", () =>
  checkReports([REPORTS.campaigns(), REPORTS.events(), REPORTS.explore()], { shape: withSomeCommerce, fixed: 25 }));

test("the parts of a change, what is left of it, and the values that stand out are what plain loops over both ranges find", () =>
  checkReports([REPORTS.changes()], { shape: withSomeCommerce, fixed: 30 }));

test("the visitors of the last minutes are what a plain count of the raw events says", () =>
  checkReports([REPORTS.realtime()], { shape: withRecentEvents, fixed: 25 }));

test("funnels count the longest paths that plain loops over the raw events find", () =>
  checkReports([REPORTS.funnels()], { shape: withSignups, fixed: 25 }));

test("the details of funnels and the paths of visits are what plain loops over funnel paths and visits find", () =>
  checkReports([REPORTS.funnelsAdvanced(), REPORTS.journeys()], { shape: withLongVisits, fixed: 20 }));

const SEARCHES = [{ term: "shoes" }, { term: "Shoes", results: 0 }, { term: "hats", results: 12 }];
const withSearches = (world: World): World =>
  reshaped(world, (event, index) =>
    index % 3 === 0 ? { ...event, type: "event", name: "Search", props: SEARCHES[(index % 7) % 3] ?? null } : event,
  );

test("searches and what followed them are what plain loops over each visit find", () =>
  checkReports([REPORTS.siteSearch()], { shape: withSearches, fixed: 20 }));

const withExposures = (world: World): World =>
  reshaped(world, (event, index) => {
    if (index % 2) return event;
    const variant = VARIANTS[event.who.charCodeAt(1) % 3];
    return { ...event, type: "exposure", name: EXPERIMENTS[index % 4 ? 0 : 1] ?? null, props: { variant } };
  });

test("experiments count the visitors that plain loops find, and their statistics are those of a fine grid", () =>
  checkReports([REPORTS.experiments()], { shape: withExposures, fixed: 20 }));

test("sales, refunds and products, and the values that filters may be given, are what plain sums over the events say", () =>
  checkReports([REPORTS.commerce(), REPORTS.filterOptions()], { shape: withCommerce, fixed: 24 }));

test("by first touch, conversions and sales have the source and campaign of the visit that plain loops over 30 days find", () =>
  checkReports([REPORTS.commerce(), REPORTS.campaigns(), REPORTS.overview(), REPORTS.explore()], {
    shape: (world) => withCommerce(withIdentifiedPeople(world)),
    fixed: 24,
  }));

test("retention, and acquisition by search engines and assistants, are what plain loops over people and visits find", () =>
  checkReports([REPORTS.retention(), REPORTS.seo()], { shape: withIdentifiedPeople, fixed: 24 }));

test("what robots read, what they did not, and what assistants sent is what plain loops over the raw events find", () =>
  checkReports([REPORTS.ai()], { shape: (world) => reshaped(world, asRead), fixed: 20 }));

test("vitals are what plain loops over the reports of each page view find", () =>
  checkReports([REPORTS.vitals()], { shape: withVitals, fixed: 12 }));
