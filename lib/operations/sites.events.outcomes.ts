import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { eventOutcomes, INGEST_OUTCOMES } from "@/lib/ingest/store/ingest-stats";
import { daysInput, utcDays } from "@/lib/sites/utc-days";

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
    ...daysInput,
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
    const range = utcDays(input, now);
    return { ...range, outcomes: await eventOutcomes(site.id, range.from, range.to) };
  },
});
