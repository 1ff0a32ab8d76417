import { z } from "zod";
import type { ChangeLine } from "@/lib/contract/define";
import { type Changed, changedShape } from "@/lib/gateway/changes/audit";
import type { Db, Prisma } from "@/lib/platform/db";
import { clip, plainText } from "@/lib/platform/text";
import { describePerson } from "@/lib/sites/people";

/** An entry of a site's audit log in API responses. */
interface AuditEntry {
  entry_id: string;
  at: string;
  operation: string;
  decision: "approved" | "denied" | null;
  client_id: string | null;
  client_name: string | null;
  person_id: number | null;
  person: string | null;
  request_id: string;
  approval_id: string | null;
  changes: ChangeLine[];
  before: Record<string, unknown> | null;
}

/** What of a log is asked for; null and absent for all. */
export interface AuditFilter {
  /** An operation, or the beginning of several, such as `sites.goals`. */
  operation?: string | null | undefined;
  personId?: number | null | undefined;
  clientId?: string | null | undefined;
  /** What people did themselves, or what agents did. */
  by?: "people" | "agents" | null | undefined;
  /** Bounds of the time, the end exclusive. */
  from?: Date | null;
  to?: Date | null;
}

const decided = z.object({ decision: z.enum(["approved", "denied"]), payload_sha256: z.string() });
const withChange = z.object({ changed: changedShape });

/** Returns what a person decided about an operation, by the detail of an audit row; null if the row is no decision. */
export const decisionOf = (detail: unknown): AuditEntry["decision"] => decided.safeParse(detail).data?.decision ?? null;

/** Returns what a call has changed, by the detail of its audit row; null if the row does not say. */
export const changedOf = (detail: unknown): Changed | null => withChange.safeParse(detail).data?.changed ?? null;

const LONGEST_VALUE = 500;

/** Returns a change as lines for people: those of its operation's summary, or its fields by their names. */
export function linesOf({ before, after, lines }: Changed): ChangeLine[] {
  if (lines.length > 0) return lines;
  return Object.keys(before).map((field) => ({
    label: field.slice(0, 1).toUpperCase() + field.slice(1).replaceAll("_", " "),
    before: valueText(before[field]),
    after: valueText(after[field]),
  }));
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  if (isList) return value.length === 0 ? null : clip(value.join(", "), LONGEST_VALUE);
  return clip(typeof value === "string" ? value : JSON.stringify(value), LONGEST_VALUE);
}

/**
 * Returns a page of a site's audit log, newest first.
 *
 * @param cursor that of the previous page, as `<ms>-<id>`; null for the first page
 * @returns the entries, and the cursor of the next page; null on the last page
 */
export async function auditPage(
  on: Db,
  siteId: number,
  filter: AuditFilter,
  cursor: string | null,
  limit: number,
): Promise<{ entries: AuditEntry[]; cursor: string | null }> {
  const rows = await on.audit.findMany({
    where: { AND: [{ siteId }, conditionOf(filter), cursor === null ? {} : olderThan(cursor)] },
    // By time, because that is the index; the id orders entries of one moment.
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const entries = rows.slice(0, limit);
  const [last, names] = [entries.at(-1), await namesInEntries(on, entries)];
  return {
    entries: entries.map((row) => entryOf(row, names)),
    cursor: rows.length > limit && last ? `${last.at.getTime()}-${last.id}` : null,
  };
}

type Row = Prisma.AuditGetPayload<object>;

function entryOf(
  { id, at, operation, detail, ...row }: Row,
  { people, clients }: Awaited<ReturnType<typeof namesInEntries>>,
) {
  const changed = changedOf(detail);
  const [first] = Object.keys(changed?.before ?? {});
  return {
    entry_id: `${id}`,
    at: at.toISOString(),
    operation,
    decision: decisionOf(detail),
    client_id: row.clientId,
    client_name: clients.get(row.clientId ?? "") ?? null,
    person_id: row.personId,
    person: people.get(row.personId ?? 0) ?? null,
    request_id: row.requestId,
    approval_id: row.approvalId,
    changes: changed ? linesOf(changed) : [],
    before: changed && first !== undefined ? changed.before : null,
  };
}

/** Returns the names of the people and agents of entries, as far as they still exist. */
export async function namesInEntries(on: Db, rows: readonly Pick<Row, "personId" | "clientId">[]) {
  const [people, clients] = await Promise.all([
    on.person.findMany({
      where: { id: { in: rows.flatMap(({ personId }) => personId ?? []) } },
      select: { id: true, name: true, email: true },
    }),
    on.client.findMany({
      where: { id: { in: rows.flatMap(({ clientId }) => clientId ?? []) } },
      select: { id: true, name: true },
    }),
  ]);
  return {
    people: new Map(people.map((person) => [person.id, describePerson(person)])),
    clients: new Map(clients.map(({ id, name }) => [id, plainText(name)])),
  };
}

function conditionOf({ operation, personId, clientId, by, from, to }: AuditFilter): Prisma.AuditWhereInput {
  return {
    ...(operation && { OR: [{ operation }, { operation: { startsWith: `${operation}.` } }] }),
    ...(personId && { personId }),
    ...(clientId ? { clientId } : by && { clientId: by === "people" ? null : { not: null } }),
    ...((from || to) && { at: { ...(from && { gte: from }), ...(to && { lt: to }) } }),
  };
}

function olderThan(cursor: string): Prisma.AuditWhereInput {
  const [ms = "", id = ""] = cursor.split("-");
  const at = new Date(Number(ms));
  return { at: { lte: at }, NOT: { at, id: { gte: BigInt(id) } } };
}
