import { z } from "zod";
import { untrusted } from "@/lib/contract/fields";
import { SCRUB_RULE_KINDS, type ScrubRule, type ScrubRuleKind } from "@/lib/contract/scrub-rule-kinds";
import { readScrubRule } from "@/lib/contract/scrub-rules";
import type { Db } from "@/lib/platform/db";
import { EVENT_RULE_FIELDS, type EventRules, eventRuleId } from "@/lib/sites/event-rules";

interface StoredRule extends ScrubRule {
  id: number;
}

export const scrubRuleId = eventRuleId.meta({ description: "Identifier of a scrubbing rule", examples: [7] });

/** A rule in API responses. */
export const scrubRuleShape = z
  .object({
    rule_id: scrubRuleId,
    kind: z.enum(SCRUB_RULE_KINDS).meta({ examples: ["pattern"] }),
    pattern: untrusted.meta({ examples: ["cust-*"] }),
  })
  .meta({ id: "ScrubbingRule" });

export const describeScrubRule = ({ id, kind, pattern }: StoredRule): z.input<typeof scrubRuleShape> => ({
  rule_id: id,
  kind,
  pattern,
});

export const SITE_SCRUB_RULES: EventRules<ScrubRuleKind> = {
  // Every word of an event is compared with all patterns.
  most: 50,
  read: readScrubRule,
  count: (on, siteId) => on.siteScrubRule.count({ where: { siteId } }),
  find: (on, where) => on.siteScrubRule.findFirst({ where, select: EVENT_RULE_FIELDS }),
  create: (tx, row) => tx.siteScrubRule.create({ data: row, select: EVENT_RULE_FIELDS }),
  remove: (tx, id) => tx.siteScrubRule.delete({ where: { id } }),
  texts: {
    wayOut: "delete a rule first",
    taken: "already has this rule",
    missing: "This rule does not exist or was already deleted.",
  },
};

/** Lists the rules of a site, by kind and then by pattern. */
export const listScrubRules = (siteId: number, on: Db): Promise<StoredRule[]> =>
  on.siteScrubRule.findMany({
    where: { siteId },
    select: EVENT_RULE_FIELDS,
    orderBy: [{ kind: "asc" }, { pattern: "asc" }],
  });
