import { z } from "zod";
import { EXCLUSION_KINDS, type Exclusion, type ExclusionKind, readPattern } from "@/lib/contract/exclusion-patterns";
import { untrusted } from "@/lib/contract/fields";
import { changeSite, type SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Every rule is looked at for every event. */
const MOST_EXCLUSIONS = 200;

export const exclusionId = z
  .int("must be a whole number")
  .min(1, "must be a rule of the site")
  .max(2 ** 31 - 1, "must be a rule of the site")
  .meta({ description: "Identifier of an exclusion rule" });

/** A rule as operations answer it. */
export const exclusionShape = z
  .object({ exclusion_id: exclusionId, kind: z.enum(EXCLUSION_KINDS), pattern: untrusted })
  .meta({ id: "Exclusion" });

export const describeExclusion = ({ id, kind, pattern }: Exclusion): z.input<typeof exclusionShape> => ({
  exclusion_id: id,
  kind,
  pattern,
});

const RULE_FIELDS = { id: true, kind: true, pattern: true } as const;

/** The rules of a site, by kind and then by pattern. */
export const listExclusions = (siteId: number, on: Db = db()): Promise<Exclusion[]> =>
  on.siteExclusion.findMany({
    where: { siteId },
    select: RULE_FIELDS,
    orderBy: [{ kind: "asc" }, { pattern: "asc" }],
  });

/** What a change of rules is given: it holds the site, and its caller may change it. */
type Changing = Omit<SiteWork, "principal">;

/**
 * Leaves something out of the count from now on. What was stored stays.
 *
 * @throws Refusal `invalid_input` for a pattern that is none, a rule that is there already, and the 201st.
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
  if (!rule) throw isThere(pattern);
  await changeSite(db, site.id);
  return rule;
}

/**
 * Reads the pattern of a rule that could be added now, in the spelling in which events are compared with it.
 *
 * @throws Refusal as `addExclusion` does.
 */
export async function newPattern(on: Db, siteId: number, kind: ExclusionKind, typed: string): Promise<string> {
  const read = readPattern(kind, typed.trim());
  if ("fault" in read) throw badPattern(read.fault);
  await keepFew(on, siteId);
  const { pattern } = read;
  if (await on.siteExclusion.findFirst({ where: { siteId, kind, pattern } })) throw isThere(pattern);
  return pattern;
}

/** The site is held meanwhile, so that two who add at once cannot pass the limit together. */
async function keepFew(tx: Db, siteId: number): Promise<void> {
  if ((await tx.siteExclusion.count({ where: { siteId } })) < MOST_EXCLUSIONS) return;
  throw badPattern(`is one too many; a site has at most ${MOST_EXCLUSIONS} rules, so remove one first`);
}

/**
 * Counts something again.
 *
 * @returns the rule that was deleted.
 * @throws Refusal `not_found` for a rule that is not the site's (any more).
 */
export async function deleteExclusion({ db, site }: Changing, id: number): Promise<Exclusion> {
  const rule = await exclusionOf(db, site.id, id);
  await db.siteExclusion.delete({ where: { id } });
  await changeSite(db, site.id);
  return rule;
}

/** @throws Refusal `not_found` for a rule that is not the site's (any more). */
export async function exclusionOf(on: Db, siteId: number, id: number): Promise<Exclusion> {
  const rule = await on.siteExclusion.findFirst({ where: { siteId, id }, select: RULE_FIELDS });
  if (!rule) throw new Refusal("not_found", "That rule is not there (any more).");
  return rule;
}

const isThere = (pattern: string) => badPattern(`${pattern} is left out already`);
const badPattern = (message: string) => invalidInput([{ path: "pattern", message }]);
