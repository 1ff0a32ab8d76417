import { RESTORABLE_DAYS } from "@/lib/contract/access";
import { OPERATIONS } from "@/lib/operations/index";
import type { Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";

/** The call that saves a deleted object again. It gets a new id. */
export interface Restoration {
  operation: string;
  input: Record<string, unknown>;
}

/** The operation that saves what this one deletes; null for other operations, and where a deletion needs approval. */
function savingOf(operation: string) {
  if (!operation.endsWith(".delete") || OPERATIONS.get(operation)?.risk !== "write") return null;
  const kind = operation.slice(0, -".delete".length);
  return OPERATIONS.get(`${kind}.save`) ?? OPERATIONS.get(`${kind}.set`) ?? null;
}

/**
 * Returns how to restore what a logged call deleted, from the definition in its audit row.
 *
 * @returns null when it deleted nothing, or more than 30 days ago.
 */
export function restorationOf(
  { operation, siteId, detail, at }: Pick<Prisma.AuditGetPayload<object>, "operation" | "siteId" | "detail" | "at">,
  now: Date,
): Restoration | null {
  const saving = savingOf(operation);
  const isRecent = now.getTime() - at.getTime() <= RESTORABLE_DAYS * DAY_MS;
  if (!saving || siteId === null || !isRecent) return null;
  const deleted = forSaving({ ...(detail as Record<string, unknown>), site_id: siteId });
  const input = Object.fromEntries(
    Object.keys(saving.input.shape).flatMap((field) =>
      field === "id" || deleted[field] === undefined ? [] : [[field, deleted[field]]],
    ),
  );
  return saving.input.safeParse(input).success ? { operation: saving.id, input } : null;
}

/** Fields that are saved by another name than they are described by: the end of an experiment, the time of an annotation. */
function forSaving({ ended_at, all_day, at, date, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...rest,
    ...(ended_at !== undefined && { ended: ended_at !== null }),
    ...(all_day === true && { date }),
    ...(all_day === false && { time: at }),
  };
}
