import { namedFilters } from "@/app/_dashboard/named-filters";
import type { QueryContext } from "@/app/_dashboard/queries";
import type { CreatorOf } from "@/components/reports/definition";
import { describeFilter } from "@/components/reports/filter-text";
import { filtersIn } from "@/components/reports/filters";
import type { Segment } from "@/components/reports/segment-picker";
import type { Owner } from "@/lib/contract/define";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import { query } from "../../access";

/** Saved segments of a site with a description of their filters and their creator. */
export async function segmentsOf(
  owner: Owner,
  context: QueryContext,
  creators: Promise<CreatorOf>,
): Promise<Segment[]> {
  const [{ segments }, creatorOf] = await Promise.all([
    query(sitesSegmentsList, owner, { site_id: context.siteId }, context.now),
    creators,
  ]);
  return Promise.all(
    segments.map(async ({ id, name, filters: stored, created_by }) => {
      const filters = await namedFilters(context, filtersIn(stored));
      return { id, name, filters, sentences: filters.map(describeFilter), maker: creatorOf(created_by) };
    }),
  );
}
