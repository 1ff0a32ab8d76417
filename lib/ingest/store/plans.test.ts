import pg from "pg";
import { test as anywhere, expect, inject, vi } from "vitest";
import { dictionaryNames } from "@/lib/ingest/event/catalogue";
import { reclassifySite } from "@/lib/ingest/store/reclassify";
import { watchSite } from "@/lib/monitoring/traffic";
import { db } from "@/lib/platform/db";
import { inIngestTransaction } from "@/lib/platform/pool";
import { sharesOf } from "@/lib/platform/report-shares";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { lastEventOf } from "@/lib/sites/last-event";
import { call } from "@/lib/testing/calls";
import { connected, databaseForTests } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { exported, imported } from "@/lib/testing/transfer";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** Citus has plans of its own around those of its nodes. */
const test = anywhere.skipIf(inject("citus"));

databaseForTests();

const NOW = new Date("2030-06-20T15:30:00Z");
const MONTHS = ["2030-03", "2030-04", "2030-05", "2030-06"];

/** Two sites with a visit in each of several months. */
async function makeSites(): Promise<TestSite> {
  const [site, other] = [await makeSite(), await makeSite()];
  for (const month of MONTHS) {
    for (const one of [site, other]) {
      const sending = { at: `${month}-12T10:00:00Z`, address: "8.8.8.8" };
      await send(one, { name: "pageview", url: `https://${one.host}/a`, title: "A", user_id: "u-1" }, sending);
      await send(one, { name: "Signup", path: "/a", user_id: "u-1" }, sending);
    }
  }
  return site;
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Returns the statements on facts that `work` sends. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const real = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: never[]) {
    const [query, values] = args as unknown as [string | Partial<Statement>, unknown[] | undefined];
    const { text = "", values: own = [] } = typeof query === "string" ? { text: query } : query;
    const plain = text.replace(/^COPY \(([\s\S]*)\) TO STDOUT.*$/, "$1");
    if (/^\s*(SELECT|WITH|DELETE|UPDATE|INSERT)\b[\s\S]*\bfacts\.(event|visit)\b/.test(plain)) {
      sent.push({ text: plain, values: values ?? own });
    }
    return Reflect.apply(real, this, args);
  } as never);
  try {
    await work();
    return sent;
  } finally {
    spy.mockRestore();
  }
}

const findsVisits = ({ text }: Statement): boolean => /visit\.visitor_id = wanted/.test(text);

/** The settings of a batch (`commit.ts`). */
const AS_INGEST =
  "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan";

/** A month that only one test has visits in. */
const WITHOUT_STATISTICS = "2031_02";

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
  [detail: string]: unknown;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Returns the plan nodes by which a statement reads events and visits. */
async function scansOf(client: pg.ClientBase, { text, values }: Statement): Promise<Plan[]> {
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
  return nodesOf(rows[0]["QUERY PLAN"][0].Plan).filter(
    (node) => /^(event|visit)_\d/.test(node["Relation Name"] ?? "") && /Scan/.test(node["Node Type"]),
  );
}

/**
 * Returns why a scan does not use an index of the site; null when it does. A bitmap scan has its condition in a child
 * node.
 */
function faultOf(node: Plan): string | null {
  const condition = `${node["Index Cond"] ?? ""} ${node["Recheck Cond"] ?? ""} ${node["TID Cond"] ?? ""}`;
  return /site_id|ctid/.test(condition) ? null : `${node["Node Type"]} of ${node["Relation Name"]} by ${condition}`;
}

