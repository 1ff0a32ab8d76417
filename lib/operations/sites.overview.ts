import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, keysOf, optionalParam, reportFields, type SiteShape, siteId, tagName } from "@/lib/contract/fields";
import { METRICS, PERIODS } from "@/lib/contract/vocabulary";
import { countActiveVisitorsBySite } from "@/lib/ingest/store/recent-visitors";
import { CAUSES } from "@/lib/monitoring/causes";
import { openIncidents } from "@/lib/monitoring/incidents";
import { canonicalTag, listSites, readSites } from "@/lib/sites/access";
import { COUNTED_METRICS, type CountedMetric, type Counts, numbersOf } from "@/lib/sites/numbers";
import { silentSites } from "@/lib/sites/silence";
import { teamId } from "@/lib/sites/team-access";

const MAX_SITES = 1_000;
/** At most 366 days: longer ranges are for the reports of each site, which read copies of its facts. */
const RANGES = [
  ...(["today", "yesterday", "7d", "28d", "30d", "90d"] as const),
  ...(["month", "last_month", "6mo", "12mo", "year", "custom"] as const),
] as const;

const period = z.enum(RANGES, `must be one of ${RANGES.join(", ")}`);
const counts = z.object(
  Object.fromEntries(
    COUNTED_METRICS.map((metric) => [metric, z.int().optional().meta({ description: METRICS[metric].about })]),
  ) as Record<(typeof COUNTED_METRICS)[number], z.ZodOptional<z.ZodInt>>,
);

export default defineOperation({
  id: "sites.overview",
  title: "Numbers of all sites",
  about:
    "Human visitors, visits and pageviews of your sites with their totals, compared with the days before, the visitors active now, and which site broke. The numbers equal those of each site's reports.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_ids: optionalParam(
      z.array(siteId, "must be a list of site ids").max(MAX_SITES, `must have at most ${MAX_SITES} ids`),
    ).meta({ description: `Only these sites; default all, the oldest ${MAX_SITES}`, examples: [[1, 2]] }),
    tag: optionalParam(tagName).meta({ description: "Only sites with this tag of yours", examples: ["shops"] }),
    team_id: optionalParam(teamId).meta({ description: "Only sites of this team" }),
    period: optionalParam(period).meta({
      description: "Default 7d",
    }),
    from: reportFields.from,
    to: reportFields.to,
    metrics: optionalParam(
      z.array(z.enum(COUNTED_METRICS, `must be one of ${COUNTED_METRICS.join(", ")}`), "must be a list of metrics"),
    ).meta({
      description: "Only these metrics, which is faster; default all. An empty list counts active visitors only",
    }),
  }),
  example: { period: "today" },
  output: z.object({
    period: z.enum(keysOf(PERIODS)),
    sites: z
      .array(
        z.object({
          site_id: siteId,
          domain: z.string().meta({ examples: ["example.com"] }),
          name: z
            .string()
            .nullable()
            .meta({ examples: ["Example"] }),
          tags: z.array(z.string()).meta({ description: "Your own tags of the site", examples: [["shops"]] }),
          disabled: about(z.boolean(), "Whether an administrator of the service has disabled it", false),
          silent_since: z.iso
            .date()
            .nullable()
            .meta({
              description:
                "Last UTC day with an event, if none came since for a whole day, against the week before: the tracking probably broke",
              examples: [null],
            }),
          incidents: z.array(z.enum(keysOf(CAUSES))).meta({
            description: "Open incidents; sites.monitoring.get has more",
            examples: [[]],
          }),
          active_visitors: about(z.int(), "Visitors active within the last five minutes", 4),
          numbers: z
            .object({
              from: z.iso.date().meta({ description: "First local day of the site, inclusive" }),
              to: z.iso.date().meta({ description: "Last local day, inclusive" }),
              metrics: counts,
              previous: counts.meta({
                description:
                  "The same number of days directly before; if the range includes now, up to the same local time of day",
              }),
              days: z
                .array(counts.extend({ date: z.iso.date() }))
                .meta({ description: "Without gaps, in order; empty for ranges of more than 100 days" }),
            })
            .nullable()
            .meta({
              description: "Null if this server does not know the timezone of the site",
              examples: [
                {
                  from: "2026-11-20",
                  to: "2026-11-20",
                  metrics: { visitors: 6, visits: 7, pageviews: 18 },
                  previous: { visitors: 5, visits: 5, pageviews: 12 },
                  days: [{ date: "2026-11-20", visitors: 6, visits: 7, pageviews: 18 }],
                },
              ],
            }),
        }),
      )
      .meta({ description: "Oldest site first" }),
    totals: z.object({ metrics: counts, previous: counts, active_visitors: z.int() }).meta({
      description: "Sums of these sites; who visits two of them is counted on each",
      examples: [
        {
          metrics: { visitors: 6, visits: 7, pageviews: 18 },
          previous: { visitors: 5, visits: 5, pageviews: 12 },
          active_visitors: 4,
        },
      ],
    }),
    truncated: z.boolean().meta({ description: "Whether there are more sites, to ask for by `site_ids`" }),
  }),

  async run({ input, principal, db, now }) {
    const { site_ids: ids, tag, team_id: team, from, to } = input;
    const { sites, total } = ids
      ? { sites: withTag(await readSites(db, principal, ids), tag), total: 0 }
      : await listSites(db, principal, 1, MAX_SITES, { tag, team });
    const zoned = sites
      .filter(({ disabled }) => !disabled)
      .map(({ site_id, timezone }) => ({ siteId: site_id, timezone }));
    const siteIds = zoned.map(({ siteId }) => siteId);
    const metrics = COUNTED_METRICS.filter((metric) => input.metrics?.includes(metric) ?? true);
    const period = from || to ? "custom" : (input.period ?? "7d");
    const [numbers, active, silent, incidents] = await Promise.all([
      numbersOf(zoned, { period, from, to }, metrics, now),
      countActiveVisitorsBySite(siteIds),
      silentSites(siteIds, now),
      openIncidents(db, siteIds),
    ]);
    const known = [...numbers.values()];
    return {
      period,
      sites: sites.map(({ site_id, domain, name, tags, disabled }) => ({
        ...{ site_id, domain, name, tags, disabled },
        silent_since: silent.get(site_id) ?? null,
        incidents: incidents.get(site_id) ?? [],
        active_visitors: active.get(site_id) ?? 0,
        numbers: numbers.get(site_id) ?? null,
      })),
      totals: {
        metrics: sumOf(
          known.map((one) => one.metrics),
          metrics,
        ),
        previous: sumOf(
          known.map((one) => one.previous),
          metrics,
        ),
        active_visitors: [...active.values()].reduce((all, one) => all + one, 0),
      },
      truncated: total > MAX_SITES,
    };
  },
});

const withTag = (sites: SiteShape[], tag: string | null | undefined): SiteShape[] =>
  tag ? sites.filter(({ tags }) => tags.includes(canonicalTag(tag))) : sites;

const sumOf = (parts: readonly Counts[], metrics: readonly CountedMetric[]): Counts =>
  Object.fromEntries(
    metrics.map((metric) => [metric, parts.reduce((sum, counts) => sum + (counts[metric] ?? 0), 0)] as const),
  );
