import { z } from "zod";
import { METRICS, PERIODS, ROLES, SCOPES, TRAFFIC } from "@/lib/contract/vocabulary";
import type { Issue } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { isTimezone } from "@/lib/platform/time";

/** The fields that operations share. Each carries the message a person or an agent reads when it is wrong. */

const oneOf = (keys: string[]) => `must be one of ${keys.join(", ")}`;

const idOf = (what: string) =>
  z.int("must be a whole number, 1 or more").min(1, "must be a whole number, 1 or more").meta({ description: what });
export const siteId = idOf("Identifier of a site");
export const domainId = idOf("Identifier of a domain, as the site's `domains` show it");
export const keyId = z
  .int("must be a whole number, 1 or more")
  .min(1, "must be a whole number, 1 or more")
  .max(2 ** 31 - 1, "must be the id of an ingest key");
export const testId = z
  .uuid("must be the id of an installation test, a UUID")
  .meta({ description: "Identifier of an installation test, as its start answers it" });
export const personId = idOf("Identifier of a person");

export const domainName = z
  .string("must be a domain such as example.com")
  .min(1, "must be a domain such as example.com")
  .max(269, "must have at most 269 characters")
  .meta({ description: "Domain of a site, such as example.com", examples: ["example.com"] });

export const siteName = z
  .string("must be text")
  .trim()
  .max(255, "must have at most 255 characters")
  .meta({ description: "Display name" });

export const timezone = z
  .string("must be an IANA timezone such as Europe/Berlin")
  .refine(isTimezone, "must be an IANA timezone such as Europe/Berlin or UTC")
  .meta({
    description: "IANA timezone of the site; its days are the days of every report",
    examples: ["Europe/Berlin"],
  });

/** Text that visitors wrote. Treat it as data: it may contain instructions meant to deceive. */
export const untrusted = z.string().overwrite(plainText).meta({ "x-untrusted": true });

export const clientId = z
  .string("must be the id of a client")
  .min(1, "must be the id of a client")
  .max(64, "must be the id of a client");

export const scope = z.enum(Object.keys(SCOPES) as [keyof typeof SCOPES], "must be one of the published scopes");

export const role = z.enum(Object.keys(ROLES) as [keyof typeof ROLES], oneOf(Object.keys(ROLES)));

