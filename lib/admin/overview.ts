import { storedSince } from "@/lib/ingest/store/stats/ingest-stats-counts";
import { db } from "@/lib/platform/db";

/** What the person who runs the service sees of all that is on it: whose it is and how much, never what was counted. */

export const PAGE_ROWS = 50;

export interface PersonSummary {
  personId: number;
  email: string;
  name: string | null;
  since: Date;
  /** When they were last on a page of ours; null when no sign-in of theirs is left. */
  lastSeen: Date | null;
  sites: number;
}

/** The people of the service, the newest first. @param page from 1 */
export async function listPeople(page: number): Promise<{ people: PersonSummary[]; total: number }> {
  const [total, rows] = await Promise.all([
    db().person.count(),
    db().person.findMany({
      orderBy: { id: "desc" },
      skip: (page - 1) * PAGE_ROWS,
      take: PAGE_ROWS,
      include: {
        sessions: { orderBy: { lastSeenAt: "desc" }, take: 1, select: { lastSeenAt: true } },
        _count: { select: { memberships: true } },
      },
    }),
  ]);
  const people = rows.map(({ id, email, name, createdAt, sessions, _count }) => ({
    personId: id,
    email,
    name,
    since: createdAt,
    lastSeen: sessions[0]?.lastSeenAt ?? null,
    sites: _count.memberships,
  }));
  return { people, total };
}

export interface SiteSummary {
  siteId: number;
  /** The primary one. */
  domain: string;
  /** The e-mail addresses of its owners; none for a machine's own. */
  owners: string[];
  since: Date;
  /** How many events were stored since the first of the (UTC) month. */
  events: number;
}

/** The sites of the service, those with the most events of this month first. @param page from 1 */
export async function listAllSites(page: number, now: Date): Promise<{ sites: SiteSummary[]; total: number }> {
  const first = `${now.toISOString().slice(0, 7)}-01`;
  const [total, sites] = await Promise.all([
    db().site.count(),
    db().$queryRaw<SiteSummary[]>`
      SELECT site.id AS "siteId", site.created_at AS since, coalesce(domain.host, '') AS domain,
        coalesce(stored.hits, 0)::float8 AS events,
        ARRAY(SELECT email FROM membership JOIN person ON person.id = person_id
          WHERE membership.site_id = site.id AND role = 'owner' ORDER BY email) AS owners
      FROM site
      LEFT JOIN site_domain AS domain ON domain.site_id = site.id AND domain.is_primary
      LEFT JOIN ${storedSince(first)} AS stored ON stored.site_id = site.id
      ORDER BY events DESC, site.id
      LIMIT ${PAGE_ROWS} OFFSET ${(page - 1) * PAGE_ROWS}`,
  ]);
  return { sites, total };
}

/** What waits to be done in the background. */
export interface Backlog {
  /** Letters that have not left. */
  letters: number;
  /** Since when the oldest of them waits. */
  since: Date | null;
  /** Deleted sites whose facts are not destroyed yet. */
  purges: number;
}

export async function readBacklog(): Promise<Backlog> {
  const [mail, purges] = await Promise.all([
    db().mail.aggregate({ _count: true, _min: { createdAt: true } }),
    db().sitePurge.count(),
  ]);
  return { letters: mail._count, since: mail._min.createdAt, purges };
}
