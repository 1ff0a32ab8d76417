import { describeFilter } from "@/components/reports/filter-text";
import { readFilters } from "@/components/reports/filters";
import type { Segment } from "@/components/reports/segment-picker";
import type { CreatorOf } from "@/lib/sites/saved/creators";
import { listSegments } from "@/lib/sites/saved/segments";

/** Saved segments of a site with a description of their filters and their creator. */
export async function segmentsOf(siteId: number, creators: Promise<CreatorOf>): Promise<Segment[]> {
  const [saved, creatorOf] = await Promise.all([listSegments(siteId), creators]);
  return saved.map(({ id, name, filters: stored, createdById }) => {
    const filters = readFilters({ filters: JSON.stringify(stored) }) ?? [];
    return { id, name, filters, sentences: filters.map(describeFilter), maker: creatorOf(createdById) };
  });
}
