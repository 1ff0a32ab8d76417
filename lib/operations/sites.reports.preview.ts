import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { optionalParam, siteId, supportedDay } from "@/lib/contract/fields";
import changes from "@/lib/operations/analytics.changes";
import chart from "@/lib/operations/analytics.chart";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { invalidInput } from "@/lib/platform/errors";
import { localDay, Temporal } from "@/lib/platform/time";
import { primaryNameOf } from "@/lib/sites/notices";
import { CADENCES, type Cadence, lastPeriod, periodUntil } from "@/lib/sites/reports/period";
import { scheduleOf } from "@/lib/sites/reports/subscriptions";
import { reportEmail } from "@/lib/sites/reports/write";
import { msg } from "@/lib/texts/translate";

const names = Object.keys(CADENCES) as [Cadence, ...Cadence[]];
/** Those with the most revenue or visits, from which the report takes the first. */
const MAX_CAMPAIGNS = 1000;
const readable = (example: string) => z.string().meta({ "x-untrusted": true, examples: [example] });

export default defineOperation({
  id: "sites.reports.preview",
  title: msg("Preview an email report"),
  about:
    "Returns a report as it would be emailed: subject, text and HTML with the headline numbers, revenue of a site with sales, conversions of one with goals, what changed, the top pages, sources, countries and campaigns, and annotations.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    cadence: z.enum(names, `must be one of ${names.join(", ")}`),
    until: optionalParam(supportedDay).meta({
      description: "Last local day of the report, before today; by default that of the latest one that was due",
    }),
    to: optionalParam(z.enum(["member", "recipient"], "must be member or recipient")).meta({
      description: "Reader: only a member gets links to the dashboard. Default member",
    }),
  }),
  example: { site_id: 1, cadence: "weekly" },
  output: z.object({
    from: z.string().meta({ examples: ["2026-11-09"] }),
    until: z.string().meta({ examples: ["2026-11-15"] }),
    subject: readable("example.com: 412 visitors, 9 November 2026 to 15 November 2026"),
    text: readable("example.com, 9 November 2026 to 15 November 2026, compared with the previous week:"),
    html: readable("<!doctype html>"),
    picture: z
      .object({
        cid: z.string().meta({ examples: ["visitors@footfall"] }),
        png: z.string().meta({ description: "PNG in Base64", examples: ["iVBORw0KGgo="] }),
      })
      .meta({ description: "The image that the HTML embeds as `cid:<cid>`" }),
  }),

  async run({ input, site, principal, db, ...work }) {
    const { cadence, until } = input;
    const today = localDay(work.now, site.timezone);
    if (until && Temporal.PlainDate.compare(until, today) >= 0) {
      throw invalidInput([{ path: "until", message: `must be before today (${today}), whose numbers still change` }]);
    }
    const schedule = await scheduleOf(db, site.id, principal.personId ?? 0);
    const period = until
      ? periodUntil(cadence, Temporal.PlainDate.from(until))
      : lastPeriod(cadence, schedule, site.timezone, work.now);
    const days = { site_id: site.id, from: `${period.from}`, to: `${period.to}` };
    const weekBefore = `${period.from.subtract({ weeks: 1 })}`;
    const compared =
      cadence === "daily"
        ? { ...days, compare_from: weekBefore, compare_to: weekBefore }
        : { ...days, compare: "previous_period" as const };
    const context = { ...work, site, principal, db };
    const numbers = overview.output.parse(await overview.run({ ...context, input: overview.input.parse(compared) }));
    const explored = async (question: object) =>
      explore.output.parse(await explore.run({ ...context, input: explore.input.parse(question) }));
    const hasGoals = (await db.goal.count({ where: { siteId: site.id } })) > 0;
    const converted = hasGoals ? await explored({ ...compared, metrics: "conversions,conversion_rate" }) : null;
    const isShop = numbers.currency !== null;
    const { rows } = await explored({
      ...days,
      metrics: isShop ? "revenue,visits" : "visits",
      dimensions: "utm_campaign",
      limit: MAX_CAMPAIGNS,
    });
    const changed = await changes.run({ ...context, input: changes.input.parse({ ...compared, limit: 1 }) });
    const interval = cadence === "daily" ? "hour" : "day";
    const { buckets, annotations } = await chart.run({ ...context, input: chart.input.parse({ ...days, interval }) });
    const data = {
      ...numbers,
      metrics: { ...numbers.metrics, ...outcomesIn(converted?.rows) },
      previous: numbers.previous && { ...numbers.previous, ...outcomesIn(converted?.comparison) },
      campaigns: campaignsIn(rows),
      ...(await primaryNameOf(db, site.id)),
      visitors: buckets.map(({ visitors }) => visitors),
      annotations,
      changes: changes.output.parse(changed).findings.map(({ sentence }) => sentence),
    };
    const toMember = input.to !== "recipient";
    const written = reportEmail({ siteId: site.id, cadence, period, data, toMember });
    return { from: `${period.from}`, until: `${period.to}`, ...written };
  },
});

type Row = NonNullable<z.output<typeof explore.output>["comparison"]>[number];

/** The conversions of the one row without dimensions. */
function outcomesIn(rows: readonly Row[] | null | undefined): {
  conversions?: number | null;
  conversion_rate?: number | null;
} {
  const row = rows?.[0];
  return row ? { conversions: row.conversions ?? null, conversion_rate: row.conversion_rate ?? null } : {};
}

/** The campaigns that brought something, those with the most revenue and then visits first. */
const campaignsIn = (rows: readonly NonNullable<Row>[]) =>
  rows
    .flatMap(({ values: [campaign], visits, revenue }) =>
      campaign ? [{ campaign, visits: visits ?? 0, revenue: revenue ?? null }] : [],
    )
    .filter(({ visits, revenue }) => visits > 0 || (revenue ?? 0) !== 0)
    .toSorted((a, b) => (b.revenue ?? 0) - (a.revenue ?? 0) || b.visits - a.visits);
