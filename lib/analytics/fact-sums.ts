import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { Prisma } from "@/lib/db";

/** What sums of facts are in SQL, about a fact called `fact`. */

/** SQL for what makes a visit a bounce. */
export const BOUNCED = Prisma.sql`fact.pageviews < 2 AND fact.interactions = 0`;

const { pageview, screen, event, commerce, engagement } = EVENT_TYPES;

/** SQL for the sums of events. */
export const EVENT_SUMS = Prisma.sql`
  (count(*) FILTER (WHERE fact.type IN (${pageview}, ${screen})))::int AS pageviews,
  (count(*) FILTER (WHERE fact.type IN (${event}, ${commerce})))::int AS events,
  coalesce(sum(fact.engagement_ms), 0)::float8 AS "engagementMs",
  (count(*) FILTER (WHERE fact.type = ${engagement}))::int AS engaged`;

/** What tells how far a page was scrolled. */
export const SCROLLED = Prisma.sql`fact.type = ${engagement} AND fact.scroll IS NOT NULL`;
