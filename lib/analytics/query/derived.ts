import { moneyOf } from "@/lib/analytics/query/commerce-events";
import { rollUp } from "@/lib/analytics/query/rollup-sql";

/** What a site's file holds besides facts, all of it made of them. */
export const derived = { rollUp, moneyOf };
