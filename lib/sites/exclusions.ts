import { z } from "zod";
import { EXCLUSION_KINDS, type Exclusion, type ExclusionKind, readPattern } from "@/lib/contract/exclusion-patterns";
import { untrusted } from "@/lib/contract/fields";
import { changeSite, type SiteWork } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Limits the work per event, because every event is checked against all rules. */
const MAX_EXCLUSIONS = 200;

export const exclusionId = z
  .int("must be a whole number")
  .min(1, "must be the id of a rule")
  .max(2 ** 31 - 1, "must be the id of a rule")
  .meta({ description: "Identifier of an exclusion rule", examples: [5] });

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

const RULE_FIELDS = { id: true, kind: true, pattern: true } as const;

/** Lists the rules of a site, by kind and then by pattern. */
export const listExclusions = (siteId: number, on: Db): Promise<Exclusion[]> =>
  on.siteExclusion.findMany({
    where: { siteId },
    select: RULE_FIELDS,
    orderBy: [{ kind: "asc" }, { pattern: "asc" }],
  });

/** The locked site that a caller with permission changes. */
type Changing = Omit<SiteWork, "principal">;

/**
 * Adds an exclusion rule, which applies to events from now on. Stored events stay.
 *
 * @throws Refusal `invalid_input` for an invalid pattern, an existing rule, or more than 200 rules
 */
export async function addExclusion(
  { db, site, now }: Changing,
  kind: ExclusionKind,
  typed: string,
): Promise<Exclusion> {
  const pattern = await newPattern(db, site.id, kind, typed);
  const [rule] = await db.siteExclusion.createManyAndReturn({
    data: [{ siteId: site.id, kind, pattern, createdAt: now }],
    skipDuplicates: true,
    select: RULE_FIELDS,
  });
  if (!rule) throw ruleExists(pattern);
  await changeSite(db, site.id);
  return rule;
}

/**
 * Validates the pattern of a new rule and returns it in normalised form.
 *
 * @throws Refusal see `addExclusion`
 */
export async function newPattern(on: Db, siteId: number, kind: ExclusionKind, typed: string): Promise<string> {
  const read = readPattern(kind, typed.trim());
  if ("fault" in read) throw invalidPattern(read.fault);
  await requireFreeRule(on, siteId);
  const { pattern } = read;
  if (await on.siteExclusion.findFirst({ where: { siteId, kind, pattern } })) throw ruleExists(pattern);
  return pattern;
}

/** Exact despite concurrent requests, because callers hold the lock of the site. */
async function requireFreeRule(tx: Db, siteId: number): Promise<void> {
  if ((await tx.siteExclusion.count({ where: { siteId } })) < MAX_EXCLUSIONS) return;
  throw invalidPattern(`exceeds the limit of ${MAX_EXCLUSIONS} rules per site; remove a rule first`);
}

/**
 * Deletes an exclusion rule.
 *
 * @returns the deleted rule
 * @throws Refusal `not_found` if the site has no such rule
 */
export async function deleteExclusion({ db, site }: Changing, id: number): Promise<Exclusion> {
  const rule = await exclusionOf(db, site.id, id);
  await db.siteExclusion.delete({ where: { id } });
  await changeSite(db, site.id);
  return rule;
}

/** Returns a rule of the site. @throws Refusal `not_found` if the site has no such rule */
export async function exclusionOf(on: Db, siteId: number, id: number): Promise<Exclusion> {
  const rule = await on.siteExclusion.findFirst({ where: { siteId, id }, select: RULE_FIELDS });
  if (!rule) throw new Refusal("not_found", "This rule does not exist or was already removed.");
  return rule;
}

const ruleExists = (pattern: string) => invalidPattern(`${pattern} is already excluded`);
const invalidPattern = (message: string) => invalidInput([{ path: "pattern", message }]);
