import { z } from "zod";
import type { Principal } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import type { Db, Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";

/** The approval requests of a client, as it sees them itself. */

type ApprovalRow = Prisma.ApprovalGetPayload<object>;

const LISTED_MS = 7 * DAY_MS;
const MAX_LISTED = 100;

const EXAMPLE_ID = "apr_Q2w8ZkT1mN5vB7xL0cYd3hJf";

export const approvalId = z
  .string("must be the id of an approval, as in approvals.list")
  .regex(/^apr_[\w-]{1,60}$/, "must be the id of an approval, as in approvals.list")
  .meta({ description: "Identifier of an approval request", examples: [EXAMPLE_ID] });

const STATES = ["pending", "approved", "denied", "expired", "consumed", "superseded", "withdrawn"] as const;

export const ownApprovalShape = z
  .object({
    approval_id: approvalId,
    status: z.enum(STATES).meta({
      description:
        "`expired`: not decided, or approved and not used, in time. `superseded`: void, because the site or the permissions have changed",
    }),
    operation: z.string().meta({ examples: ["sites.settings.update"] }),
    site_id: siteId.nullable(),
    binding_code: z.string().meta({ examples: ["KXQ-417"] }),
    approval_url: z.url().meta({ examples: [`https://stats.example.com/approvals/${EXAMPLE_ID}`] }),
    requested_at: z.iso.datetime(),
    expires_at: z.iso.datetime().meta({ examples: ["2026-11-21T09:30:00Z"] }),
    decided_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "OwnApproval" });

export const describeOwnApproval = (row: ApprovalRow, now: Date): z.input<typeof ownApprovalShape> => ({
  approval_id: row.id,
  status: isOpen(row) && row.expiresAt <= now ? "expired" : row.status,
  operation: row.operation,
  site_id: row.siteId,
  binding_code: row.bindingCode,
  approval_url: `${env().BASE_URL}/approvals/${row.id}`,
  requested_at: row.requestedAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  decided_at: row.decidedAt?.toISOString() ?? null,
});

const isOpen = ({ status }: ApprovalRow): boolean => status === "pending" || status === "approved";

/** The requests of the last 7 days: first those that nobody has decided, each group from the newest on. */
export async function listOwnApprovals(on: Db, principal: Principal, now: Date): Promise<ApprovalRow[]> {
  if (principal.kind === "owner") return [];
  return on.approval.findMany({
    where: { clientId: principal.clientId, requestedAt: { gt: new Date(now.getTime() - LISTED_MS) } },
    orderBy: [{ status: "asc" }, { requestedAt: "desc" }],
    take: MAX_LISTED,
  });
}

/** Number of the client's requests that wait for a human. */
export const countPendingOf = async (on: Db, principal: Principal, now: Date): Promise<number> =>
  principal.kind === "owner"
    ? 0
    : on.approval.count({ where: { clientId: principal.clientId, status: "pending", expiresAt: { gt: now } } });

/** Withdraws a request that is pending, or approved and not used. Repeating it changes nothing. @throws Refusal `not_found` */
export async function withdrawApproval(tx: Db, principal: Principal, id: string): Promise<ApprovalRow> {
  if (principal.kind === "owner") throw notYours();
  const own = { id, clientId: principal.clientId };
  await tx.approval.updateMany({
    where: { ...own, status: { in: ["pending", "approved"] } },
    data: { status: "withdrawn" },
  });
  const row = await tx.approval.findFirst({ where: own });
  if (!row) throw notYours();
  return row;
}

const notYours = () => new Refusal("not_found", "You have no approval request with this id; approvals.list has yours.");
