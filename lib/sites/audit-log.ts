import { z } from "zod";
import type { Db } from "@/lib/platform/db";

/** An entry of a site's audit log in API responses. */
interface AuditEntry {
  entry_id: string;
  at: string;
  operation: string;
  decision: "approved" | "denied" | null;
  client_id: string | null;
  person_id: number | null;
  request_id: string;
  approval_id: string | null;
}

const decided = z.object({ decision: z.enum(["approved", "denied"]), payload_sha256: z.string() });

/** Returns what a person decided about an operation, by the detail of an audit row; null if the row is no decision. */
export const decisionOf = (detail: unknown): AuditEntry["decision"] => decided.safeParse(detail).data?.decision ?? null;

/**
 * Returns a page of a site's audit log, newest first.
 *
 * @param cursor that of the previous page, as `<ms>-<id>`; null for the first page
 * @returns the entries, and the cursor of the next page; null on the last page
 */
export async function auditPage(
  on: Db,
  siteId: number,
  cursor: string | null,
  limit: number,
): Promise<{ entries: AuditEntry[]; cursor: string | null }> {
  const rows = await on.audit.findMany({
    where: { siteId, ...(cursor !== null && olderThan(cursor)) },
    // By time, because that is the index; the id orders entries of one moment.
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  return {
    entries: entries.map(({ id, at, operation, detail, ...row }) => ({
      entry_id: `${id}`,
      at: at.toISOString(),
      operation,
      decision: decisionOf(detail),
      client_id: row.clientId,
      person_id: row.personId,
      request_id: row.requestId,
      approval_id: row.approvalId,
    })),
    cursor: rows.length > limit && last ? `${last.at.getTime()}-${last.id}` : null,
  };
}

function olderThan(cursor: string) {
  const [ms = "", id = ""] = cursor.split("-");
  const at = new Date(Number(ms));
  return { at: { lte: at }, NOT: { at, id: { gte: BigInt(id) } } };
}
