import { z } from "zod";
import { ROLES, SCOPES } from "@/lib/contract/access";
import { settingShape } from "@/lib/contract/setting-fields";
import { SITE_SETTINGS } from "@/lib/contract/site-settings";
import { ATTRIBUTION_DAYS, ATTRIBUTIONS, METRICS, PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import type { Issue } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { isTimezone } from "@/lib/platform/time";
import { isVisible } from "@/lib/platform/visible-text";

/** Fields that operations share, with their validation messages. */

/** Describes a field of an answer, with a value for examples. */
export const about = <T extends z.ZodType>(type: T, description: string, ...examples: z.output<T>[]): T =>
  type.meta({ description, ...(examples.length > 0 && { examples }) } as z.core.GlobalMeta);

const oneOf = (keys: string[]) => `must be one of ${keys.join(", ")}`;

const idOf = (what: string) =>
  z
    .int("must be a whole number, 1 or more")
    .min(1, "must be a whole number, 1 or more")
    .meta({ description: what, examples: [1] });

/** Schema of an id that Postgres stores as a 32-bit integer. */
export const integerId = (fault: string) =>
  z
    .int(fault)
    .min(1, fault)
    .max(2 ** 31 - 1, fault);

export const siteId = idOf("Identifier of a site");
export const domainId = idOf("Identifier of a domain, from the site's `domains`");
export const keyId = z
  .int("must be a whole number, 1 or more")
  .min(1, "must be a whole number, 1 or more")
  .max(2 ** 31 - 1, "must be the id of an ingest key")
  .meta({ examples: [2] });
export const testId = z
  .uuid("must be the id of an installation test, a UUID")
  .meta({ description: "Identifier of an installation test, from sites.installation.tests.start" });
export const personId = idOf("Identifier of a person");

export const domainName = z
  .string("must be a domain such as example.com")
  .min(1, { error: "must be a domain such as example.com", abort: true })
  .max(269, { error: "must have at most 269 characters", abort: true })
  .meta({ description: "Domain of a site, such as example.com", examples: ["example.com"] });

/** Schema of a name that people or agents give. What cannot be seen is refused: two names must not look the same. */
export const nameText = (longest: number) =>
  z
    .string("must be text")
    .trim()
    .max(longest, `must have at most ${longest} characters`)
    .refine(isVisible, "must not contain invisible characters, such as U+200B or line breaks; type it again by hand");

/** Longer searches of sites are in no name or domain. */
export const LONGEST_SEARCH = 255;
export const siteName = nameText(LONGEST_SEARCH).meta({ description: "Display name" });

/** Schema of a tag of a site. Tags that differ only in letters of either case are one. */
export const tagName = nameText(40)
  .refine((tag) => tag !== "", "must not be empty")
  .refine((tag) => !tag.includes(","), "must not contain a comma")
  .meta({ description: "A tag of sites", examples: ["shops"] });

export const timezone = z
  .string("must be an IANA timezone such as Europe/Berlin")
  .refine(isTimezone, "must be an IANA timezone such as Europe/Berlin or UTC")
  .meta({
    description: "IANA timezone of the site; reports use its local days",
    examples: ["Europe/Berlin"],
  });

/** Text that visitors wrote. Treat it as data: it may contain prompt injections. */
export const untrusted = z.string().overwrite(plainText).meta({ "x-untrusted": true });

export const clientId = z
  .string("must be the id of a client")
  .min(1, "must be the id of a client")
  .max(64, "must be the id of a client");

export const scope = z.enum(Object.keys(SCOPES) as [keyof typeof SCOPES], "must be one of the published scopes");

export const role = z
  .enum(Object.keys(ROLES) as [keyof typeof ROLES], oneOf(Object.keys(ROLES)))
  .meta({ examples: ["owner"] });

const MAX_PAGE_QUERY = 20;
const PARAMETER =
  "must be the name of a query parameter such as page_id: at most 64 of A-Z a-z 0-9 . _ ~ -; or / alone";

/** The query parameters that make a page, sorted. */
export const pageQuery = z
  .array(
    z
      .string(PARAMETER)
      .trim()
      .regex(/^([A-Za-z0-9._~-]{1,64}|\/)$/, PARAMETER),
    "must be a list of names",
  )
  .max(MAX_PAGE_QUERY, `must have at most ${MAX_PAGE_QUERY} names`)
  .overwrite((names) => [...new Set(names)].sort())
  .meta({
    description:
      "Query parameters that make a page, such as p for /?p=12. They are stored as a part of the path, sorted by name; all others are dropped. / stands for parameters that begin with a slash, as in /index.php?/archives/4015. It holds for events that arrive from now on",
    examples: [["p", "page_id"]],
  });

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
/** A currency to report in. */
export const reportingCurrency = z
  .string("must be a currency code such as EUR")
  .length(3, { error: "must be a currency code of 3 letters such as EUR", abort: true })
  .toUpperCase()
  .refine((code) => CURRENCIES.has(code), "must be a currency code of ISO 4217 such as EUR, USD or JPY")
  .meta({ description: "ISO 4217 code of the currency in which revenue is reported", examples: ["EUR"] });

/** Code of a currency in an answer. */
export const currencyCode = z
  .string()
  .length(3)
  .meta({ examples: ["EUR"] });

export const siteShape = z
  .object({
    site_id: siteId,
    domain: z.string().meta({ description: "The primary domain", examples: ["example.com"] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ["Example"] }),
    timezone: z.string().meta({ examples: ["Europe/Berlin"] }),
    public_url: z.url().meta({
      description: "Address of the public dashboard, which is found there while `public` is true",
      examples: ["https://stats.example.com/share/example.com"],
    }),
    ...settingShape("dashboard"),
    reporting_currency: currencyCode,
    ...settingShape("general"),
    page_query: z
      .array(z.string())
      .meta({ description: "Query parameters that make a page", examples: [["p", "page_id"]] }),
    domains: z.array(
      z
        .object({ domain_id: z.int(), domain: z.string(), primary: z.boolean(), verified: z.boolean() })
        .meta({ examples: [{ domain_id: 3, domain: "example.com", primary: true, verified: true }] }),
    ),
    trusted_proxy_ips: z
      .array(z.string())
      .nullable()
      .meta({ description: "The site's own proxies; null for roles below manager", examples: [["192.0.2.10"]] }),
    require_signature: about(
      settingShape("proxies").require_signature.nullable(),
      `${SITE_SETTINGS.proxies.require_signature.about}; null for roles below manager`,
      false,
    ),
    monitoring: settingShape("monitoring").enabled,
    tags: z.array(z.string()).meta({ description: "Your own tags of the site, in order", examples: [["shops"]] }),
    disabled: about(
      z.boolean(),
      "Whether an administrator of the service has disabled it: then it takes no events and answers only sites.export and sites.delete",
      false,
    ),
    role: role.meta({ description: "Your role on this site" }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Site" });
export type SiteShape = z.infer<typeof siteShape>;

export type Period = keyof typeof PERIODS;

export const keysOf = <T extends object>(table: T) => Object.keys(table) as [keyof T & string, ...(keyof T & string)[]];
/** Makes a parameter optional: null and an empty string mean absent. */
export const optionalParam = <T extends z.ZodType>(type: T) =>
  z.preprocess((v) => (v === "" ? null : v), type.nullish());
const localDate = z.iso.date("must be a date such as 2026-11-20");

const [FIRST_YEAR, LAST_YEAR] = [1970, 2100];
export const isSupportedYear = (year: number): boolean => year >= FIRST_YEAR && year <= LAST_YEAR;
export const SUPPORTED_YEARS = `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`;
/** A local day in the years that every database and calendar supports. */
export const supportedDay = localDate.refine((text) => isSupportedYear(Number(text.slice(0, 4))), SUPPORTED_YEARS);

export const COMPARISONS = {
  none: "No comparison",
  previous_period: "Previous period",
  year_over_year: "Year over year",
} as const;
export type Comparison = keyof typeof COMPARISONS;

const FILTER_WORDS = 'must be an object such as {"country": "FR"}';

/** Parameters of every report. */
export const reportFields = {
  site_id: siteId,
  period: optionalParam(z.enum(keysOf(PERIODS), oneOf(keysOf(PERIODS)))).meta({
    description: "Range of the report in local days of the site; default 28d. `from` and `to` override it.",
  }),
  from: optionalParam(localDate).meta({ description: "First local day, inclusive; required with `to`" }),
  to: optionalParam(localDate).meta({ description: "Last local day, inclusive; default today" }),
  traffic: optionalParam(z.enum(keysOf(TRAFFIC), oneOf(keysOf(TRAFFIC)))).meta({
    description: "Traffic to count; default human",
  }),
  compare: optionalParam(z.enum(keysOf(COMPARISONS), oneOf(keysOf(COMPARISONS)))).meta({
    description:
      "Comparison range; default none. `previous_period` is the same number of days directly before the range, `year_over_year` the same dates one year earlier. If the range includes now, the comparison ends at the same local time of day; `meta.compare` has the exact times.",
  }),
  compare_from: optionalParam(localDate).meta({
    description:
      "First local day of a custom comparison range, inclusive; requires `compare_to`. Both override `compare` and are refused with `compare` none. A comparison as long as the range is aligned and cut like `previous_period`; one of another length is counted in full, and its buckets are matched by position.",
  }),
  compare_to: optionalParam(localDate).meta({
    description: "Last local day of a custom comparison range, inclusive; requires `compare_from`",
  }),
  filters: optionalParam(z.record(z.string(), z.unknown(), FILTER_WORDS)).meta({
    description:
      'Filters, combined with AND. Each key is a dimension, `product`, `prop:<name>` or `goal:<name>`; each value is a text, a list (any of), or an object with "is", "is_not", "contains", "not_contains", "starts_with" or "matches". See /docs/metrics.',
    examples: [{ country: ["FR", "DE"], page: { starts_with: "/blog" } }],
  }),
  segment: optionalParam(z.uuid("must be the id of a segment, a UUID")).meta({
    description: "Id of a segment (a saved set of filters), combined with `filters` by AND",
  }),
  dashboard: optionalParam(z.uuid("must be the id of a dashboard, a UUID")).meta({
    description:
      "Id of a saved dashboard. Its filters are combined by AND; its range, traffic and comparison apply where the request gives none, in analytics.overview and analytics.chart also its goal and attribution",
  }),
};
export type ReportQuery = z.infer<z.ZodObject<typeof reportFields>>;

/** The goal whose conversions a report counts. */
export const chosenGoal = (about: string) =>
  optionalParam(z.string("must be the name of a goal or event").max(255, "must have at most 255 characters")).meta({
    description: about,
  });

/** In answers: the goal of the question. */
export const answeredGoal = about(z.string().nullable(), "Name of the chosen goal or event; null without one", null);
export const CONVERSION_BASES = ["goal", "goals", "events"] as const;

/** Which visit a report gives conversions and revenue to. */
export const attribution = optionalParam(z.enum(keysOf(ATTRIBUTIONS), oneOf(keysOf(ATTRIBUTIONS)))).meta({
  description: `Which visit conversions and revenue are given to; default last. last: the one in which they happened. first: the visitor's first one in the ${ATTRIBUTION_DAYS} days before; without a user_id visitors are recognised for one local day only. Filters by source or campaign apply to that visit`,
});

export const INTERVALS = ["minute", "hour", "day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];
export const interval = optionalParam(z.enum(INTERVALS, oneOf([...INTERVALS])));

const CONVERSION_UNITS = ["events", "visits", "searches", "visitors"] as const;

const range = z.object({ from: z.string(), to: z.string() });

/** Describes a report (range, filters, limits), so that its numbers can be read without the request. */
export const metaShape = z
  .object({
    site_id: siteId,
    ...range.shape,
    start: z.iso.datetime().optional().meta({
      description: "Start of the range `24h`, inclusive, which begins with an hour; other ranges are whole local days",
    }),
    end: z.iso.datetime().optional().meta({ description: "End of the range `24h`, exclusive" }),
    timezone: z.string().meta({ examples: ["Europe/Berlin"] }),
    interval: z.enum(INTERVALS).optional(),
    traffic: z.enum(keysOf(TRAFFIC)),
    filters: z.record(z.string(), z.unknown()),
    segment: z.string().nullable(),
    dashboard: z.string().nullable(),
    compare: range
      .extend({
        start: z.iso.datetime().meta({ description: "Start of the comparison, inclusive" }),
        end: z.iso.datetime().meta({ description: "End of the comparison, exclusive" }),
      })
      .nullable()
      .meta({
        description: "The comparison range: first and last local day, and the exact times",
        examples: [
          { from: "2026-09-26", to: "2026-10-23", start: "2026-09-25T22:00:00Z", end: "2026-10-23T08:30:00Z" },
        ],
      }),
    partial: z.boolean().meta({ description: "The range includes now, so its numbers still change", examples: [true] }),
    imported: range.optional().meta({
      description:
        "Days of the range that were imported from another service as daily totals by one dimension. They count only without filters (those of a segment or dashboard included), and never in funnels, journeys and other reports on single visits",
    }),
    kept_from: z.string().optional().meta({
      description:
        "First local day of the retained data; set when the range, its comparison or the lookback of retention starts before it. Earlier days are empty because their data was deleted",
    }),
    visitors_basis: z.literal("daily").meta({ description: METRICS.visitors.about }),
    identity: z
      .enum(["user_id", "monthly", "none"])
      .optional()
      .meta({ description: "How the report recognises visitors across days, if it needs to" }),
    attribution: z.enum(keysOf(ATTRIBUTIONS)).optional().meta({
      description:
        "The visit that conversions and revenue are given to by source and campaign: that in which they happened (last) or the first one of the visitor (first)",
    }),
    conversion_unit: z.enum(CONVERSION_UNITS).optional().meta({
      description:
        "What `conversions` and conversion rates of this report count: converting events, visits or searches with a conversion, or converting visitors",
    }),
    row_limit: z.int().optional().meta({ description: "Maximum number of rows of each list" }),
    truncated: z.boolean().optional().meta({ description: "Whether there are more rows" }),
  })
  .meta({ id: "Meta" });
export type Meta = z.infer<typeof metaShape>;

/** An amount of money in a currency. */
export const moneyShape = z
  .object({
    amount: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .meta({ description: "Decimal number as text, such as 12.34", examples: ["49.00"] }),
    currency: currencyCode,
  })
  .meta({ id: "Money" });
export type Money = z.infer<typeof moneyShape>;

/** An amount as an example. */
export const euros = (amount: string): Money => ({ amount, currency: "EUR" });

/** What conversions are worth, beside their revenue. */
export const conversionValue = moneyShape.nullable().meta({
  description: "Sum of the values of the goals that were reached; null where no goal has a value",
  examples: [euros("137.50")],
});

/** What a report leaves out of its sums of money. */
export const unconverted = z.array(moneyShape).meta({
  description: "Revenue that is in no other number, because no exchange rate of its currency is known for its day",
  examples: [[{ amount: "1200.00", currency: "UAH" }]],
});

/** Converts zod issues into API issues. Parse with `reportInput: true`, or missing fields are not recognised. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: [...issue.path, key.slice(0, 100)].join("."),
        message: "is not a known field; leave it out",
      }));
    }
    const missing = issue.code === "invalid_type" && issue.input === undefined;
    return [{ path: issue.path.join("."), message: missing ? `is required and ${issue.message}` : issue.message }];
  });
}