test("every statement on facts uses an index of the site, and visits of a visitor are found by primary key", async () => {
  const site = await makeSites();
  const empty = await makeSite();
  const owner = { kind: "owner", personId: site.ownerId } as const;
  const shares = sharesOf(owner);
  await db().site.update({ where: { id: site.id }, data: { keepMonths: 2 } });
  await db().monitor.create({ data: { siteId: site.id, host: site.host, nextCheckAt: NOW } });
  const file = await exported(site, NOW);
  const byPart: Record<string, Statement[]> = {
    copy: await statementsOf(async () => {
      await call(site.ownerId, "analytics.overview", { site_id: site.id, period: "30d" }, NOW);
      await send(site, "/b", { at: NOW });
      await call(site.ownerId, "analytics.overview", { site_id: site.id, period: "30d" }, NOW);
    }),
    write: await statementsOf(() => send(site, { name: "Paid", user_id: "u-1" }, { at: NOW, address: "8.8.8.8" })),
    lastEvent: await statementsOf(() => lastEventOf(site.id, shares)),
    weeks: await statementsOf(() => call(site.ownerId, "sites.overview", { site_ids: [site.id] }, NOW)),
    importedWeeks: await statementsOf(async () => {
      await inIngestTransaction((ingest) =>
        ingest.query("INSERT INTO facts.imported VALUES ($1, 0, '2030-06-15', '', 'test', 1, 1, 1, 0, 1, 0)", [
          empty.id,
        ]),
      );
      await call(empty.ownerId, "sites.overview", { site_ids: [empty.id] }, NOW);
    }),
    present: await statementsOf(() => call(site.ownerId, "sites.overview", { site_ids: [site.id], metrics: [] }, NOW)),
    watch: await statementsOf(() => watchSite(site.id, NOW)),
    export: await statementsOf(() => exported(site, NOW)),
    import: await statementsOf(() => imported(empty, file, "UTC", NOW)),
    reclassify: await statementsOf(() => reclassifySite(site.id, NOW)),
    deleteExpired: await statementsOf(() => deleteExpiredEvents(NOW)),
  };
  const client = new pg.Client(await openedUrl());
  await client.connect();
  const indexesOfVisitors = new Set<string | undefined>();
  for (const [part, statements] of Object.entries(byPart)) {
    let scans = 0;
    // The tables are small: checks that an index can be used, not that it pays off here.
    await client.query(
      part === "write" ? AS_INGEST : "RESET ALL; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan",
    );
    for (const statement of statements) {
      const scanned = await scansOf(client, statement);
      // The other test has a month without statistics.
      for (const node of scanned.filter((one) => one["Relation Name"] !== `visit_${WITHOUT_STATISTICS}`)) {
        scans++;
        expect(faultOf(node), `${part}: ${statement.text}`).toBeNull();
        if (findsVisits(statement)) {
          indexesOfVisitors.add(node["Index Name"]?.replace(/^visit_\d+_\d+_/, ""));
        }
      }
    }
    expect([part, scans > 0]).toEqual([part, true]);
  }
  expect([...indexesOfVisitors]).toEqual(["pkey"]);
  await client.end();
});

test("visits of a visitor are found by primary key, however many visits the month had when the kept plan was made", {
  tags: "full",
}, async () => {
  const site = await makeSite();
  const at = new Date(`${WITHOUT_STATISTICS.replace("_", "-")}-10T12:00:00Z`);
  const [lookup] = (await statementsOf(() => send(site, "/a", { at }))).filter(findsVisits);
  // Without statistics, as in a new month. Between 250 and 290 visits, an index of smaller rows has one level less.
  for (let visits = 0; visits < 500; visits += 10) {
    await inIngestTransaction((ingest) =>
      ingest.query(
        `INSERT INTO facts.visit SELECT (jsonb_populate_record(NULL::facts.visit, kept.row || jsonb_build_object(
           'visitor_id', hashint8extended(n, 1), 'visit_id', n, 'started', kept.started + n * interval '1 second'))).*
         FROM (SELECT started, to_jsonb(visit) AS row FROM facts.visit WHERE site_id = $1 ORDER BY started LIMIT 1) AS kept,
           generate_series($2::int, $2::int + 9) AS n`,
        [site.id, visits + 1],
      ),
    );
    // A connection remembers the size of an index, and each one makes its own plan.
    await connected(await openedUrl(), async (client) => {
      await client.query(AS_INGEST);
      const scans = await scansOf(client, lookup as Statement);
      const own = scans.filter((node) => node["Relation Name"] === `visit_${WITHOUT_STATISTICS}`);
      expect([visits, own.map((node) => node["Index Name"])]).toEqual([visits, [`visit_${WITHOUT_STATISTICS}_pkey`]]);
    });
  }
});

test("the new values of a day are counted by an index, however many values a site has", async () => {
  await connected(await openedUrl(), async (client) => {
    await client.query("SET enable_seqscan = off; SET enable_bitmapscan = off");
    for (const name of dictionaryNames) {
      const count = `SELECT count(*)::int AS fresh FROM facts.${name} WHERE site_id = $1 AND first_seen = $2::date`;
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${count}`, [1, "2030-06-20"]);
      const conditions = nodesOf(rows[0]["QUERY PLAN"][0].Plan).map((node) => node["Index Cond"] ?? "");
      expect(conditions.join(), name).toMatch(/site_id.*first_seen/);
    }
  });
});

test("the ids that a retention limit deletes are found by an index, however many ids all sites have", async () => {
  await connected(await openedUrl(), async (client) => {
    await client.query("SET enable_seqscan = off; SET enable_bitmapscan = off");
    const expired = "SELECT ctid FROM facts.event_key WHERE site_id = $1 AND day < $2::date LIMIT 5000";
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${expired}`, [1, "2030-06-20"]);
    const conditions = nodesOf(rows[0]["QUERY PLAN"][0].Plan).map((node) => node["Index Cond"] ?? "");
    expect(conditions.join()).toMatch(/site_id.*day/);
  });
});
