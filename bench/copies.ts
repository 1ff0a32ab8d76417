import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { describeMachine, describeSpeed, print, query } from "@/bench/support/bench-server";
import { type DatasetServer, untilCopied, withDataset } from "@/bench/support/dataset-server";
import { db } from "@/lib/platform/db";
import { createSite } from "@/lib/sites/create";

/**
 * `npm run bench copies [millions]`: how long reports of a site with ten events take while two sites of so many million
 * events (default 2) are copied.
 */
const [millions = "2"] = process.argv.slice(2);
const EVERY_MS = 250;
const SLOW_MS = 2_000;
const TABLES = ["page", "referrer", "campaign", "place", "agent", "name", "event", "visit", "site_sequence"];

describeMachine();
await describeSpeed();
await withDataset(Number(millions), async (target) => {
  // What an earlier run has left.
  for (const table of TABLES)
    await query(target.database, `DELETE FROM facts.${table} WHERE site_id <> ${target.siteId}`);
  const large = [await newSite(target), await newSite(target)];
  const [small, first] = [await newSite(target), await newSite(target)];
  const sites = [...large, small, first].map((siteId) => ({ siteId }));
  await db().client.update({ where: { id: "ffc_bench" }, data: { sites: { create: sites } } });
  for (const table of TABLES) {
    for (const site of large) await copyRows(target, table, site);
    if (table !== "visit") await copyRows(target, table, small, table === "event" ? "ORDER BY ts DESC LIMIT 10" : "");
  }
  // Otherwise the server would reclassify every visit.
  await query(
    target.database,
    `INSERT INTO facts.reclassified SELECT id, version FROM unnest(ARRAY[${[...large, small].join()}]) AS id, facts.reclassified
     WHERE site_id = ${target.siteId}`,
  );
  for (const table of ["event", "visit"]) await query(target.database, `ANALYZE facts.${table}`);
  print("the sites have their events");
  // The analytics process starts with its first question.
  await report(target, first);
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const began = performance.now();
  let copied = false;
  const copies = Promise.all(large.map((siteId) => untilCopied(target, { site_id: `${siteId}`, period: "28d" }))).then(
    () => {
      copied = true;
    },
  );
  while (!copied) {
    const { status, ms } = await report(target, small);
    times.push(ms);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await setTimeout(EVERY_MS);
  }
  await copies;
  const slow = times.flatMap((ms, index) => (ms > SLOW_MS ? `${ms} ms (answer ${index + 1})` : []));
  times.sort((a, b) => a - b);
  print(`both sites were copied in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  print(`answers of the small site by status: ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(", ")}`);
  print(`median ${times[Math.floor(times.length / 2)]} ms, worst ${times.at(-1)} ms`);
  print(`answers of more than ${SLOW_MS / 1000} s: ${slow.join(", ") || "none"}`);
});

async function report(target: DatasetServer, siteId: number): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const answer = await target.callOperation("analytics.overview", { site_id: `${siteId}`, period: "28d" });
  await answer.text();
  return { status: answer.status, ms: Math.round(performance.now() - began) };
}

function newSite({ personId }: DatasetServer): Promise<number> {
  const creator = { kind: "owner" as const, personId };
  const host = `${randomUUID()}.example`;
  return createSite(db(), { host, name: null, timezone: "UTC", public: false, creator, now: new Date() });
}

/** Copies rows of the dataset's site, all or the chosen ones, to another site. */
async function copyRows({ database, siteId }: DatasetServer, table: string, to: number, chosen = "") {
  const [columns] = await query(
    database,
    `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names FROM information_schema.columns
     WHERE table_schema = 'facts' AND table_name = '${table}' AND column_name <> 'site_id'`,
  );
  await query(
    database,
    `INSERT INTO facts.${table} (site_id, ${columns.names}) OVERRIDING SYSTEM VALUE
     SELECT ${to}, ${columns.names} FROM facts.${table} WHERE site_id = ${siteId} ${chosen}`,
  );
}
