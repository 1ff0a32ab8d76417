import { z } from "zod";
import { readFilters } from "@/lib/analytics/conditions";
import { checkPatterns } from "@/lib/analytics/query/filters";
import type { SiteAccess } from "@/lib/contract/define";
import { type Issue, invalidInput, Refusal } from "@/lib/contract/errors";
import { absentable } from "@/lib/contract/fields";
import { type Db, db, Prisma } from "@/lib/db";
import { isOutOfTurn } from "@/lib/pool";
import { siteFor } from "@/lib/sites/access";
import { LARGEST_ID, lockSite, siteGone } from "@/lib/sites/change";
import { busy, type PeopleChange } from "@/lib/sites/members";
import { plainText } from "@/lib/text";

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

/** The id of what is changed; null or absent makes a new one. */
export const savedId = absentable(z.uuid("must be the id of something saved, a UUID"));

/** Filters as the reports take them; `checkFilters` looks at what is inside. */
export const savedFilters = z.record(z.string(), z.unknown(), 'must be an object such as {"country": "FR"}');

/** @throws Refusal `invalid_input` for filters that a report would refuse. */
export const checkFilters = (filters: Record<string, unknown>): void => checkPatterns(readFilters(filters));

/** Where something new is saved, who made it and when. */
export interface NewRow {
  siteId: number;
  createdById: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A kind of saved things: what it is called, how many a site has, and how one of them is written. */
export interface Kind<Id, Row> {
  word: "segment" | "dashboard" | "goal" | "funnel" | "experiment";
  count(tx: Db, siteId: number): Promise<number>;
  create(tx: Db, row: Row & NewRow): Promise<Id>;
  /** @returns how many rows it changed: one, or none when it is not the site's. */
  update(tx: Db, siteId: number, id: Id, row: Row, now: Date): Promise<{ count: number }>;
  remove(tx: Db, siteId: number, id: Id): Promise<{ count: number }>;
  /** @throws Refusal when what it would become, or that it would be gone (null), is no good to others of the site. */
  check?(tx: Db, siteId: number, id: Id, row: Row | null): Promise<void>;
}

/**
 * A manager saves something, or changes what is saved (`id`).
 *
 * @returns its id.
 * @throws Refusal as `siteFor` does for who may not, `not_found` for what is not the site's, `invalid_input` for a name
 *   that another one has, and for one too many.
 */
export function save<Id extends string | number, Row extends { name: string }>(
  by: PeopleChange,
  kind: Kind<Id, Row>,
  id: Id | null,
  row: Row,
): Promise<Id> {
  const { word } = kind;
  return change(by, `${word}s.save`, { name: row.name }, async (tx, { id: siteId }) => {
    if (id === null) {
      if ((await kind.count(tx, siteId)) >= MOST_SAVED) throw tooMany(word);
      return kind.create(tx, { ...row, siteId, createdById: by.personId, createdAt: by.now, updatedAt: by.now });
    }
    await kind.check?.(tx, siteId, id, row);
    const { count } = await kind.update(tx, siteId, id, row, by.now);
    if (count === 0) throw missing(word);
    return id;
  }).catch((error) => {
    throw isTakenName(error) ? fault(`is the name of another ${word} of the site; choose another`) : error;
  });
}

/** A manager deletes what is saved. @throws Refusal as `save` does, and when others of the site need it. */
export function remove<Id extends string | number, Row>(by: PeopleChange, kind: Kind<Id, Row>, id: Id): Promise<void> {
  return change(by, `${kind.word}s.delete`, { id }, async (tx, { id: siteId }) => {
    await kind.check?.(tx, siteId, id, null);
    const { count } = await kind.remove(tx, siteId, id);
    if (count === 0) throw missing(kind.word);
  });
}

/** The site is held meanwhile, so that what was counted is still so. Its revision stays: approvals are not about this. */
async function change<Result>(
  { personId, siteId, requestId, now }: PeopleChange,
  operation: string,
  detail: Record<string, string | number>,
  work: (tx: Db, site: SiteAccess) => Promise<Result>,
): Promise<Result> {
  if (siteId > LARGEST_ID) throw siteGone(siteId);
  try {
    return await db().$transaction(async (tx) => {
      await lockSite(tx, siteId);
      const site = await siteFor(tx, { kind: "owner", personId }, siteId, "manager");
      const result = await work(tx, site);
      await tx.audit.create({ data: { at: now, siteId, personId, requestId, operation, detail } });
      return result;
    });
  } catch (error) {
    if (isOutOfTurn(error)) throw busy();
    throw error;
  }
}

const isTakenName = (error: unknown) => error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

const fault = (message: string, more: Issue[] = []) => invalidInput([{ path: "name", message }, ...more]);
const tooMany = (word: string) =>
  fault(`is one too many; a site has at most ${MOST_SAVED} ${word}s, so delete one first`);
const missing = (word: string) => new Refusal("not_found", `The site has no such ${word} (any more).`);
