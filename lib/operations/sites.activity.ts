import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId } from "@/lib/contract/fields";
import { recentRefusals } from "@/lib/ingest/store/ingest-stats";
import { sharesOf } from "@/lib/platform/report-shares";
import { lastEventOf } from "@/lib/sites/last-event";

export default defineOperation({
  id: "sites.activity",
  title: "Read a site's activity",
  about:
    "Returns when the last event arrived, how many visitors are active now, and why events of today and yesterday (UTC) were not counted. Answers within milliseconds, so that it can be polled.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    last_event_at: about(z.iso.datetime().nullable(), "Null before the first event", "2026-11-20T09:30:00Z"),
    active_visitors: about(z.int(), "Visitors active within the last five minutes", 4),
    refused: about(
      z.array(z.object({ reason: z.string(), events: z.int() })),
      "The ten most frequent reasons of refused and excluded events",
      [{ reason: "own_traffic", events: 2 }],
    ),
  }),

  async run({ site, principal }) {
    const [lastEvent, refused] = await Promise.all([
      lastEventOf(site.id, sharesOf(principal)),
      recentRefusals(site.id),
    ]);
    return { ...lastEvent, refused };
  },
});
