import { z } from "zod";
import { untrusted } from "@/lib/contract/fields";
import { SCRUB_RULE_KINDS, type ScrubRule, type ScrubRuleKind } from "@/lib/contract/scrub-rule-kinds";
import { readScrubRule } from "@/lib/contract/scrub-rules";
import { changeSite, type SiteWork } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Limits the work per event, because every word of an event is compared with all patterns. */
const MAX_RULES = 50;

interface StoredRule extends ScrubRule {
  id: number;
}

export const scrubRuleId = z
  .int("must be a whole number")
  .min(1, "must be the id of a rule")
  .max(2 ** 31 - 1, "must be the id of a rule")
  .meta({ description: "Identifier of a scrubbing rule", examples: [7] });

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

const RULE_FIELDS = { id: true, kind: true, pattern: true } as const;

/** Lists the rules of a site, by kind and then by pattern. */
export const listScrubRules = (siteId: number, on: Db): Promise<StoredRule[]> =>
  on.siteScrubRule.findMany({
    where: { siteId },
    select: RULE_FIELDS,
    orderBy: [{ kind: "asc" }, { pattern: "asc" }],
  });

/** The locked site that a caller with permission changes. */
type Changing = Omit<SiteWork, "principal">;

/**
 * Adds a rule, which applies to events from now on. Stored events stay.
 *
 * @throws Refusal `invalid_input` for an invalid pattern, an existing rule, or more than 50 rules
 */
export async function addScrubRule(
  { db, site, now }: Changing,
  kind: ScrubRuleKind,
  typed: string,
): Promise<StoredRule> {
  const pattern = await newScrubPattern(db, site.id, kind, typed);
  const data = { siteId: site.id, kind, pattern, createdAt: now };
  const rule = await db.siteScrubRule.create({ data, select: RULE_FIELDS });
  await changeSite(db, site.id);
  return rule;
}

/**
 * Validates the pattern of a new rule and returns it in normalised form. Exact despite concurrent requests, because
 * callers that write hold the lock of the site.
 *
 * @throws Refusal see `addScrubRule`
 */
export async function newScrubPattern(on: Db, siteId: number, kind: ScrubRuleKind, typed: string): Promise<string> {
  const read = readScrubRule(kind, typed.trim());
  if ("fault" in read) throw invalidPattern(read.fault);
  const { pattern } = read;
  if ((await on.siteScrubRule.count({ where: { siteId } })) >= MAX_RULES)
    throw invalidPattern(`exceeds the limit of ${MAX_RULES} rules per site; delete a rule first`);
  if (await on.siteScrubRule.findFirst({ where: { siteId, kind, pattern } }))
    throw invalidPattern(`${pattern} already has this rule`);
  return pattern;
}

/**
 * Deletes a rule.
 *
 * @returns the deleted rule
 * @throws Refusal `not_found` if the site has no such rule
 */
export async function deleteScrubRule({ db, site }: Changing, id: number): Promise<StoredRule> {
  const rule = await scrubRuleOf(db, site.id, id);
  await db.siteScrubRule.delete({ where: { id } });
  await changeSite(db, site.id);
  return rule;
}

/** Returns a rule of the site. @throws Refusal `not_found` if the site has no such rule */
export async function scrubRuleOf(on: Db, siteId: number, id: number): Promise<StoredRule> {
  const rule = await on.siteScrubRule.findFirst({ where: { siteId, id }, select: RULE_FIELDS });
  if (!rule) throw new Refusal("not_found", "This rule does not exist or was already deleted.");
  return rule;
}

const invalidPattern = (message: string) => invalidInput([{ path: "pattern", message }]);
