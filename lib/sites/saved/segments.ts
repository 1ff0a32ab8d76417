import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { db, type Prisma } from "@/lib/db";
import type { PeopleChange } from "@/lib/sites/members";
import { checkFilters, type Kind, remove, save, savedFilters, savedId, savedName } from "@/lib/sites/saved/change";

/** A set of filters with a name, which the parameter `segment` of every report takes by its id. */
export const segmentInput = z.strictObject({ site_id: siteId, id: savedId, name: savedName(), filters: savedFilters });
export type SegmentInput = z.output<typeof segmentInput>;

interface Row {
  name: string;
  filters: Prisma.InputJsonObject;
}

const SEGMENTS: Kind<string, Row> = {
  word: "segment",
  count: (tx, siteId) => tx.segment.count({ where: { siteId } }),
  create: async (tx, row) => (await tx.segment.create({ data: row })).id,
  update: (tx, siteId, id, row, now) =>
    tx.segment.updateMany({ where: { siteId, id }, data: { ...row, updatedAt: now } }),
  remove: (tx, siteId, id) => tx.segment.deleteMany({ where: { siteId, id } }),
};

/** The segments of a site, by name. */
export const listSegments = (siteId: number) => db().segment.findMany({ where: { siteId }, orderBy: { name: "asc" } });

/** @returns its id. @throws Refusal as `save` does, and `invalid_input` for filters that no report would take. */
export async function saveSegment(by: PeopleChange, { id, name, filters }: SegmentInput): Promise<string> {
  checkFilters(filters);
  return save(by, SEGMENTS, id ?? null, { name, filters: filters as Prisma.InputJsonObject });
}

export const deleteSegment = (by: PeopleChange, id: string): Promise<void> => remove(by, SEGMENTS, id);
