import { z } from "zod";
import { changeSite, type LockedSite } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { ReadPattern } from "@/lib/platform/path-patterns";

/** A site's own rules for new events: exclusions, and rules of scrubbing. Stored events stay as they are. */

interface EventRule<Kind> {
  id: number;
  kind: Kind;
  pattern: string;
}

/** The exclusions of sites or their rules of scrubbing, with database operations and texts. */
export interface EventRules<Kind> {
  /** Limits the work per event, because every event is compared with all rules. */
  most: number;
  read(kind: Kind, typed: string): ReadPattern;
  count(on: Db, siteId: number): Promise<number>;
  find(
    on: Db,
    where: { siteId: number } & ({ id: number } | { kind: Kind; pattern: string }),
  ): Promise<EventRule<Kind> | null>;
  create(tx: Db, row: { siteId: number; kind: Kind; pattern: string; createdAt: Date }): Promise<EventRule<Kind>>;
  remove(tx: Db, id: number): Promise<unknown>;
  /** What is said of a full list, of a pattern that is in it, and of a rule that is not. */
  texts: { wayOut: string; taken: string; missing: string };
}

export const EVENT_RULE_FIELDS = { id: true, kind: true, pattern: true } as const;

export const eventRuleId = z
  .int("must be a whole number")
  .min(1, "must be the id of a rule")
  .max(2 ** 31 - 1, "must be the id of a rule");

/**
 * Adds a rule, which applies to events from now on.
 *
 * @throws Refusal see `newEventPattern`
 */
export async function addEventRule<Kind>(
  { db, site, now }: LockedSite,
  rules: EventRules<Kind>,
  kind: Kind,
  typed: string,
): Promise<EventRule<Kind>> {
  const pattern = await newEventPattern(db, rules, site.id, kind, typed);
  const rule = await rules.create(db, { siteId: site.id, kind, pattern, createdAt: now });
  await changeSite(db, site.id);
  return rule;
}

/**
 * Validates the pattern of a new rule and returns it in normalised form. Exact despite concurrent requests, because
 * callers that write hold the lock of the site.
 *
 * @throws Refusal `invalid_input` for an invalid pattern, an existing rule, or beyond the limit
 */
export async function newEventPattern<Kind>(
  on: Db,
  { read, count, find, most, texts }: EventRules<Kind>,
  siteId: number,
  kind: Kind,
  typed: string,
): Promise<string> {
  const result = read(kind, typed.trim());
  if ("fault" in result) throw invalidPattern(result.fault);
  const { pattern } = result;
  if ((await count(on, siteId)) >= most)
    throw invalidPattern(`exceeds the limit of ${most} rules per site; ${texts.wayOut}`);
  if (await find(on, { siteId, kind, pattern })) throw invalidPattern(`${pattern} ${texts.taken}`);
  return pattern;
}

/**
 * Deletes a rule.
 *
 * @returns the deleted rule
 * @throws Refusal `not_found` if the site has no such rule
 */
export async function deleteEventRule<Kind>(
  { db, site }: LockedSite,
  rules: EventRules<Kind>,
  id: number,
): Promise<EventRule<Kind>> {
  const rule = await eventRuleOf(db, rules, site.id, id);
  await rules.remove(db, id);
  await changeSite(db, site.id);
  return rule;
}

/** Returns a rule of the site. @throws Refusal `not_found` if the site has no such rule */
export async function eventRuleOf<Kind>(
  on: Db,
  { find, texts }: EventRules<Kind>,
  siteId: number,
  id: number,
): Promise<EventRule<Kind>> {
  const rule = await find(on, { siteId, id });
  if (!rule) throw new Refusal("not_found", texts.missing);
  return rule;
}

const invalidPattern = (message: string) => invalidInput([{ path: "pattern", message }]);
