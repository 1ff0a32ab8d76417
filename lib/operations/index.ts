import type { AnyOperation } from "@/lib/contract/define";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsOverview from "@/lib/operations/analytics.overview";
import sitesCreate from "@/lib/operations/sites.create";
import sitesList from "@/lib/operations/sites.list";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";

/** Every operation there is. What is not in this list does not exist for anyone. */
export const OPERATIONS: ReadonlyMap<string, AnyOperation> = new Map(
  [sitesList, sitesCreate, sitesSettingsGet, analyticsOverview, analyticsChart].map((op) => [op.id, op]),
);
