import { DIMENSIONS, type DimensionKey, isDimension, ROLLED, wordsOf } from "@/lib/analytics/dimensions";
import { dayOf, eventsIn, type Scope } from "@/lib/analytics/question";
import { source } from "@/lib/analytics/sources";
import { invalidInput } from "@/lib/contract/errors";
import { db, Prisma, reports } from "@/lib/db";

/** Values that a filter may be given, as they are typed. */

export interface Option {
  value: string;
  /** Null where it is not known without reading every visit. */
  visitors: number | null;
}

export interface Asking {
  /** Texts that a value contains, whatever its capitals. */
  parts: readonly string[];
  limit: number;
}

export type Field = { dimension: DimensionKey } | { prop: string } | "prop" | "goal";

/** @throws Refusal `invalid_input` that lists the known fields. */
export function readField(text: string): Field {
  if (isDimension(text)) return { dimension: text };
  if (text === "prop" || text === "goal") return text;
  const [, prop] = /^prop:(.+)$/s.exec(text) ?? [];
  if (prop) return { prop };
  const known = [...Object.keys(DIMENSIONS), "prop (their names)", "prop:<name>", "goal (their names)"].join(", ");
  throw invalidInput([{ path: "field", message: `is not a filter; there are ${known}` }]);
}

/** Properties are kept in the events themselves: so many of the newest are looked through. */
const NEWEST_EVENTS = 5_000;
/** Facts that are counted at once: of more of them, only the sealed days are told. */
const MOST_FACTS = 20_000;

/** The values of a field that contain what was typed: those with the most visitors first, then the newest. */
export async function optionsOf(scope: Scope, field: Field, asking: Asking): Promise<Option[]> {
  if (field === "goal") return goals(scope.siteId, asking);
  if (field === "prop" || "prop" in field) return ofProps(scope, field === "prop" ? null : field.prop, asking);
  return ofDictionary(scope, field.dimension, asking);
}

const containing = (word: Prisma.Sql, parts: readonly string[]): Prisma.Sql =>
  parts.length > 0
    ? Prisma.join(
        parts.map((part) => Prisma.sql`strpos(lower(${word}), lower(${part})) > 0`),
        " AND ",
      )
    : Prisma.sql`true`;

async function ofDictionary(scope: Scope, key: DimensionKey, { parts, limit }: Asking): Promise<Option[]> {
  const counted = await countable(scope, key);
  const counts = counted ? source(counted, [key], ["visits"]) : NOTHING_COUNTED;
  // A question that is narrowed asks for what occurs in it.
  const join = isNarrowed(scope) ? Prisma.sql`JOIN` : Prisma.sql`LEFT JOIN`;
  return reports().$queryRaw`
    SELECT word AS value, ${counted ? Prisma.sql`coalesce(visitors, 0)::int` : Prisma.sql`NULL::int`} AS visitors
    FROM (SELECT word, max(id) AS newest FROM ${wordsOf(key, scope.siteId)} AS words(id, word)
          WHERE word <> '' AND ${containing(Prisma.sql`word`, parts)} GROUP BY word) AS found
    ${join} (SELECT k0, sum(visitors) AS visitors FROM (${counts}) AS partial GROUP BY k0) AS counts ON k0 = word
    ORDER BY counts.visitors DESC NULLS LAST, newest DESC, word LIMIT ${limit}`;
}

const NOTHING_COUNTED = Prisma.sql`SELECT NULL::text AS k0, NULL::int AS visitors WHERE false`;

const isNarrowed = ({ filters }: Scope): boolean => Object.values(filters).some((conditions) => conditions.length > 0);

/**
 * What visitors are counted in: everything when the question is narrowed or little is left to the facts, otherwise the
 * sealed days; null when there are none of this dimension.
 */
async function countable(scope: Scope, key: DimensionKey): Promise<Scope | null> {
  if (isNarrowed(scope)) return scope;
  const sealed = ROLLED[key] === undefined ? null : scope.sealed;
  const gaps = sealed ? sealed.gaps : [scope.range];
  const few = await Promise.all(gaps.map((gap) => isFew({ ...scope, range: { ...scope.range, ...gap } })));
  if (few.every(Boolean)) return { ...scope, sealed };
  return sealed && { ...scope, sealed: { ...sealed, gaps: [] } };
}

async function isFew(scope: Scope): Promise<boolean> {
  const [row] = await reports().$queryRaw<{ facts: number }[]>`
    SELECT count(*)::int AS facts FROM (
      SELECT FROM facts.event AS fact WHERE ${eventsIn(scope)} LIMIT ${MOST_FACTS + 1}) AS few`;
  return (row?.facts ?? 0) <= MOST_FACTS;
}

/** Names of properties, or values of one, in the newest events of the range. */
function ofProps(scope: Scope, name: string | null, { parts, limit }: Asking): Promise<Option[]> {
  const texts = name === null ? Prisma.sql`jsonb_object_keys(props)` : Prisma.sql`(VALUES (props ->> ${name}))`;
  const having = name === null ? Prisma.sql`fact.props IS NOT NULL` : Prisma.sql`fact.props ->> ${name} <> ''`;
  return reports().$queryRaw`
    SELECT value, count(DISTINCT (${dayOf(Prisma.sql`ts`, scope)}, visitor_id))::int AS visitors
    FROM (SELECT fact.ts, fact.visitor_id, fact.props FROM facts.event AS fact WHERE ${eventsIn(scope)} AND ${having}
          ORDER BY fact.ts DESC LIMIT ${NEWEST_EVENTS}) AS newest, LATERAL ${texts} AS texts(value)
    WHERE ${containing(Prisma.sql`value`, parts)}
    GROUP BY value ORDER BY visitors DESC, max(ts) DESC, value LIMIT ${limit}`;
}

async function goals(siteId: number, { parts, limit }: Asking): Promise<Option[]> {
  const found = await db().goal.findMany({
    where: { siteId, AND: parts.map((part) => ({ name: { contains: part, mode: "insensitive" as const } })) },
    orderBy: [{ createdAt: "desc" }, { name: "asc" }],
    take: limit,
  });
  return found.map(({ name }) => ({ value: name, visitors: null }));
}
