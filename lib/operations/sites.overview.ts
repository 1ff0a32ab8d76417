import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, keysOf, optionalParam, siteId } from "@/lib/contract/fields";
import { METRICS, PERIODS } from "@/lib/contract/vocabulary";
import { countActiveVisitorsBySite } from "@/lib/ingest/store/recent-visitors";
import { listSites, readSites } from "@/lib/sites/access";
import { COUNTED_METRICS, numbersOf } from "@/lib/sites/numbers";

const MAX_SITES = 1_000;
/** Longer ranges are for the reports of each site, which read copies of its facts. */
const RANGES = ["today", "yesterday", "7d", "28d", "30d"] as const;

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
    "Human visitors, visits and pageviews of all sites that you can access, or of some of them, each compared with the days before, and the visitors active now. The numbers equal those of each site's reports.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_ids: optionalParam(
      z.array(siteId, "must be a list of site ids").max(MAX_SITES, `must have at most ${MAX_SITES} ids`),
    ).meta({ description: `Only these sites; default all, the oldest ${MAX_SITES}`, examples: [[1, 2]] }),
    period: optionalParam(period).meta({
      description: "Range in local days of each site; default 7d. Reports of one site have more",
    }),
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
              days: z.array(counts.extend({ date: z.iso.date() })).meta({ description: "Without gaps, in order" }),
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
    truncated: z.boolean().meta({ description: "Whether there are more sites, to ask for by `site_ids`" }),
  }),

  async run({ input, principal, db, now }) {
    const { site_ids: ids } = input;
    const { sites, total } = ids
      ? { sites: await readSites(db, principal, ids), total: 0 }
      : await listSites(db, principal, 1, MAX_SITES);
    const zoned = sites.map(({ site_id, timezone }) => ({ siteId: site_id, timezone }));
    const metrics = COUNTED_METRICS.filter((metric) => input.metrics?.includes(metric) ?? true);
    const [numbers, active] = await Promise.all([
      numbersOf(zoned, input.period ?? "7d", metrics, now),
      countActiveVisitorsBySite(sites.map(({ site_id }) => site_id)),
    ]);
    return {
      period: input.period ?? "7d",
      sites: sites.map(({ site_id, domain, name }) => ({
        site_id,
        domain,
        name,
        active_visitors: active.get(site_id) ?? 0,
        numbers: numbers.get(site_id) ?? null,
      })),
      truncated: total > MAX_SITES,
    };
  },
});
