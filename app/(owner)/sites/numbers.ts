import type { Owner } from "@/lib/contract/define";
import sitesOverview from "@/lib/operations/sites.overview";
import type { Week } from "@/lib/sites/site-list";
import { ask } from "../access";

/** As many sites as `sites.overview` takes at once. */
const AT_ONCE = 1_000;

/** Returns the last seven days of sites by id, without sites whose timezone is unknown to this server. */
export async function weeksOf(owner: Owner, siteIds: readonly number[], now: Date): Promise<Map<number, Week>> {
  const sites = await numbersOf(owner, siteIds, ["visitors"], now);
  return new Map(
    sites.flatMap(({ site_id, numbers }) => {
      if (!numbers) return [];
      const { metrics, previous, days } = numbers;
      const counts = { visitors: metrics.visitors ?? 0, before: previous.visitors ?? 0 };
      return [[site_id, { ...counts, days: days.map(({ visitors = 0 }) => visitors) }] as const];
    }),
  );
}

/** Returns the visitors active on each of these sites, by id; no entry for none. */
export async function presentOf(owner: Owner, siteIds: readonly number[], now: Date): Promise<Map<number, number>> {
  const sites = await numbersOf(owner, siteIds, [], now);
  return new Map(
    sites.flatMap(({ site_id, active_visitors }) => (active_visitors > 0 ? [[site_id, active_visitors] as const] : [])),
  );
}

async function numbersOf(owner: Owner, siteIds: readonly number[], metrics: "visitors"[], now: Date) {
  const parts = Array.from({ length: Math.ceil(siteIds.length / AT_ONCE) }, (_, part) =>
    siteIds.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  const answers = await Promise.all(
    parts.map((part) => ask(sitesOverview, owner, { site_ids: part, period: "7d", metrics }, now)),
  );
  return answers.flatMap(({ sites }) => sites);
}
