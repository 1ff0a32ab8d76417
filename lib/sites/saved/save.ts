import { z } from "zod";
import { readFilters } from "@/lib/analytics/query/conditions";
import { checkPatterns } from "@/lib/analytics/query/patterns";
import { optionalParam, personId } from "@/lib/contract/fields";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { canonicalName } from "@/lib/platform/names";

/** Saves and deletes segments, dashboards, goals, funnels and experiments. */

/** Limit per kind and site, few enough to list them all on a page. */
const MAX_SAVED = 100;

/** Schema of a name. The default limit is that of the parameter `funnel`; names of events can be longer. */
export const savedName = (longest = 191) =>
  z
    .string("must be text")
    .overwrite(canonicalName)
    .min(1, "must not be empty")
    .max(longest, `must have at most ${longest} characters`);

export const savedId = z.uuid("must be the id of a saved object, a UUID");

/** The person who created a saved object, in API responses. */
export const creatorId = personId.nullable().meta({
  description: "The person who created it, or whose agent did; null for a machine account and a deleted person",
  examples: [1],
});

/** Schema of the id of the object to change; null or absent to create a new one. */
export const changedId = <T extends z.ZodType>(id: T) =>
  optionalParam(id).meta({ description: "Object to change; omit to create a new one" });

/** Schema of filters in the syntax of reports. `checkFilters` validates the contents. */
export const savedFilters = z
  .record(z.string(), z.unknown(), 'must be an object such as {"country": "FR"}')
  .meta({ description: "Filters in the syntax of the report parameter `filters`; {} for none" });

/** Saved filters in API responses. */
export const filtersShape = z
  .record(z.string(), z.unknown())
  .meta({ "x-untrusted": true, examples: [{ country: "FR", page: { starts_with: "/blog" } }] });

/** Validates filters. @throws Refusal `invalid_input` for filters that a report would refuse */
export const checkFilters = (filters: Record<string, unknown>): Promise<void> => checkPatterns(readFilters(filters));

/** Columns of a new object. */
interface NewRow {
  siteId: number;
  createdById: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A kind of saved object with its database operations. */
export interface Kind<Id, Row, Saved> {
  label: "segment" | "dashboard" | "goal" | "funnel" | "experiment";
  count(tx: Db, siteId: number): Promise<number>;
  create(tx: Db, row: Row & NewRow): Promise<Saved>;
  /** Changes nothing if the site has no such object. */
  update(tx: Db, siteId: number, id: Id, row: Row, now: Date): Promise<unknown>;
  remove(tx: Db, siteId: number, id: Id): Promise<unknown>;
  /** @returns the object; null if the site has none with this id */
  find(tx: Db, siteId: number, id: Id): Promise<Saved | null>;
  /** Checks a change, or a deletion (`row` is null). @throws Refusal if other objects of the site depend on it */
  check?(tx: Db, siteId: number, id: Id, row: Row | null): Promise<void>;
}

/**
 * Creates an object, or changes the one with `id`.
 *
 * @throws Refusal `not_found` if the site has no such object, `invalid_input` for a name that is taken or beyond
 *   the limit
 */
export async function save<Id extends string | number, Row extends { name: string }, Saved>(
  { db: tx, site, principal, now }: SiteWork,
  kind: Kind<Id, Row, Saved>,
  id: Id | null | undefined,
  row: Row,
): Promise<Saved> {
  const { label } = kind;
  try {
    if (id === null || id === undefined) {
      if ((await kind.count(tx, site.id)) >= MAX_SAVED) throw tooMany(label);
      return await kind.create(tx, {
        ...row,
        siteId: site.id,
        createdById: principal.personId,
        createdAt: now,
        updatedAt: now,
      });
    }
    await kind.check?.(tx, site.id, id, row);
    await kind.update(tx, site.id, id, row, now);
    const saved = await kind.find(tx, site.id, id);
    if (!saved) throw missing(label);
    return saved;
  } catch (error) {
    throw isTakenName(error)
      ? fault(`is already the name of another ${label} of the site; choose another name`)
      : error;
  }
}

/**
 * Deletes an object.
 *
 * @returns the deleted object, so that it can be saved again
 * @throws Refusal `not_found`, and `invalid_input` while other objects of the site depend on it
 */
export async function remove<Id extends string | number, Row, Saved>(
  { db: tx, site }: SiteWork,
  kind: Kind<Id, Row, Saved>,
  id: Id,
): Promise<Saved> {
  const saved = await kind.find(tx, site.id, id);
  if (!saved) throw missing(kind.label);
  await kind.check?.(tx, site.id, id, null);
  await kind.remove(tx, site.id, id);
  return saved;
}

/** Fields of API responses that are no input. */
interface Unsent {
  id: unknown;
  created_by: unknown;
  updated_at: unknown;
}

/** Returns the `current` of an operation that saves: the object with the `id` of its input, as `format` has it. */
export const currentOf =
  <Id extends string | number, Row, Saved, Described extends Unsent>(
    kind: Kind<Id, Row, Saved>,
    format: (saved: Saved) => Described,
  ) =>
  async ({ input, site, db: tx }: { input: { id?: Id | null | undefined }; site: { id: number }; db: Db }) => {
    const { id } = input;
    const saved = id === null || id === undefined ? null : await kind.find(tx, site.id, id);
    if (!saved) return null;
    const { id: _, created_by: __, updated_at: ___, ...fields } = format(saved);
    return fields;
  };

const isTakenName = (error: unknown) => error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

const fault = (message: string) => invalidInput([{ path: "name", message }]);
const tooMany = (label: string) => fault(`exceeds the limit of ${MAX_SAVED} ${label}s per site; delete one first`);
const missing = (label: string) => new Refusal("not_found", `The site has no ${label} with this id.`);
