import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { describeMachine, describeSpeed, print } from "@/bench/support/bench-server";
import { type DatasetServer, untilCopied, withDataset } from "@/bench/support/dataset-server";
import { Engine } from "@/lib/analytics/engine/engine";
import { derived } from "@/lib/analytics/query/derived";
import { db } from "@/lib/platform/db";
import { digest, freshSecret } from "@/lib/platform/secrets";

/**
 * `npm run bench freshness [millions]`: how soon reports of a site with so many million events (default 1) show what
 * was stored: the first copy, a refresh without and with new events, the time from an event's answer until its number
 * shows, and dashboards while events come in.
 */
const [millions = "1"] = process.argv.slice(2);
const HOST = "bench.example";
const REFRESHES = 15;
const NEW_EVENTS = 2_000;
const BATCH = 100;
const SHOWN = 40;
const BUSY_SECONDS = 20;
const DASHBOARD: [string, Record<string, string>][] = [
  ["analytics.overview", { period: "90d" }],
  ["analytics.chart", { period: "90d", interval: "day" }],
];
/** Distinguishes the visitors of all events of a run. */
let visitor = 0;

describeMachine();
await describeSpeed();
await withDataset(Number(millions), async (target) => {
  const keys = await addKeys(target.siteId);
  await measureRefreshes(target, keys);
  await untilCopied(target);
  await measureShowing(target);
  await measureDashboards(target, keys);
});

async function measureRefreshes(target: DatasetServer, keys: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-freshness-"));
  const { siteId } = target;
  const options = { memoryMegabytes: 1024, threads: 2, maxAgeMs: 0, waitForCopyMs: 600_000 };
  const engine = await Engine.open({ folder, databaseUrl: target.database, derived, ...options });
  const refresh = async () => {
    const began = performance.now();
    await engine.query({ siteId, timezone: "Europe/Berlin" }, [{ sql: "SELECT 1", values: [] }]);
    return performance.now() - began;
  };
  try {
    print(`first copy: ${((await refresh()) / 1000).toFixed(1)} s`);
    const times = { empty: [] as number[], full: [] as number[] };
    for (let round = 0; round < REFRESHES; round++) {
      times.empty.push(await refresh());
      for (let sent = 0; sent < NEW_EVENTS; sent += BATCH) await sendBatch(target, keys);
      times.full.push(await refresh());
    }
    print(`refresh that finds nothing: ${summary(times.empty)}`);
    print(`refresh of ${NEW_EVENTS} new events: ${summary(times.full)}`);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends single events of pages of their own, each until its number shows. */
async function measureShowing(target: DatasetServer): Promise<void> {
  const times: number[] = [];
  const reports: number[] = [];
  for (let nth = 0; nth < SHOWN; nth++) {
    // At any moment between two refreshes.
    await setTimeout(Math.random() * 1_500);
    const page = `/fresh-${process.pid}-${nth}`;
    const body = JSON.stringify({ domain: HOST, name: "pageview", url: `https://${HOST}${page}` });
    const response = await fetch(`${target.url}/api/event`, { method: "POST", headers: headersOf(), body });
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    const stored = performance.now();
    for (;;) {
      const asked = performance.now();
      const input = { period: "today", filters: JSON.stringify({ page }) };
      const report = await (await target.callOperation("analytics.overview", input)).text();
      reports.push(performance.now() - asked);
      if (/"pageviews":1\b/.test(report)) break;
    }
    times.push(performance.now() - stored);
  }
  print(`from the answer to an event until its number shows: ${summary(times)} (one report: ${summary(reports)})`);
}

async function measureDashboards(target: DatasetServer, keys: readonly string[]): Promise<void> {
  for (const rate of [0, NEW_EVENTS]) {
    const until = performance.now() + BUSY_SECONDS * 1000;
    const began = performance.now();
    let sent = 0;
    const send = async () => {
      while (rate > 0 && performance.now() < until) {
        const due = began + (sent / rate) * 1000;
        sent += BATCH;
        await setTimeout(Math.max(0, due - performance.now()));
        await sendBatch(target, keys);
      }
    };
    const loads: number[] = [];
    const view = async () => {
      while (performance.now() < until) {
        const asked = performance.now();
        const answers = await Promise.all(DASHBOARD.map(([id, input]) => target.callOperation(id, input)));
        for (const answer of answers) if (answer.status !== 200) print(`${answer.status} ${await answer.text()}`);
        loads.push(performance.now() - asked);
      }
    };
    await Promise.all([send(), send(), view()]);
    print(`dashboards while ${Math.round(sent / BUSY_SECONDS)} events/s come in: ${summary(loads)}`);
  }
}

async function sendBatch({ url }: DatasetServer, keys: readonly string[]): Promise<void> {
  const events = Array.from({ length: BATCH }, () => {
    visitor++;
    const page = { url: `https://${HOST}/blog/post-${visitor % 400}`, title: `Post ${visitor % 400}` };
    return { type: "page", context: { page, session_id: `fresh-${process.pid}-${Math.floor(visitor / 4)}` } };
  });
  const response = await fetch(`${url}/api/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys[visitor % keys.length]}`, "content-type": "application/json" },
    body: JSON.stringify({ events }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
}

function headersOf(): Record<string, string> {
  visitor++;
  const address = `11.${(visitor >> 16) % 250}.${(visitor >> 8) % 250}.${visitor % 250}`;
  return {
    "content-type": "text/plain",
    origin: `https://${HOST}`,
    "accept-language": "en",
    "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "x-forwarded-for": address,
  };
}

/** Enough keys to stay below the limit of each. */
async function addKeys(siteId: number): Promise<string[]> {
  const keys = Array.from({ length: 101 }, () => `ffk_${freshSecret()}`);
  const row = (key: string) => ({ siteId, name: "bench", hash: new Uint8Array(digest(key)), hint: key.slice(-4) });
  await db().ingestKey.createMany({ data: keys.map((key) => ({ ...row(key), createdAt: new Date() })) });
  return keys;
}

function summary(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  return `median ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms, worst ${Math.round(sorted.at(-1) ?? 0)} ms of ${sorted.length}`;
}
