import type { CreatorOf } from "@/components/reports/definition";
import { describeFilter } from "@/components/reports/filter-text";
import { filtersIn } from "@/components/reports/filters";
import type { Segment } from "@/components/reports/segment-picker";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import { query, signedInOwner } from "../../access";

/** Saved segments of a site with a description of their filters and their creator. */
export async function segmentsOf(siteId: number, creators: Promise<CreatorOf>): Promise<Segment[]> {
  const [{ segments }, creatorOf] = await Promise.all([
    query(sitesSegmentsList, await signedInOwner(), { site_id: siteId }),
    creators,
  ]);
  return segments.map(({ id, name, filters: stored, created_by }) => {
    const filters = filtersIn(stored);
    return { id, name, filters, sentences: filters.map(describeFilter), maker: creatorOf(created_by) };
  });
}
