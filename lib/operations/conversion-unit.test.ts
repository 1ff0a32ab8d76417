import { expect, test } from "vitest";
import { z } from "zod";
import { OPERATIONS } from "@/lib/operations/index";
import { reportAsOwner } from "@/lib/testing/reports";
import { makeSite } from "@/lib/testing/world";

const CONVERSION_FIELD = /"(conversions?|converted|converters|conversion_rate)":/;

test("every report with conversions has meta.conversion_unit", async () => {
  const site = await makeSite();
  const units: Record<string, string | undefined> = {};
  for (const op of [...OPERATIONS.values()].filter(({ id }) => id.startsWith("analytics."))) {
    const documented = JSON.stringify(z.toJSONSchema(op.output, { io: "output", unrepresentable: "any" }));
    if (!CONVERSION_FIELD.test(documented)) continue;
    const { meta } = (await reportAsOwner(op, site, { ...op.example, site_id: site.id }, "2025-03-12T15:30:00Z")) as {
      meta: { conversion_unit?: string };
    };
    units[op.id] = meta.conversion_unit;
  }
  expect(units).toEqual({
    "analytics.events": "visitors",
    "analytics.campaigns": "events",
    "analytics.commerce": "visitors",
    "analytics.experiments": "visitors",
    "analytics.site_search": "searches",
    "analytics.funnels": "visitors",
    "analytics.funnels.advanced": "visitors",
    "analytics.ai": "visits",
    "analytics.seo": "visits",
  });
});
