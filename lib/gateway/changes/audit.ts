import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { AnyOperation, ChangeLine, Principal, SiteAccess } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/platform/db";

/** One row of the audit log: what was done, when, by which client or person, in which request. */
export type AuditRow = Prisma.AuditUncheckedCreateInput;

/** Writes audit rows in the transaction of the change they record. */
export async function writeAudit(tx: Db, ...rows: readonly AuditRow[]): Promise<void> {
  await tx.audit.createMany({ data: [...rows] });
}

/** What a change has changed: fields of the operation's input that differ, and the lines that people read. */
export const changedShape = z.object({
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  lines: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type Changed = z.output<typeof changedShape>;

/**
 * Returns what differs between two states.
 *
 * @param lines the summary of the operation before it ran, if it has one
 */
export function stateChange(
  before: Record<string, unknown>,
  after: Record<string, unknown> | null,
  lines: readonly ChangeLine[] = [],
): Changed {
  const plain = (state: object | null): Record<string, unknown> => JSON.parse(JSON.stringify(state ?? {}));
  const [was, is] = [plain(before), plain(after)];
  const fields = Object.keys(was).filter((field) => !isDeepStrictEqual(was[field], is[field]));
  const pick = (state: Record<string, unknown>) =>
    Object.fromEntries(fields.map((field) => [field, state[field] ?? null]));
  return { before: pick(was), after: pick(is), lines: lines.filter((line) => line.before !== line.after) };
}

/** A completed operation. */
interface CompletedOperation {
  op: AnyOperation;
  principal: Principal;
  site: SiteAccess | null;
  input: Record<string, unknown>;
  data: unknown;
  approvalId: string | null;
  requestId: string;
  now: Date;
  changed?: Changed | null;
  /** The entry that it has undone. */
  undoes?: bigint | undefined;
}

/** Returns the audit row of a completed operation. */
export function auditRowOf({
  op,
  principal,
  site,
  input,
  data,
  approvalId,
  requestId,
  now,
  changed,
  undoes,
}: CompletedOperation): AuditRow {
  const recorded = {
    ...(op.audited?.({ input, data }) ?? input),
    // The domain stays readable after the site is deleted.
    ...(site && { site_domain: site.domain }),
    ...(changed && { changed }),
    ...(undoes !== undefined && { undoes: `${undoes}` }),
  };
  return {
    at: now,
    siteId: site?.id ?? null,
    clientId: principal.kind === "client" ? principal.clientId : null,
    personId: principal.personId,
    operation: op.id,
    requestId,
    approvalId,
    detail: recorded as Prisma.InputJsonObject,
  };
}
