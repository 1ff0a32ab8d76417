import pLimit from "p-limit";
import { z } from "zod";
import { BUCKET_LABEL, BUCKET_PARTIAL, bucketsOf, naturalInterval } from "@/lib/analytics/calendar/buckets";
import {
  add,
  changeOf,
  changeShape,
  metricsOf,
  metricsOfBuckets,
  metricsShape,
  NOTHING,
  previousShape,
  type Sums,
} from "@/lib/analytics/query/metrics";
import { scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { overviewOf, type PANELS } from "@/lib/analytics/reports/overview";
import { seriesTotals } from "@/lib/analytics/reports/series";
import { defineOperation, type Principal } from "@/lib/contract/define";
import {
  about,
  INTERVALS,
  type Interval,
  optionalParam,
  reportFields,
  type SiteShape,
  siteId,
  tagName,
  untrusted,
} from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { isTimezone } from "@/lib/platform/time";
import { listSites, readSites, siteFor } from "@/lib/sites/access";
import { teamId } from "@/lib/sites/team-access";

/** Each site is asked for its whole overview. */
const MOST_SITES = 50;
/** So many sites are asked at once, so that the report leaves room for others. */
const AT_ONCE = 4;
const ROWS = 20;

const listShape = (what: string, value: string) =>
  z
    .array(
      z.object({
        site_id: siteId,
        domain: z.string().meta({ examples: ["example.com"] }),
        value: about(untrusted.nullable(), "Null: unknown, or a direct visit", value),
        visitors: about(z.int(), "Visitors of this site", 128),
      }),
    )
    .meta({ description: `The ${what} with the most visitors, each of one site; at most ${ROWS}` });

export default defineOperation({
  id: "sites.combined",
  title: "Combined report",
  about:
    "One report over chosen sites, a tag or a team: metrics, their course, each site, and top sources, pages and countries with their site. Visitors are summed: who visits two sites counts on each. Human visitors only.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_ids: optionalParam(
      z
        .array(siteId, "must be a list of site ids")
        .min(1, "must have at least one id")
        .max(MOST_SITES, `must have at most ${MOST_SITES} ids`),
    ).meta({ description: `These sites; default all, the oldest ${MOST_SITES}`, examples: [[1, 2]] }),
    tag: optionalParam(tagName).meta({ description: "Only sites with this tag of yours", examples: ["shops"] }),
    team_id: optionalParam(teamId).meta({ description: "Only sites of this team" }),
    period: reportFields.period,
    from: reportFields.from,
    to: reportFields.to,
    compare: reportFields.compare,
  }),
  example: { period: "28d", compare: "previous_period" },
  output: z.object({
    from: z.iso.date().nullable().meta({ description: "First local day of the sites; null without any" }),
    to: z.iso.date().nullable().meta({ description: "Last local day" }),
    interval: z.enum(INTERVALS).meta({ description: "Width of the buckets" }),
    metrics: metricsShape.meta({ description: "Of all these sites: counts are summed, rates are of all their visits" }),
    previous: previousShape,
    change: changeShape.nullable(),
    buckets: z.array(
      z.object({
        label: z.string().meta({ description: `${BUCKET_LABEL}, of each site`, examples: ["2026-11-20"] }),
        partial: z.boolean().meta({ description: BUCKET_PARTIAL }),
        ...metricsOfBuckets.shape,
      }),
    ),
    sites: z
      .array(
        z.object({
          site_id: siteId,
          domain: z.string().meta({ examples: ["example.com"] }),
          name: z.string().nullable(),
          disabled: about(z.boolean(), "Whether an administrator of the service has disabled it", false),
          metrics: metricsShape.nullable().meta({ description: "Null for a site that was left out" }),
          previous: previousShape,
          change: changeShape.nullable(),
        }),
      )
      .meta({ description: "Those with the most visitors first. Disabled ones are left out of all sums" }),
    sources: listShape("sources", "Google"),
    pages: listShape("pages", "/pricing"),
    countries: listShape("countries", "DE"),
    truncated: z.boolean().meta({ description: `Whether there are more than ${MOST_SITES} such sites` }),
  }),

  async run({ input, principal, db, now }) {
    const { sites, truncated } = await chosenSites(db, principal, input);
    const { period, from, to, compare } = input;
    const asked = await Promise.all(
      sites.map(async (site) => {
        if (site.disabled || !isTimezone(site.timezone)) return null;
        const access = await siteFor(db, principal, site.site_id, "viewer");
        return scopeOf({ site_id: site.site_id, period, from, to, compare }, access, now);
      }),
    );
    const longest = asked.flatMap((one) => one ?? []).sort((a, b) => b.scope.range.days - a.scope.range.days)[0];
    const interval = longest ? naturalInterval(longest.scope.range) : "day";
    const inTurn = pLimit(AT_ONCE);
    const found = await Promise.all(
      sites.map((site, index) => {
        const query = asked[index];
        return query ? inTurn(() => reportOf(site, query, interval, now)) : null;
      }),
    );
    const known = found.filter((one) => one !== null);
    const compared = known.some(({ earlier }) => earlier !== null);
    const sums = known.reduce((all, one) => add(all, one.sums), NOTHING);
    const before = compared ? known.reduce((all, one) => add(all, one.earlier ?? NOTHING), NOTHING) : null;
    return {
      from: known.map((one) => one.from).sort()[0] ?? null,
      to:
        known
          .map((one) => one.to)
          .sort()
          .at(-1) ?? null,
      interval,
      ...withChange(sums, before),
      buckets: bucketsIn(known),
      sites: sites
        .map((site, index) => ({ site, of: found[index] ?? null }))
        .sort((one, other) => (other.of?.sums.visitors ?? -1) - (one.of?.sums.visitors ?? -1))
        .map(({ site: { site_id, domain, name, disabled }, of }) => ({
          site_id,
          domain,
          name,
          disabled,
          ...(of ? withChange(of.sums, of.earlier) : { metrics: null, previous: null, change: null }),
        })),
      sources: topOf(known, "sources"),
      pages: topOf(known, "pages"),
      countries: topOf(known, "countries"),
      truncated,
    };
  },
});

