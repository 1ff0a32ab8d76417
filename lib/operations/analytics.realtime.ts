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
import { about, metaShape, optionalParam, reportFields, untrusted } from "@/lib/contract/fields";

const present = z.array(z.object({ value: untrusted.nullable(), visitors: z.int() }));
const pulseShape = z.object({
  visitors: about(z.int(), "Visitors who were active within the last five minutes", 4),
  minutes: about(
    z.array(z.object({ start: z.iso.datetime(), visitors: z.int(), pageviews: z.int() })),
    "The last thirty minutes without gaps; the last entry is the current minute and still grows",
    [{ start: "2026-11-20T09:30:00Z", visitors: 2, pageviews: 3 }],
  ),
});

export default defineOperation({
  id: "analytics.realtime",
  title: "Realtime",
  about:
    "Current visitors, the last thirty minutes, and a log of events. The range of the request is ignored. Send `cursor` of the response as `since` to get the events since then; each event is returned exactly once.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    since: optionalParam(z.string("must be the cursor of an earlier response")).meta({
      description: `The \`cursor\` of an earlier response for this site, at most a day old; without it \`events\` are the latest ${FIRST_EVENTS} of the last thirty minutes`,
    }),
  }),
  example: { site_id: 1 },
  output: z.object({
    meta: metaShape,
    ...pulseShape.shape,
    pages: about(present, `Pages viewed within the last five minutes, at most ${PRESENT_ROWS}`, [
      { value: "/pricing", visitors: 3 },
    ]),
    sources: about(present, "Sources of the current visits; null for direct traffic", [
      { value: "Google", visitors: 2 },
    ]),
    countries: present.meta({ examples: [[{ value: "DE", visitors: 4 }]] }),
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
            description: "Opaque id, equal for events of the same visit; null for a server event without a visit",
          }),
        }),
      )
      .meta({
        description: `In order of arrival; an event that took longer to store may come in a later response than its neighbours. Engagement and vitals are left out. At most ${MOST_EVENTS} per response: while \`meta.truncated\` is true there are more, and the next response continues after these`,
        examples: [
          [
            {
              time: "2026-11-20T09:30:00Z",
              type: "event",
              name: "Signup",
              page: "/pricing",
              title: "Pricing",
              country: "DE",
              source: "Google",
              device: "Desktop",
              visit: "8f14e45fceea167a",
            },
          ],
        ],
      }),
    cursor: about(z.string(), "Send this as `since` in the next request", "1732095000-42"),
    comparison: pulseShape
      .nullable()
      .meta({ description: "The same minutes of the previous day, of the previous year, or of the day `compare_to`" }),
  }),

  async run({ input, site, now }) {
    const { scope: requested, compare, meta } = await scopeOf(input, site, now, false);
    const cursor = input.since == null ? null : readCursor(site.id, input.since, now);
    const scope = lastMinutes(requested, now);
    // A custom comparison range uses the same minutes of its last day.
    const comparison = typeof compare === "string" ? compare : { ...compare, from: compare.to };
    const before = comparisonOf(scope.range, comparison, now);
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
