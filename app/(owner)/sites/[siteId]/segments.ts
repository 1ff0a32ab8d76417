import { namedFilters } from "@/app/_dashboard/named-filters";
import type { CreatorOf } from "@/components/reports/definition";
import { describeFilter } from "@/components/reports/filter-text";
import { filtersIn } from "@/components/reports/filters";
import type { Segment } from "@/components/reports/segment-picker";
import { queryAs } from "@/lib/gateway/execute";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import { principalOf, query, signedInOwner } from "../../access";

/** Saved segments of a site with a description of their filters and their creator. */
export async function segmentsOf(siteId: number, creators: Promise<CreatorOf>): Promise<Segment[]> {
  const owner = await signedInOwner();
  const [{ segments }, creatorOf] = await Promise.all([query(sitesSegmentsList, owner, { site_id: siteId }), creators]);
  const context = { as: queryAs(principalOf(owner)), siteId, now: new Date() };
  return Promise.all(
    segments.map(async ({ id, name, filters: stored, created_by }) => {
      const filters = await namedFilters(context, filtersIn(stored));
      return { id, name, filters, sentences: filters.map(describeFilter), maker: creatorOf(created_by) };
    }),
  );
}
