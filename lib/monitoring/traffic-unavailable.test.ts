import { expect, test } from "vitest";
import { analytics, setAnalytics } from "@/lib/analytics/engine/analytics";
import { derived } from "@/lib/analytics/query/derived";
import { listIncidents } from "@/lib/monitoring/incidents";
import { watchTraffic } from "@/lib/monitoring/traffic";
import { ingestPool } from "@/lib/platform/pool";
import { inProcess } from "@/lib/testing/analytics-in-process";
import { call } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeSite } from "@/lib/testing/world";

// The job checks all sites, so this file needs its own database.
databaseForTests();

const FIRST = new Date("2060-01-05T08:00:00Z");
const NOW = new Date("2060-01-26T09:30:00Z");

/** A monitored site with twelve visits in one hour of each of three weeks, and none since. */
async function silentSite(): Promise<number> {
  const { id, ownerId } = await makeSite({ now: FIRST });
  await call(ownerId, "sites.monitoring", { site_id: id, enabled: true }, FIRST);
  await ingestPool().query("SELECT facts.add_month($1::date)", [FIRST.toISOString().slice(0, 10)]);
  await ingestPool().query(
    `INSERT INTO facts.visit (started, visit_id, visitor_id, site_id, duration_ms, entry_page, exit_page, referrer,
       campaign, place, agent, pageviews, interactions, traffic)
     SELECT $2::timestamptz + week * interval '7 days' + n * interval '5 minutes', 100 * week + n, 100 * week + n,
       $1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1
     FROM generate_series(0, 2) AS week, generate_series(0, 11) AS n`,
    [id, FIRST],
  );
  return id;
}

const causes = async (siteId: number) => (await listIncidents(siteId)).map(({ cause }) => cause);

test("a site whose visits cannot be read opens no incident, blocks no other site and is checked by the next run", async ({
  onTestFinished,
}) => {
  const [failing, working] = [await silentSite(), await silentSite()];
  const folder = temporaryDir(onTestFinished);
  const databaseUrl = "postgres://localhost:1/none";
  const unreachable = inProcess({ folder, databaseUrl, memoryMegabytes: 64, threads: 1, derived });
  const engine = analytics();
  try {
    setAnalytics({
      ...engine,
      query: (site, ...rest) => (site.siteId === failing ? unreachable : engine).query(site, ...rest),
    });
    await watchTraffic(NOW);
    expect([await causes(failing), await causes(working)]).toEqual([[], ["no_data"]]);
  } finally {
    setAnalytics(engine);
  }
  await watchTraffic(NOW);
  expect([await causes(failing), await causes(working)]).toEqual([["no_data"], ["no_data"]]);
});
