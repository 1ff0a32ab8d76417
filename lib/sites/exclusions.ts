import { z } from "zod";
import { EXCLUSION_KINDS, type Exclusion, type ExclusionKind, readPattern } from "@/lib/contract/exclusion-patterns";
import { untrusted } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db";
import { EVENT_RULE_FIELDS, type EventRules, eventRuleId } from "@/lib/sites/event-rules";

export const exclusionId = eventRuleId.meta({ description: "Identifier of an exclusion rule", examples: [5] });

/** A rule in API responses. */
export const exclusionShape = z
  .object({
    exclusion_id: exclusionId,
    kind: z.enum(EXCLUSION_KINDS).meta({ examples: ["path"] }),
    pattern: untrusted.meta({ examples: ["/admin/**"] }),
  })
  .meta({ id: "Exclusion" });

export const describeExclusion = ({ id, kind, pattern }: Exclusion): z.input<typeof exclusionShape> => ({
  exclusion_id: id,
  kind,
  pattern,
});

export const EXCLUSIONS: EventRules<ExclusionKind> = {
  most: 200,
  read: readPattern,
  count: (on, siteId) => on.siteExclusion.count({ where: { siteId } }),
  find: (on, where) => on.siteExclusion.findFirst({ where, select: EVENT_RULE_FIELDS }),
  create: (tx, row) => tx.siteExclusion.create({ data: row, select: EVENT_RULE_FIELDS }),
  remove: (tx, id) => tx.siteExclusion.delete({ where: { id } }),
  texts: {
    wayOut: "remove a rule first",
    taken: "is already excluded",
    missing: "This rule does not exist or was already removed.",
  },
};

/** Lists the rules of a site, by kind and then by pattern. */
export const listExclusions = (siteId: number, on: Db): Promise<Exclusion[]> =>
  on.siteExclusion.findMany({
    where: { siteId },
    select: EVENT_RULE_FIELDS,
    orderBy: [{ kind: "asc" }, { pattern: "asc" }],
  });
