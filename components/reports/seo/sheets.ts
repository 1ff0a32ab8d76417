import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type seo from "@/lib/operations/analytics.seo";

export type SeoAnswer = z.output<(typeof seo)["output"]>;
type Landing = SeoAnswer["organic"]["landing_pages"][number];
type Query = SeoAnswer["providers"][number]["queries"][number];

const landing = [
  column<Landing>("Landing page", "path", (row) => row.page, { unknown: "Unknown page" }),
  column<Landing>("Source", "text", (row) => row.source, { unknown: "Unknown" }),
  column<Landing>("Visitors", "count", (row) => row.visitors),
  column<Landing>("Visits", "count", (row) => row.visits),
  column<Landing>("Bounce rate", "fraction", (row) => row.bounce_rate),
  column<Landing>("Conversions", "count", (row) => row.conversions, { about: "Visits with a conversion" }),
  column<Landing>("Conversion rate", "fraction", (row) => row.conversion_rate),
];
const query = [
  column<Query>("Query", "text", (row) => row.query),
  column<Query>("Page", "path", (row) => row.page),
  column<Query>("Clicks", "count", (row) => row.clicks),
  column<Query>("Impressions", "count", (row) => row.impressions),
  column<Query>("Click-through rate", "fraction", (row) => row.ctr),
  column<Query>("Position", "number", (row) => row.position),
];

export const seoSheets = ({ organic, assistants, providers }: SeoAnswer): Sheet[] => [
  sheetOf("organic", "From search engines", organic.landing_pages, landing, { bar: 3 }),
  sheetOf("assistants", "From AI assistants", assistants.landing_pages, landing, { bar: 3 }),
  ...providers.map(({ provider, queries }) =>
    sheetOf(`queries-${provider}`, `Queries, by ${PROVIDERS[provider]}`, queries, query, { bar: 2 }),
  ),
];

export const PROVIDERS = { google: "Google Search Console", bing: "Bing Webmaster Tools" } as const;
