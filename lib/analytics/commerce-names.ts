import { NAMED_EVENTS } from "@/lib/analytics/event-types";
import { ofTypes } from "@/lib/analytics/filters";
import { ints } from "@/lib/analytics/number-lists";
import { COMMERCE_EVENTS, COMMERCE_KINDS, COMMERCE_PROPERTIES, type CommerceKind } from "@/lib/contract/commerce";
import { type Db, Prisma } from "@/lib/db";

/** Commerce events in SQL: which they are, and what their properties say. */

/** The ids of the event names of each kind. */
export type CommerceNames = Record<CommerceKind, number[]>;

/** The names of a site's commerce events, as far as it has sent any. */
export async function commerceNames(database: Pick<Db, "$queryRaw">, siteId: number): Promise<CommerceNames> {
  const names = COMMERCE_KINDS.flatMap((kind) => [...COMMERCE_EVENTS[kind]]);
  const rows = await database.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM facts.name WHERE site_id = ${siteId} AND name = ANY(${names}::text[])`;
  const idsOf = (kind: CommerceKind) =>
    rows.flatMap(({ id, name }) => ((COMMERCE_EVENTS[kind] as readonly string[]).includes(name) ? [id] : []));
  return Object.fromEntries(COMMERCE_KINDS.map((kind) => [kind, idsOf(kind)])) as CommerceNames;
}

/** SQL for the events with any of these names, as a condition on `facts.event AS fact`. */
export const namedAnyOf = (ids: readonly number[]): Prisma.Sql =>
  Prisma.sql`(${ofTypes(NAMED_EVENTS)} AND fact.name = ANY(${ints(ids)}))`;

const ORDER_TEXT = Prisma.sql`coalesce(${Prisma.join(
  COMMERCE_PROPERTIES.order.map((key) => Prisma.sql`nullif(fact.props ->> ${key}, '')`),
)})`;

/** SQL for the order of an event. An id in which personal data was replaced is none: many orders would share it. */
export const ORDER_ID = Prisma.sql`CASE WHEN ${ORDER_TEXT} !~ '\\((card|token|email|secret)\\)' THEN ${ORDER_TEXT} END`;
