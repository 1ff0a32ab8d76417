import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { siteId, untrusted } from "@/lib/contract/fields";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import {
  changedId,
  creatorId,
  currentOf,
  filtersShape,
  type Kind,
  remove,
  save,
  savedFilters,
  savedId,
  savedName,
} from "@/lib/sites/saved/save";

/** A saved set of filters. Every report accepts its id as the parameter `segment`. */
export const segmentInput = z.strictObject({
  site_id: siteId,
  id: changedId(savedId),
  name: savedName(),
  filters: savedFilters,
});
export type SegmentInput = z.output<typeof segmentInput>;

export const segmentShape = z
  .object({
    id: savedId,
    name: untrusted.meta({ examples: ["French blog readers"] }),
    filters: filtersShape,
    created_by: creatorId,
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Segment" });

interface Row {
  name: string;
  filters: Prisma.InputJsonObject;
}

const SEGMENTS: Kind<string, Row, SegmentRow> = {
  label: "segment",
  count: (tx, siteId) => tx.segment.count({ where: { siteId } }),
  create: (tx, row) => tx.segment.create({ data: row }),
  update: (tx, siteId, id, row, now) =>
    tx.segment.updateMany({ where: { siteId, id }, data: { ...row, updatedAt: now } }),
  remove: (tx, siteId, id) => tx.segment.deleteMany({ where: { siteId, id } }),
  find: (tx, siteId, id) => tx.segment.findFirst({ where: { siteId, id } }),
  check: requireNoLink,
};

/** What a private link shows does not change: the filters of its segment stay as they were when the link was made. */
async function requireNoLink(tx: Db, siteId: number, id: string, row: Row | null): Promise<void> {
  const [links, saved] = await Promise.all([
    tx.shareLink.findMany({ where: { siteId, segmentId: id }, select: { name: true }, take: 3 }),
    tx.segment.findFirst({ where: { siteId, id } }),
  ]);
  if (links.length === 0 || (row && saved && isDeepStrictEqual(row.filters, saved.filters))) return;
  const names = links.map(({ name }) => name).join(", ");
  const message = `is what private links show (${names}); revoke them first, or save another segment`;
  throw invalidInput([{ path: row ? "filters" : "id", message }]);
}

/** Lists the segments of a site by name. */
export const listSegments = (siteId: number, on: Db) =>
  on.segment.findMany({ where: { siteId }, orderBy: { name: "asc" } });

/** Formats a segment for API responses. */
export const describeSegment = ({
  id,
  name,
  filters,
  createdById,
  updatedAt,
}: SegmentRow): z.input<typeof segmentShape> => ({
  id,
  name,
  filters: filters as Prisma.JsonObject,
  created_by: createdById,
  updated_at: updatedAt.toISOString(),
});
type SegmentRow = Prisma.SegmentGetPayload<object>;

export const currentSegment = currentOf(SEGMENTS, describeSegment);

/** Creates or changes a segment. @throws Refusal see `save`, and `checkFilters` for its filters */
export async function saveSegment(work: SiteWork, { id, name, filters }: SegmentInput): Promise<SegmentRow> {
  return save(work, SEGMENTS, id, { name, filters: filters as Prisma.InputJsonObject });
}

/** Deletes a segment. @throws Refusal see `remove` */
export const deleteSegment = (work: SiteWork, id: string): Promise<SegmentRow> => remove(work, SEGMENTS, id);