/** What a site adds to the report. */
interface SiteReport {
  site: SiteShape;
  from: string;
  to: string;
  sums: Sums;
  earlier: Sums | null;
  panels: Awaited<ReturnType<typeof overviewOf>>["panels"];
  buckets: ReturnType<typeof bucketsOf>;
  /** One for each of the buckets. */
  totals: readonly Sums[];
}

async function reportOf(
  site: SiteShape,
  { scope, before }: Pick<Awaited<ReturnType<typeof scopeOf>>, "scope" | "before">,
  interval: Interval,
  now: Date,
): Promise<SiteReport> {
  const buckets = bucketsOf(scope.range, interval, now);
  const starts = buckets.map(({ start }) => start);
  const [{ sums, panels }, earlier, { totals }] = await Promise.all([
    overviewOf(scope, ROWS),
    before && sumsOf(before),
    seriesTotals(scope, interval, starts),
  ]);
  const days = { from: scope.range.from.toString(), to: scope.range.to.toString() };
  return { site, ...days, sums, earlier, panels, buckets, totals };
}

interface Chosen {
  site_ids?: number[] | null | undefined;
  tag?: string | null | undefined;
  team_id?: number | null | undefined;
}

/** @throws Refusal `site_not_granted` for an id without access, `invalid_input` for ids beside a tag or team */
async function chosenSites(on: Db, principal: Principal, { site_ids: ids, tag, team_id: team }: Chosen) {
  if (!ids) {
    const { sites, total } = await listSites(on, principal, 1, MOST_SITES, { tag, team });
    return { sites, truncated: total > MOST_SITES };
  }
  const other = tag ? "tag" : team ? "team_id" : null;
  if (other) throw invalidInput([{ path: other, message: "must not stand beside site_ids; leave one of them out" }]);
  return { sites: await readSites(on, principal, ids), truncated: false };
}

const withChange = (sums: Sums, before: Sums | null) => {
  const metrics = metricsOf(sums);
  const previous = before && metricsOf(before);
  return { metrics, previous, change: previous && changeOf(metrics, previous) };
};

/** The sums of the buckets of the same local time, in order. */
function bucketsIn(known: readonly SiteReport[]) {
  const found = new Map<string, { partial: boolean; sums: Sums }>();
  for (const { buckets, totals } of known)
    for (const [index, { label, partial }] of buckets.entries()) {
      const one = found.get(label) ?? { partial: false, sums: NOTHING };
      found.set(label, { partial: one.partial || partial, sums: add(one.sums, totals[index] ?? NOTHING) });
    }
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, { partial, sums }]) => ({ label, partial, ...metricsOf(sums) }));
}

/** The rows of a list of all sites, those with the most visitors first. */
const topOf = (known: readonly SiteReport[], list: keyof typeof PANELS) =>
  known
    .flatMap(({ site, panels }) =>
      panels[list].map(({ value, visitors }) => ({ site_id: site.site_id, domain: site.domain, value, visitors })),
    )
    .sort((one, other) => other.visitors - one.visitors || one.site_id - other.site_id)
    .slice(0, ROWS);
