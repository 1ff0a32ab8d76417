import { db, type Prisma } from "@/lib/platform/db";

const PAGE_SIZE = 50;

/**
 * Returns a page of 50 entries of the audit log, newest first.
 *
 * @param before the id of the previous page's last entry
 * @returns the entries, and the cursor of the next page; null on the last page
 */
export async function auditEntries(where: Prisma.AuditWhereInput, before: string | undefined) {
  const cursor = before && /^\d{1,18}$/.test(before) ? { id: { lt: BigInt(before) } } : {};
  const rows = await db().audit.findMany({
    where: { ...where, ...cursor },
    orderBy: { id: "desc" },
    take: PAGE_SIZE + 1,
  });
  const page = rows.slice(0, PAGE_SIZE);
  return { page, older: rows.length > PAGE_SIZE ? `${page.at(-1)?.id}` : null };
}
