import { z } from "zod";
import { dayStarts } from "@/lib/analytics/calendar/buckets";
import { comparisonOf, describeComparison } from "@/lib/analytics/calendar/period";
import { scopeOf } from "@/lib/analytics/query/scope";
import {
  FIRST_EVENTS,
  LISTED_TYPES,
  latest,
  listedEvent,
  MOST_EVENTS,
  readCursor,
  since,
  writeCursor,
} from "@/lib/analytics/reports/event-log";
import { lastMinutes, PRESENT_ROWS, pulse } from "@/lib/analytics/reports/realtime";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, optionalParam, reportFields, untrusted } from "@/lib/contract/fields";

const present = z.array(z.object({ value: untrusted.nullable(), visitors: z.int() }));
const pulseShape = z.object({
  visitors: z.int().meta({ description: "People who did anything within the last five minutes" }),
  minutes: z
    .array(z.object({ start: z.iso.datetime(), visitors: z.int(), pageviews: z.int() }))
    .meta({ description: "The last thirty minutes without gaps; the last one is the present minute and still grows" }),
});

export default defineOperation({
  id: "analytics.realtime",
  title: "Realtime",
  about:
    "Who is there now, the last thirty minutes, and the events one by one. The range of the question is not used. Ask again with the answer's `cursor` as `since` for the events that came meanwhile: each one is told exactly once.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    since: optionalParam(z.string("must be the cursor of an earlier answer")).meta({
      description: `The \`cursor\` of an earlier answer of this site, at most a day old; without it \`events\` are the latest ${FIRST_EVENTS} of the last thirty minutes`,
    }),
  }),
  example: { site_id: 1 },
  output: z.object({
    meta: metaShape,
    ...pulseShape.shape,
    pages: present.meta({ description: `What they looked at within five minutes, at most ${PRESENT_ROWS}` }),
    sources: present.meta({ description: "Where their visits came from; null: directly" }),
    countries: present,
    events: z
      .array(
        z.object({
          time: z.iso.datetime(),
          type: z.enum(LISTED_TYPES),
          name: untrusted.nullable(),
          page: untrusted.nullable(),
          title: untrusted.nullable(),
          country: untrusted.nullable(),
          source: untrusted.nullable(),
          device: untrusted.nullable(),
          visit: z.string().nullable().meta({
            description:
              "The same for the events of one visit; it names nobody. null: an event of a server without a visit",
          }),
        }),
      )
      .meta({
        description: `In the order of their arrival; an event whose writing took longer may be told in a later answer than its neighbours. Engagement and vitals are left out. At most ${MOST_EVENTS} in an answer: while \`meta.truncated\` is true there are more, and the next answer goes on after these`,
      }),
    cursor: z.string().meta({ description: "What to send as `since` next time" }),
    comparison: pulseShape
      .nullable()
      .meta({ description: "The same minutes of the day, or year, before, or of the day `compare_to`" }),
  }),

  async run({ input, site, now }) {
    const { scope: asked, compare, meta } = await scopeOf(input, site, now, false);
    const cursor = input.since == null ? null : readCursor(site.id, input.since, now);
    const scope = lastMinutes(asked, now);
    // Minutes are compared with the same minutes of one day.
    const how = typeof compare === "string" ? compare : { ...compare, from: compare.to };
    const before = comparisonOf(scope.range, how, now);
    const earlier = before && { ...scope, range: before, days: dayStarts(before) };
    const [{ visitors, minutes, pages, sources, countries }, past, log] = await Promise.all([
      pulse(scope, now),
      earlier && pulse(earlier, earlier.range.end),
      cursor ? since(scope, cursor, now) : latest(scope, now),
    ]);
    const { from, to } = scope.range;
    return {
      meta: {
        ...meta,
        from: from.toString(),
        to: to.toString(),
        compare: before && describeComparison(before),
        partial: true,
        interval: "minute" as const,
        row_limit: cursor ? MOST_EVENTS : FIRST_EVENTS,
        truncated: log.truncated,
      },
      visitors,
      minutes,
      pages,
      sources,
      countries,
      events: log.rows.map((row) => listedEvent(site.id, row)),
      cursor: writeCursor(site.id, log.next),
      comparison: past && { visitors: past.visitors, minutes: past.minutes },
    };
  },
});
