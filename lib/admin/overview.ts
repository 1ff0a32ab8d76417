import { countOutbox, deliversEmail } from "@/lib/email/mailer";
import { storedSince } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { plainText } from "@/lib/platform/text";
import { likeOf } from "@/lib/sites/access";

/** Data for the admin pages: who uses the service and how much. Never includes a site's analytics data. */

export const PAGE_ROWS = 50;

export interface PersonSummary {
  personId: number;
  email: string;
  name: string | null;
  confirmed: boolean;
  administrator: boolean;
  /** Null unless an administrator has disabled the account. */
  disabledAt: Date | null;
  since: Date;
  /** Last activity in the web app; null if no session is left. */
  lastSeen: Date | null;
  sites: number;
}

interface PeoplePage {
  people: PersonSummary[];
  total: number;
  /** How many administrators can sign in, on all pages. */
  administrators: number;
}

/**
 * Lists one page of all people, newest first.
 *
 * @param page from 1
 * @param search a part of the address or the name; empty for all
 */
export async function listPeople(page: number, search = ""): Promise<PeoplePage> {
  const text = { contains: likeOf(plainText(search)), mode: "insensitive" } as const;
  const where = search === "" ? {} : { OR: [{ email: text }, { name: text }] };
  const [total, administrators, rows] = await Promise.all([
    db().person.count({ where }),
    db().person.count({ where: { administrator: true, disabledAt: null } }),
    db().person.findMany({
      where,
      orderBy: { id: "desc" },
      skip: (page - 1) * PAGE_ROWS,
      take: PAGE_ROWS,
      include: {
        sessions: { orderBy: { lastSeenAt: "desc" }, take: 1, select: { lastSeenAt: true } },
        _count: { select: { memberships: true } },
      },
    }),
  ]);
  const people = rows.map(({ id, email, name, createdAt, confirmedAt, administrator, disabledAt, ...row }) => ({
    personId: id,
    email,
    name,
    confirmed: confirmedAt !== null,
    administrator,
    disabledAt,
    since: createdAt,
    lastSeen: row.sessions[0]?.lastSeenAt ?? null,
    sites: row._count.memberships,
  }));
  return { people, total, administrators };
}

export interface SiteSummary {
  siteId: number;
  /** The primary domain. */
  domain: string;
  /** Email addresses of its owners; empty for a site of a machine account. */
  owners: string[];
  since: Date;
  /** Null unless an administrator has disabled the site. */
  disabledAt: Date | null;
  /** Events stored since the start of the current UTC month. */
  events: number;
}

/**
 * Lists one page of all sites, ordered by events this month, descending.
 *
 * @param page from 1
 * @param search a part of a domain or the name; empty for all
 */
export async function listAllSites(
  page: number,
  now: Date,
  search = "",
): Promise<{ sites: SiteSummary[]; total: number }> {
  const text = { contains: likeOf(plainText(search)), mode: "insensitive" } as const;
  const where = { OR: [{ name: text }, { domains: { some: { host: text } } }] };
  const found = search === "" ? null : (await db().site.findMany({ where, select: { id: true } })).map(({ id }) => id);
  const first = `${now.toISOString().slice(0, 7)}-01`;
  const { siteIds, events } = await storedSince(first);
  const [total, sites] = await Promise.all([
    found?.length ?? db().site.count(),
    db().$queryRaw<SiteSummary[]>`
      SELECT site.id AS "siteId", site.created_at AS since, site.disabled_at AS "disabledAt", coalesce(domain.host, '') AS domain,
        coalesce(stored.events, 0)::float8 AS events,
        ARRAY(SELECT email FROM membership JOIN person ON person.id = person_id
          WHERE membership.site_id = site.id AND role = 'owner' ORDER BY email) AS owners
      FROM site
      LEFT JOIN site_domain AS domain ON domain.site_id = site.id AND domain.is_primary
      LEFT JOIN unnest(${siteIds}::int[], ${events}::bigint[]) AS stored (site_id, events) ON stored.site_id = site.id
      WHERE ${found === null} OR site.id = ANY (${found ?? []}::int[])
      ORDER BY events DESC, site.id
      LIMIT ${PAGE_ROWS} OFFSET ${(page - 1) * PAGE_ROWS}`,
  ]);
  return { sites, total };
}

/** Pending background work. */
export interface Backlog {
  /** Unsent emails. */
  emails: number;
  /** When the oldest of them was queued. */
  since: Date | null;
  /** Emails that lie in the outbox because no mail server is configured; null with one. */
  outbox: number | null;
  /** Deleted sites whose events are not purged yet. */
  purges: number;
}

export async function readBacklog(): Promise<Backlog> {
  const [mail, outbox, purges] = await Promise.all([
    db().mail.aggregate({ _count: true, _min: { createdAt: true } }),
    deliversEmail() ? null : countOutbox(),
    db().sitePurge.count(),
  ]);
  return { outbox, emails: mail._count, since: mail._min.createdAt, purges };
}
