import { moneyOf } from "@/lib/analytics/query/commerce-events";
import { PAGE_DIMENSIONS, ROLLED } from "@/lib/analytics/query/dimensions";
import { rollUp } from "@/lib/analytics/query/rollup-sql";

const pageDimensions = PAGE_DIMENSIONS.flatMap((key) => ROLLED[key] ?? []);

/** The statements for what a site's file holds besides facts, derived from them. */
export const derived = { pageDimensions, rollUp, moneyOf };
