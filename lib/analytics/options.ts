import { DIMENSIONS, type DimensionKey, isDimension, ROLLED, wordsOf } from "@/lib/analytics/dimensions";
import { dayOf, during, eventsIn, type Scope } from "@/lib/analytics/question";
import { rolledVisitors, source } from "@/lib/analytics/sources";
import { boundedMap } from "@/lib/bounded-map";
import { invalidInput } from "@/lib/contract/errors";
import { db, Prisma, reports } from "@/lib/db";
import { newestFirst } from "@/lib/fact-index";

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
const BUSY_MS = 600_000;

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

async function ofDictionary(scope: Scope, key: DimensionKey, asking: Asking): Promise<Option[]> {
  // A question that is narrowed asks for what occurs in it.
  if (isNarrowed(scope)) return ofWords(scope, key, asking, { rolled: null, facts: [scope] });
  const whole = { ...scope, sealed: null };
  const sealed = ROLLED[key] === undefined ? null : scope.sealed;
  const facts = sealed ? sealed.gaps.map((gap) => during(scope, gap)) : [whole];
  const [rolled, ...few] = await Promise.all([sealed && rolledVisitors(scope, sealed, key), ...facts.map(isFew)]);
  return ofWords(scope, key, asking, { rolled, facts: few.every(Boolean) ? facts : [] });
}

/** What visitors are counted in. With nothing of both it is not known how many they are. */
interface Counted {
  /** SQL for the visitors of sealed days by the number of a word. */
  rolled: Prisma.Sql | null;
  facts: Scope[];
}

/** Sealed days are added up by the numbers of words, and only of those that may be told. */
async function ofWords(
  scope: Scope,
  key: DimensionKey,
  { parts, limit }: Asking,
  { rolled, facts }: Counted,
): Promise<Option[]> {
  const sums = rolled
    ? Prisma.sql`LEFT JOIN (${rolled}) AS sums ON sums.value = found.id`
    : Prisma.sql`CROSS JOIN (SELECT NULL::bigint AS visitors) AS sums`;
  const rows = await Promise.all(
    facts.map(
      async (part) => Prisma.sql`UNION ALL
        SELECT k0, NULL, visitors FROM (${await source(part, [key], ["visits"])}) AS partial
        WHERE k0 IS NOT NULL AND ${containing(Prisma.sql`k0`, parts)}`,
    ),
  );
  const known = rolled || facts.length > 0 ? Prisma.sql`coalesce(sum(visitors), 0)::int` : Prisma.sql`NULL::int`;
  return reports().$queryRaw`
    WITH found AS MATERIALIZED (
      SELECT id, word FROM ${wordsOf(key, scope.siteId)} AS words(id, word)
      WHERE word <> '' AND ${containing(Prisma.sql`word`, parts)})
    SELECT word AS value, ${known} AS visitors
    FROM (SELECT found.word, found.id, sums.visitors FROM found ${sums} ${Prisma.join([Prisma.empty, ...rows], " ")}) AS counts
    GROUP BY word ${isNarrowed(scope) ? Prisma.sql`HAVING count(visitors) > 0` : Prisma.empty}
    ORDER BY sum(visitors) DESC NULLS LAST, max(id) DESC, word LIMIT ${limit}`;
}

const isNarrowed = ({ filters: { visit, visitOnly, event, goals } }: Scope): boolean =>
  [visit, visitOnly, event, goals].some((conditions) => conditions.length > 0);

/** Stretches of time that hold many facts, for some minutes: more of them come, and hardly any goes. */
const busy = boundedMap<string, true>("busy-stretches", { max: 10_000, ttl: BUSY_MS });

async function isFew(scope: Scope): Promise<boolean> {
  const { siteId, traffic, range } = scope;
  const stretch = [siteId, traffic, range.start.getTime(), range.end.getTime()].join("/");
  if (busy.has(stretch)) return false;
  const [row] = await reports().$queryRaw<{ facts: number }[]>`
    SELECT count(*)::int AS facts FROM (
      SELECT FROM facts.event AS fact WHERE ${eventsIn(scope)} LIMIT ${MOST_FACTS + 1}) AS few`;
  const few = (row?.facts ?? 0) <= MOST_FACTS;
  if (!few) busy.set(stretch, true);
  return few;
}

/** Names of properties, or values of one, in the newest events of the range. */
function ofProps(scope: Scope, name: string | null, { parts, limit }: Asking): Promise<Option[]> {
  const texts = name === null ? Prisma.sql`jsonb_object_keys(props)` : Prisma.sql`(VALUES (props ->> ${name}))`;
  const having = name === null ? Prisma.sql`fact.props IS NOT NULL` : Prisma.sql`fact.props ->> ${name} <> ''`;
  return reports().$queryRaw`
    SELECT value, (count(DISTINCT (${dayOf(Prisma.sql`ts`, scope)}, visitor_id)) FILTER (WHERE visitor_id IS NOT NULL))::int AS visitors
    FROM (SELECT fact.ts, fact.visitor_id, fact.props FROM facts.event AS fact WHERE ${eventsIn(scope)} AND ${having}
          ORDER BY ${newestFirst(Prisma.sql`fact.ts`)} LIMIT ${NEWEST_EVENTS}) AS newest, LATERAL ${texts} AS texts(value)
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
