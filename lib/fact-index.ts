import { Prisma } from "@/lib/db";

/** SQL for conditions on the time of facts, as the indexes by site and time have it. */

/** That facts lie between two moments, of which the second is not one of them. */
export const within = (moment: Prisma.Sql, { start, end }: { start: Date; end: Date }): Prisma.Sql =>
  Prisma.sql`${moment} >= ${start} AND ${moment} < ${end}`;

export const oldestFirst = (moment: Prisma.Sql): Prisma.Sql => moment;
export const newestFirst = (moment: Prisma.Sql): Prisma.Sql => Prisma.sql`${moment} DESC`;
export const visitorKey = (visitor: Prisma.Sql): Prisma.Sql => visitor;

/** SQL for the moment of a site's first event or visit; none where it has none. */
export const firstEvent = (siteId: number): Prisma.Sql =>
  Prisma.sql`SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts LIMIT 1`;
export const firstVisit = (siteId: number): Prisma.Sql =>
  Prisma.sql`SELECT started FROM facts.visit WHERE site_id = ${siteId} ORDER BY started LIMIT 1`;

export const TS = Prisma.sql`ts`;
export const STARTED = Prisma.sql`started`;
