import { sentenceOf } from "@/components/reports/filter-words";
import { readFilters } from "@/components/reports/filters";
import type { Segment } from "@/components/reports/segment-picker";
import { listSegments } from "@/lib/sites/saved/segments";

/** A site's saved sets of filters, and what each narrows to in words. */
export async function segmentsOf(siteId: number): Promise<Segment[]> {
  return (await listSegments(siteId)).map(({ id, name, filters }) => {
    const saved = readFilters({ filters: JSON.stringify(filters) }) ?? [];
    return { id, name, about: saved.map(sentenceOf).join(", ") };
  });
}
