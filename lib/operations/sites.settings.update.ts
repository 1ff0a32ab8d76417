import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { pageQuery, reportingCurrency, siteId, siteName, siteShape, timezone } from "@/lib/contract/fields";
import { settingFields } from "@/lib/contract/setting-fields";
import { PAGE_QUERY, settingColumns, settingLines, settingsIn } from "@/lib/contract/site-settings";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { REPORT_CHANGES } from "@/lib/platform/limits";
import { requireRate } from "@/lib/platform/rate";
import { canonicalTimezone } from "@/lib/platform/time";
import { describeSite } from "@/lib/sites/access";
import { moveReports } from "@/lib/sites/reports/subscriptions";
import { msg } from "@/lib/texts/translate";

const listed = (names: readonly string[]) => names.join(", ") || null;

export default defineOperation({
  id: "sites.settings.update",
  title: msg("Change a site's settings"),
  about:
    "Sets name, timezone, currency and visibility of the dashboard, all at once, and what makes a page where it is given. A new timezone also applies to reports on past days, and to the time of email reports.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: z.strictObject({
    site_id: siteId,
    name: siteName.meta({ description: "Display name; if empty, the domain is shown" }),
    timezone,
    reporting_currency: reportingCurrency,
    ...settingFields("dashboard"),
    ...settingFields("general"),
    page_query: pageQuery.nullish(),
  }),
  example: {
    site_id: 1,
    name: "Example",
    timezone: "Europe/Berlin",
    reporting_currency: "EUR",
    public: false,
    trailing_slashes: "same_page" as const,
    page_query: ["p", "page_id"],
  },
  output: siteShape,

  async summary({ input, site, db }) {
    const now = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    return [
      { label: "Name", before: now.name, after: input.name || null },
      { label: "Timezone", before: now.timezone, after: canonicalTimezone(input.timezone) },
      { label: "Reporting currency", before: now.reportingCurrency, after: input.reporting_currency },
      ...settingLines("dashboard", now, input),
      ...settingLines("general", now, input),
      ...(input.page_query
        ? [{ label: PAGE_QUERY, before: listed(now.pageQuery), after: listed(input.page_query) }]
        : []),
    ];
  },

  async current({ site, db }) {
    const now = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    return {
      ...{ name: now.name ?? "", timezone: now.timezone, reporting_currency: now.reportingCurrency },
      ...settingsIn("dashboard", now),
      ...settingsIn("general", now),
      page_query: now.pageQuery,
    };
  },

  async run({ input, site, principal, db, now }) {
    const before = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    const timezone = canonicalTimezone(input.timezone);
    const chosen = { ...settingColumns("dashboard", input), ...settingColumns("general", input) };
    const changed = [
      ...(timezone === before.timezone ? [] : ["timezone"]),
      ...((chosen.mergeSlashes ?? before.mergeSlashes) === before.mergeSlashes ? [] : ["trailing_slashes"]),
    ];
    for (const name of changed) {
      const { limit, seconds } = REPORT_CHANGES;
      const message = `The ${name} of this site was changed ${limit} times within a day. Keep it for now, and change it after Retry-After: each change prepares all reports again.`;
      await requireRate(`${name}:${site.id}`, limit, seconds * 1000, now, message, db);
    }
    if (timezone !== before.timezone) await moveReports(db, site.id, before.timezone, timezone);
    await changeSite(db, site.id, {
      name: input.name || null,
      timezone,
      reportingCurrency: input.reporting_currency,
      ...chosen,
      ...(input.page_query && { pageQuery: input.page_query }),
    });
    return describeSite(db, site.id, principal);
  },
});
