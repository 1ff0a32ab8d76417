import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId, untrusted } from "@/lib/contract/fields";
import { SCRUBBED, SCRUBBED_PLACES, type ScrubbedKind, type ScrubbedPlace } from "@/lib/ingest/scrubbing/kinds";
import { scrubbedPieces } from "@/lib/ingest/store/ingest-stats";
import { daysInput, utcDays } from "@/lib/sites/utc-days";
import { msg } from "@/lib/texts/translate";

const KINDS = Object.keys(SCRUBBED) as [ScrubbedKind, ...ScrubbedKind[]];
const PLACES = Object.keys(SCRUBBED_PLACES) as [ScrubbedPlace, ...ScrubbedPlace[]];

export default defineOperation({
  id: "sites.scrubbing.report",
  title: msg("Report what was scrubbed"),
  about:
    "Counts the pieces of personal data that were replaced in events of a site before storage, by kind, place and UTC day, each with a text as it was stored. What was removed is stored nowhere.",
  scope: "analytics:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({ site_id: siteId, ...daysInput }),
  example: { site_id: 1, from: "2026-11-20", to: "2026-11-20" },
  output: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    kinds: z
      .array(
        z.object({
          kind: z.enum(KINDS),
          replaces: about(z.string(), "What this kind stands for", SCRUBBED.email),
          pieces: z.int(),
          days: z
            .array(z.object({ day: z.iso.date(), pieces: z.int() }))
            .meta({ description: "Days with such pieces, in order" }),
          places: z
            .array(
              z.object({
                place: z.enum(PLACES).nullable().meta({
                  description: "Where in the event; null for what was counted before places were",
                }),
                name: untrusted.nullable().meta({
                  description: "The property; null elsewhere, and for properties beyond the 50 whose names are kept",
                }),
                pieces: z.int(),
                last_day: z.iso.date(),
                example: untrusted.nullable().meta({ description: "The last text that was stored with such a piece" }),
              }),
            )
            .meta({ description: "Most frequent first" }),
        }),
      )
      .meta({
        description: "Most frequent first; empty when nothing was replaced",
        examples: [
          [
            {
              kind: "email",
              replaces: SCRUBBED.email,
              pieces: 12,
              days: [{ day: "2026-11-20", pieces: 12 }],
              places: [
                { place: "path", name: null, pieces: 12, last_day: "2026-11-20", example: "/newsletter/(email)" },
              ],
            },
          ],
        ],
      }),
  }),

  async run({ input, site, now }) {
    const range = utcDays(input, now);
    const kinds = await scrubbedPieces(site.id, range.from, range.to);
    return { ...range, kinds: kinds.map((of) => ({ ...of, replaces: SCRUBBED[of.kind] })) };
  },
});
