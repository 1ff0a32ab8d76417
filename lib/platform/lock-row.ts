import { type Db, Prisma } from "@/lib/platform/db";

/** The keys of the rows of control data that transactions lock. */
interface Keys {
  alert_rule: number;
  authorization_code: Uint8Array;
  client: string;
  device_code: Uint8Array;
  person: number;
  refresh_token: Uint8Array;
  search_connection: number;
  site: number;
  site_domain: number;
  team: number;
}

const ROW_OF: Record<keyof Keys, Prisma.Sql> = {
  alert_rule: Prisma.sql`alert_rule WHERE id`,
  authorization_code: Prisma.sql`authorization_code WHERE hash`,
  client: Prisma.sql`client WHERE id`,
  device_code: Prisma.sql`device_code WHERE hash`,
  person: Prisma.sql`person WHERE id`,
  refresh_token: Prisma.sql`refresh_token WHERE hash`,
  search_connection: Prisma.sql`search_connection WHERE id`,
  site: Prisma.sql`site WHERE id`,
  site_domain: Prisma.sql`site_domain WHERE id`,
  team: Prisma.sql`team WHERE id`,
};

/**
 * Locks a row until the transaction ends: transactions that lock the same row run one after the other. Rows that refer to
 * it can be added meanwhile, unless the transaction deletes it.
 *
 * @returns whether the row exists.
 */
export async function lockRow<Table extends keyof Keys>(
  tx: Db,
  table: Table,
  key: Keys[Table],
  { isDeleted = false } = {},
): Promise<boolean> {
  const lock = isDeleted ? Prisma.sql`FOR UPDATE` : Prisma.sql`FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<object[]>`SELECT 1 FROM ${ROW_OF[table]} = ${key} ${lock}`;
  return rows.length > 0;
}
