import { isDeepStrictEqual } from "node:util";
import { type Restoration, restorationOf } from "@/lib/agents/restoration";
import { ROLES } from "@/lib/contract/access";
import type { AnyOperation, Owner } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { OPERATIONS } from "@/lib/operations/index";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { siteFor } from "@/lib/sites/access";
import { changedOf } from "@/lib/sites/audit-log";

/** Undoes entries of a site's audit log, by the operation that made the change or saves again what it deleted. */

type Row = Pick<Prisma.AuditGetPayload<object>, "id" | "operation" | "siteId" | "detail" | "at">;

/** The call that undoes an entry, or why there is none; null when nothing undoes such entries. */
type Undo = Restoration | keyof typeof TOO_LATE | null;

const TOO_LATE = {
  changedSince: "It was changed again since. Undo the later change first, or use the settings.",
  undone: "It was undone already.",
};

interface Reader {
  owner: Pick<Owner, "personId">;
  siteId: number;
  now: Date;
}

/**
 * Undoes an entry of a site's log for a signed-in person, with their role, and the proof that the operation needs.
 *
 * @throws Refusal `not_found` for an entry that nothing undoes or whose values have changed since, and what the operation
 *   refuses.
 */
export async function undoEntry(by: Reader & { owner: Owner; requestId: string }, entryId: bigint): Promise<void> {
  const { owner, siteId, now, requestId } = by;
  // Only who reads the log may undo its entries.
  await siteFor(db(), { kind: "owner", personId: owner.personId }, siteId, "manager");
  const row = await db().audit.findFirst({ where: { id: entryId, siteId } });
  const undo = row && possible(await undoOf(row, by, db()));
  if (!undo) throw new Refusal("not_found", "Nothing undoes this entry. Make the change in the settings instead.");
  const undoes = {
    entryId,
    // Somebody may have changed it, or pressed the same button, since it was read without a lock.
    async check(on: Db) {
      if (!isDeepStrictEqual(possible(await undoOf(row, by, on)), undo)) throw tooLate("changedSince");
    },
  };
  const principal = { kind: "owner", personId: owner.personId } as const;
  const operation = OPERATIONS.get(undo.operation) as AnyOperation;
  await execute(operation, { principal, input: undo.input, now, requestId, session: owner, undoes });
}

const tooLate = (why: keyof typeof TOO_LATE) => new Refusal("not_found", TOO_LATE[why]);

function possible(undo: Undo): Restoration | null {
  if (typeof undo === "string") throw tooLate(undo);
  return undo;
}

/** Returns the ids of those entries of a site that the person can undo now. */
export async function undoable(by: Reader, entryIds: readonly string[]): Promise<Set<string>> {
  const { role } = await siteFor(db(), { kind: "owner", personId: by.owner.personId }, by.siteId, "manager");
  const rows = await db().audit.findMany({ where: { siteId: by.siteId, id: { in: entryIds.map(BigInt) } } });
  const undos = await Promise.all(rows.map(async (row) => ({ id: `${row.id}`, undo: await undoOf(row, by, db()) })));
  const may = (operation: string) => ROLES[role].rank >= ROLES[OPERATIONS.get(operation)?.role ?? "owner"].rank;
  return new Set(
    undos.flatMap(({ id, undo }) => (undo && typeof undo !== "string" && may(undo.operation) ? [id] : [])),
  );
}

async function undoOf(row: Row, by: Reader, on: Db): Promise<Undo> {
  const restoration = restorationOf(row, by.now);
  if (restoration) return (await wasUndone(row, on)) ? "undone" : restoration;
  return undoChange(row, by, on);
}

/** Whether what an entry has deleted was saved again by undoing it. */
const wasUndone = async ({ id, siteId, at }: Row, on: Db): Promise<boolean> =>
  (await on.audit.count({
    where: { siteId, at: { gte: at }, detail: { path: ["undoes"], equals: `${id}` } },
    take: 1,
  })) > 0;

/** Sends the present values with those that the entry changed as they were before, so that later changes of others stay. */
async function undoChange({ operation, detail }: Row, { owner, siteId, now }: Reader, on: Db): Promise<Undo> {
  const [changed, op] = [changedOf(detail), OPERATIONS.get(operation)];
  if (!changed || !op?.current || Object.keys(changed.before).length === 0) return null;
  // To go back may delete what was stored since, which takes the page that says so.
  if (op.risk === "destructive") return null;
  const principal = { kind: "owner", personId: owner.personId } as const;
  const { id } = detail as { id?: unknown };
  const object = id === undefined || id === null ? {} : { id };
  const site = await siteFor(on, principal, siteId, "viewer");
  const input = { site_id: siteId, ...object } as never;
  const present = await op.current({ input, principal, site: site as never, db: on, now, requestId: "" });
  if (present === null) return null;
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(present));
  const isUnchanged = Object.entries(changed.after).every(([field, value]) =>
    isDeepStrictEqual(plain[field] ?? null, value),
  );
  if (!isUnchanged) return "changedSince";
  return { operation, input: { ...plain, ...changed.before, ...object, site_id: siteId } };
}
