import { z } from "zod";
import { readFilters } from "@/lib/analytics/query/conditions";
import { checkPatterns } from "@/lib/analytics/query/filters";
import { optionalParam } from "@/lib/contract/fields";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, Prisma } from "@/lib/platform/db";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";

/** What the five kinds of saved things have in common. */

/** So many of each kind are enough for anybody, and every page can list them all. */
export const MOST_SAVED = 100;

/** A name; the limit is that of the parameter `funnel`, except where an event's name is meant. */
export const savedName = (longest = 191) =>
  z
    .string("must be text")
    .overwrite(plainText)
    .trim()
    .min(1, "must not be empty")
    .max(longest, `must have at most ${longest} characters`);

/** The id of something saved. */
export const savedId = z.uuid("must be the id of something saved, a UUID");

/** The id of what is changed; null or absent makes a new one. */
export const changedId = <T extends z.ZodType>(id: T) =>
  optionalParam(id).meta({ description: "What is changed; absent for something new" });

/** Filters as the reports take them; `checkFilters` looks at what is inside. */
export const savedFilters = z
  .record(z.string(), z.unknown(), 'must be an object such as {"country": "FR"}')
  .meta({ description: "As the parameter `filters` of reports takes them; {} for none" });

/** Saved filters as operations answer them. */
export const filtersShape = z.record(z.string(), z.unknown()).meta({ "x-untrusted": true });

/** @throws Refusal `invalid_input` for filters that a report would refuse. */
export const checkFilters = (filters: Record<string, unknown>): void => checkPatterns(readFilters(filters));

/** Where something new is saved, who made it and when. */
export interface NewRow {
  siteId: number;
  createdById: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A kind of saved things: what it is called, how many a site has, and how one of them is written. */
export interface Kind<Id, Row, Saved> {
  word: "segment" | "dashboard" | "goal" | "funnel" | "experiment";
  count(tx: Db, siteId: number): Promise<number>;
  create(tx: Db, row: Row & NewRow): Promise<Id>;
  /** @returns how many rows it changed: one, or none when it is not the site's. */
  update(tx: Db, siteId: number, id: Id, row: Row, now: Date): Promise<{ count: number }>;
  remove(tx: Db, siteId: number, id: Id): Promise<{ count: number }>;
  /** @returns what is saved; null when it is not the site's. */
  find(tx: Db, siteId: number, id: Id): Promise<Saved | null>;
  /** @throws Refusal when what it would become, or that it would be gone (null), is no good to others of the site. */
  check?(tx: Db, siteId: number, id: Id, row: Row | null): Promise<void>;
}

/**
 * Saves something new, or changes what is saved (`id`).
 *
 * @returns its id.
 * @throws Refusal `not_found` for what is not the site's, `invalid_input` for a name that another one has, and for one too
 *   many.
 */
export async function save<Id extends string | number, Row extends { name: string }, Saved>(
  { db: tx, site, principal, now }: SiteWork,
  kind: Kind<Id, Row, Saved>,
  id: Id | null,
  row: Row,
): Promise<Id> {
  const { word } = kind;
  try {
    if (id === null) {
      if ((await kind.count(tx, site.id)) >= MOST_SAVED) throw tooMany(word);
      return await kind.create(tx, {
        ...row,
        siteId: site.id,
        createdById: principal.personId,
        createdAt: now,
        updatedAt: now,
      });
    }
    await kind.check?.(tx, site.id, id, row);
    const { count } = await kind.update(tx, site.id, id, row, now);
    if (count === 0) throw missing(word);
    return id;
  } catch (error) {
    throw isTakenName(error) ? fault(`is the name of another ${word} of the site; choose another`) : error;
  }
}

/**
 * Deletes what is saved.
 *
 * @returns what was deleted, so that it can be saved again.
 * @throws Refusal `not_found`, and `invalid_input` while others of the site need it.
 */
export async function remove<Id extends string | number, Row, Saved>(
  { db: tx, site }: SiteWork,
  kind: Kind<Id, Row, Saved>,
  id: Id,
): Promise<Saved> {
  const saved = await kind.find(tx, site.id, id);
  if (!saved) throw missing(kind.word);
  await kind.check?.(tx, site.id, id, null);
  await kind.remove(tx, site.id, id);
  return saved;
}

const isTakenName = (error: unknown) => error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

const fault = (message: string, more: Issue[] = []) => invalidInput([{ path: "name", message }, ...more]);
const tooMany = (word: string) =>
  fault(`is one too many; a site has at most ${MOST_SAVED} ${word}s, so delete one first`);
const missing = (word: string) => new Refusal("not_found", `The site has no such ${word} (any more).`);