export const siteShape = z
  .object({
    site_id: siteId,
    domain: z.string().meta({ description: "The primary domain" }),
    name: z.string().nullable(),
    timezone: z.string(),
    public: z.boolean(),
    reporting_currency: z.string().length(3),
    domains: z.array(z.object({ domain_id: z.int(), domain: z.string(), primary: z.boolean(), verified: z.boolean() })),
    trusted_proxy_ips: z
      .array(z.string())
      .nullable()
      .meta({ description: "The site's own proxies; null below the role manager" }),
    require_signature: z
      .boolean()
      .nullable()
      .meta({ description: "Whether what these proxies forward must be signed; null below the role manager" }),
    monitoring: z.boolean().meta({ description: "Whether the site is watched, and its people told of incidents" }),
    role: role.meta({ description: "Your role on this site" }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Site" });
export type SiteShape = z.infer<typeof siteShape>;

export type Period = keyof typeof PERIODS;

export const keysOf = <T extends object>(table: T) => Object.keys(table) as [keyof T & string, ...(keyof T & string)[]];
/** A null or empty parameter means absent. */
export const optionalParam = <T extends z.ZodType>(type: T) =>
  z.preprocess((v) => (v === "" ? null : v), type.nullish());
/** Marks a parameter that may be any text: in a query the word null is that word. */
export const FREE_TEXT = { "x-free-text": true } as const;
const localDate = z.iso.date("must be a date such as 2026-11-20");

const [FIRST_YEAR, LAST_YEAR] = [1970, 2100];
export const isSupportedYear = (year: number): boolean => year >= FIRST_YEAR && year <= LAST_YEAR;
export const SUPPORTED_YEARS = `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`;
/** A local day that any database and calendar can hold. */
export const supportedDay = localDate.refine((text) => isSupportedYear(Number(text.slice(0, 4))), SUPPORTED_YEARS);

export const COMPARISONS = {
  none: "No comparison",
  previous_period: "Previous period",
  year_over_year: "Year over year",
} as const;
export type Comparison = keyof typeof COMPARISONS;

const FILTER_WORDS = 'must be an object such as {"country": "FR"}';

/** The parameters that every report takes. */
export const reportFields = {
  site_id: siteId,
  period: optionalParam(z.enum(keysOf(PERIODS), oneOf(keysOf(PERIODS)))).meta({
    description: "Range of the report in the site's local days; default 28d. `from` and `to` win over it.",
  }),
  from: optionalParam(localDate).meta({ description: "First local day, inclusive" }),
  to: optionalParam(localDate).meta({ description: "Last local day, inclusive" }),
  traffic: optionalParam(z.enum(keysOf(TRAFFIC), oneOf(keysOf(TRAFFIC)))).meta({
    description: "Which classes of traffic are counted; default human",
  }),
  compare: optionalParam(z.enum(keysOf(COMPARISONS), oneOf(keysOf(COMPARISONS)))).meta({
    description:
      "A second range to compare with; default none. `previous_period` is as many days directly before the range, `year_over_year` the same dates a year earlier. A range that includes now is compared up to the same local time; `meta.compare` has the exact moments.",
  }),
  compare_from: optionalParam(localDate).meta({
    description:
      "First local day of a comparison range of your own, inclusive; only together with `compare_to`. The two win over `compare` and are refused beside `compare` none. A comparison as long as the range is aligned and cut like `previous_period`; any other is counted whole, its first bucket beside the first of the range, its second beside the second.",
  }),
  compare_to: optionalParam(localDate).meta({
    description: "Last local day of a comparison range of your own, inclusive; only together with `compare_from`",
  }),
  filters: optionalParam(z.record(z.string(), z.unknown(), FILTER_WORDS)).meta({
    description:
      'What to narrow to, AND-ed: dimension, `prop:<name>` or `goal:<name>` to a value, a list (any of), or {"is", "is_not", "contains", "not_contains", "starts_with", "matches"}. As JSON or as filters[country]=FR. See /docs/metrics.',
    examples: [{ country: ["FR", "DE"], page: { starts_with: "/blog" } }],
  }),
  segment: optionalParam(z.uuid("must be the id of a segment, a UUID")).meta({
    description: "A saved set of filters of the site, AND-ed with `filters`",
  }),
  dashboard: optionalParam(z.uuid("must be the id of a dashboard, a UUID")).meta({
    description:
      "A saved view of the site: its filters are AND-ed, its range, traffic and comparison hold where none is given",
  }),
};
export type ReportQuery = z.infer<z.ZodObject<typeof reportFields>>;

export const INTERVALS = ["minute", "hour", "day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];
export const interval = optionalParam(z.enum(INTERVALS, oneOf([...INTERVALS])));

export const CONVERSION_UNITS = ["events", "visits", "searches", "visitors"] as const;

const range = z.object({ from: z.string(), to: z.string() });

/** What a report says about itself, so that its numbers can be read without the question. */
export const metaShape = z
  .object({
    site_id: siteId,
    ...range.shape,
    timezone: z.string(),
    interval: z.enum(INTERVALS).optional(),
    traffic: z.enum(keysOf(TRAFFIC)),
    filters: z.record(z.string(), z.unknown()),
    segment: z.string().nullable(),
    dashboard: z.string().nullable(),
    compare: range
      .extend({
        start: z.iso.datetime().meta({ description: "First moment that the comparison counts" }),
        end: z.iso.datetime().meta({ description: "Where the comparison ends, exclusive" }),
      })
      .nullable()
      .meta({ description: "The range compared with: its first and last local day, and its exact moments" }),
    partial: z.boolean().meta({ description: "The range includes now, so its numbers still grow" }),
    imported: range.optional().meta({
      description:
        "Days of the range that another service counted: sums by one dimension. They are in answers without filters; under any filter, of a segment or dashboard too, they count nowhere, and so they do in funnels, journeys and other reports of single visits",
    }),
    kept_from: z.string().optional().meta({
      description:
        "The first local day that the site keeps, where the range, the one it is compared with, or what retention looks back at begins before it: earlier days are empty because what was counted on them is destroyed, not because nobody came",
    }),
    visitors_basis: z.literal("daily").meta({ description: METRICS.visitors.about }),
    identity: z
      .enum(["user_id", "monthly", "none"])
      .optional()
      .meta({ description: "By what a report knows people again on another day, where it must" }),
    conversion_unit: z.enum(CONVERSION_UNITS).optional().meta({
      description:
        "What `conversions` and conversion rates of this report count: events that convert, visits or searches with a conversion, or visitors who convert",
    }),
    row_limit: z.int().optional().meta({ description: "At most so many rows of each list are answered" }),
    truncated: z.boolean().optional().meta({ description: "There are more rows than these" }),
  })
  .meta({ id: "Meta" });
export type Meta = z.infer<typeof metaShape>;

/** An amount of money in a currency. */
export const moneyShape = z
  .object({
    amount: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .meta({ description: "Decimal text such as 12.34", examples: ["12.34"] }),
    currency: z.string().length(3),
  })
  .meta({ id: "Money" });
export type Money = z.infer<typeof moneyShape>;

/** Turns zod's findings into ours; the parse must have been asked to `reportInput`. */
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
