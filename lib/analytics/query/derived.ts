import { moneyOf } from "@/lib/analytics/query/commerce-events";
import { rollUp } from "@/lib/analytics/query/rollup-sql";

/** The statements for what a site's file holds besides facts, derived from them. */
export const derived = { rollUp, moneyOf };
