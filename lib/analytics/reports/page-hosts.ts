import { queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { partialSums } from "@/lib/analytics/query/scope-sums";
import { KEYS } from "@/lib/analytics/query/sums-sql";
import { join, type Sql, sql } from "@/lib/platform/sql";

/** Where a path was seen. */
export interface PageHost {
  path: string;
  /** The host with the most page views of it. */
  hostname: string;
  /** The number of hosts with page views of it. */
  hosts: number;
}

/** Returns the hosts of paths in a range. A path that only an import or a server event has may be missing. */
export async function hostsOf(scope: Scope, paths: readonly string[]): Promise<PageHost[]> {
  if (paths.length === 0) return [];
  const [[site]] = await queryCopy<[{ hostname: string | null; hosts: number }[]]>(
    scope,
    sql`SELECT min(hostname) AS hostname, count(DISTINCT hostname)::INTEGER AS hosts FROM page WHERE hostname <> ''`,
  );
  const { hostname = null, hosts = 0 } = site ?? {};
  if (hostname === null) return [];
  // Most sites have one host: then no event needs to be read.
  if (hosts === 1) return paths.map((path) => ({ path, hostname, hosts }));
  const [rows] = await queryCopy<[PageHost[]]>(scope, seenOn(scope, paths));
  return rows;
}

function seenOn(scope: Scope, paths: readonly string[]): Sql {
  const [path, hostname] = KEYS;
  return sql`
    WITH seen AS (
      SELECT ${path} AS path, ${hostname} AS hostname, sum(pageviews) AS views
      FROM (${partialSums(scope, ["page", "hostname"], ["counts"])}) AS partial
      WHERE ${path} IN (${join(paths.map((one) => sql`${one}`))}) AND ${hostname} <> ''
      GROUP BY ALL HAVING sum(pageviews) > 0)
    SELECT path, first(hostname ORDER BY views DESC, hostname) AS hostname, count(*)::INTEGER AS hosts
    FROM seen GROUP BY path ORDER BY path`;
}
