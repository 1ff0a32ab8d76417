import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { optionalParam, siteId, supportedDay } from "@/lib/contract/fields";
import { INGEST_OUTCOMES } from "@/lib/ingest/store/stats/ingest-stats";
import { eventOutcomes } from "@/lib/ingest/store/stats/ingest-stats-counts";
import { invalidInput } from "@/lib/platform/errors";
import { localDay, Temporal } from "@/lib/platform/time";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export default defineOperation({
  id: "sites.events.outcomes",
  title: "Count event outcomes",
  about:
    "Counts the events that arrived for a site by outcome, reason and UTC day: stored, duplicate, excluded or refused. Events that name an unknown site are not counted.",
  scope: "analytics:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    from: optionalParam(supportedDay).meta({
      description: `First UTC day, inclusive; default ${DEFAULT_DAYS - 1} days before \`to\``,
    }),
    to: optionalParam(supportedDay).meta({ description: "Last UTC day, inclusive; default today" }),
  }),
  example: { site_id: 1, from: "2026-11-20", to: "2026-11-20" },
  output: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    outcomes: z
      .array(
        z.object({
          outcome: z.enum(INGEST_OUTCOMES).meta({
            description:
              "`filtered` events match an exclusion. Two are no events: `surplus` counts the further KB of large events, `scrubbed` replaced pieces of personal data",
          }),
          reason: z.string().nullable().meta({
            description:
              "Why: the error code of a refusal, with the field it names; the kind of exclusion; the kind of personal data. Null if there is none",
          }),
          events: z.int(),
          days: z
            .array(z.object({ day: z.iso.date(), events: z.int() }))
            .meta({ description: "Days with such events, in order" }),
        }),
      )
      .meta({
        description: "Most frequent first",
        examples: [
          [
            { outcome: "stored", reason: null, events: 402, days: [{ day: "2026-11-20", events: 402 }] },
            { outcome: "refused", reason: "invalid_input:url", events: 3, days: [{ day: "2026-11-20", events: 3 }] },
          ],
        ],
      }),
  }),

  async run({ input, site, now }) {
    const to = Temporal.PlainDate.from(input.to ?? localDay(now, "UTC"));
    const from = input.from ? Temporal.PlainDate.from(input.from) : to.subtract({ days: DEFAULT_DAYS - 1 });
    const days = from.until(to).days + 1;
    if (days < 1) throw invalidInput([{ path: "from", message: `is after to (${to}); swap them` }]);
    if (days > MAX_DAYS) throw invalidInput([{ path: "from", message: `must be at most ${MAX_DAYS} days before to` }]);
    const range = { from: from.toString(), to: to.toString() };
    return { ...range, outcomes: await eventOutcomes(site.id, range.from, range.to) };
  },
});
