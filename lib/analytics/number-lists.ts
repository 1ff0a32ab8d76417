import { Prisma } from "@/lib/db";

/**
 * Whole numbers as one parameter of a statement. They are handed over as a text: a list would be looked at number by number,
 * by Prisma and then by pg, which takes longer than what Postgres does with it.
 */
const textOf = (numbers: Iterable<number>): string => `{${[...numbers].join(",")}}`;

/** As SQL of the type `int[]`. */
export const ints = (numbers: Iterable<number>): Prisma.Sql => Prisma.sql`${textOf(numbers)}::int[]`;
/** As SQL of the type `bigint[]`; none may be beyond 2^53. */
export const bigints = (numbers: Iterable<number>): Prisma.Sql => Prisma.sql`${textOf(numbers)}::bigint[]`;
