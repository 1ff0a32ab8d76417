import { Prisma } from "@/lib/db";

/** SQL for whether these columns of text hold one of these rows of values; null is a value like any other. */
export const isAmong = (columns: readonly Prisma.Sql[], rows: readonly (readonly (string | null)[])[]): Prisma.Sql =>
  Prisma.sql`jsonb_build_array(${Prisma.join([...columns])}) = ANY(${rows.map((row) => JSON.stringify(row))}::text[]::jsonb[])`;
