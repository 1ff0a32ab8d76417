import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { PAGE_LABELS, pageQuery, siteId, siteName, siteShape, timezone, trailingSlashes } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { REPORT_CHANGES } from "@/lib/platform/limits";
import { requireRate } from "@/lib/platform/rate";
import { canonicalTimezone } from "@/lib/platform/time";
import { describeSite } from "@/lib/sites/access";
import { moveReports } from "@/lib/sites/reports/subscriptions";

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

const currency = z
  .string("must be a currency code such as EUR")
  .length(3, { error: "must be a currency code of 3 letters such as EUR", abort: true })
  .toUpperCase()
  .refine((code) => CURRENCIES.has(code), "must be a currency code of ISO 4217 such as EUR, USD or JPY")
  .meta({ description: "ISO 4217 code of the currency in which revenue is reported", examples: ["EUR"] });

const onOff = (on: boolean) => (on ? "On" : "Off");
const listed = (names: readonly string[]) => names.join(", ") || null;

/** The lines of what makes a page, where it is given. */
function pageLines(
  now: { mergeSlashes: boolean; pageQuery: string[] },
  input: { trailing_slashes?: string | null | undefined; page_query?: string[] | null | undefined },
) {
  const { trailing_slashes: slashes, page_query: query } = input;
  const merged = { before: onOff(now.mergeSlashes), after: onOff(slashes === "same_page") };
  return [
    ...(slashes ? [{ label: PAGE_LABELS.trailing_slashes, ...merged }] : []),
    ...(query ? [{ label: PAGE_LABELS.page_query, before: listed(now.pageQuery), after: listed(query) }] : []),
  ];
}

/** The line of the credit below the public dashboard, where it is given. */
const creditLines = (now: boolean, credit: boolean | null | undefined) =>
  typeof credit === "boolean" ? [{ label: "“Counted by Footfall”", before: onOff(now), after: onOff(credit) }] : [];

const audience = (isPublic: boolean) => (isPublic ? "Anyone" : "Members only");

export default defineOperation({
  id: "sites.settings.update",
  title: "Change a site's settings",
  about:
    "Sets name, timezone, currency and visibility of the dashboard, all at once, and what makes a page where it is given. A new timezone also applies to reports on past days, and to the time of email reports.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: z.strictObject({
    site_id: siteId,
    name: siteName.meta({ description: "Display name; if empty, the domain is shown" }),
    timezone,
    reporting_currency: currency,
    public: z.boolean("must be true or false").meta({ description: "Whether the dashboard is public" }),
    public_credit: z
      .boolean("must be true or false")
      .nullish()
      .meta({ description: "Whether the public dashboard says that Footfall counted" }),
    trailing_slashes: trailingSlashes.nullish(),
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
      { label: "Who can see the dashboard", before: audience(now.public), after: audience(input.public) },
      ...creditLines(now.publicCredit, input.public_credit),
      ...pageLines(now, input),
    ];
  },

  async current({ site, db }) {
    const now = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    return {
      ...{ name: now.name ?? "", timezone: now.timezone, reporting_currency: now.reportingCurrency },
      ...{ public: now.public, public_credit: now.publicCredit },
      trailing_slashes: now.mergeSlashes ? "same_page" : "separate_pages",
      page_query: now.pageQuery,
    };
  },

  async run({ input, site, principal, db, now }) {
    const before = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    const timezone = canonicalTimezone(input.timezone);
    const mergeSlashes = input.trailing_slashes ? input.trailing_slashes === "same_page" : before.mergeSlashes;
    const changed = [
      ...(timezone === before.timezone ? [] : ["timezone"]),
      ...(mergeSlashes === before.mergeSlashes ? [] : ["trailing_slashes"]),
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
      public: input.public,
      ...(typeof input.public_credit === "boolean" && { publicCredit: input.public_credit }),
      mergeSlashes,
      ...(input.page_query && { pageQuery: input.page_query }),
    });
    return describeSite(db, site.id, principal);
  },
});
