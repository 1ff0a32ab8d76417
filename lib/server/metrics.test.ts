import { expect, test } from "vitest";
import { counter, type Family, histogram, readMetrics } from "@/lib/platform/metrics";
import { countAnswerTo, metricsAnswer, startMetrics } from "@/lib/server/metrics";

const TOKEN = "a-token-of-24-characters";

async function getMetrics(token: string | undefined, authorization?: string, others: Family[] = []) {
  startMetrics(token);
  const { status, body } = await metricsAnswer(token, authorization ?? null, [async () => others]);
  return { status, text: body };
}

test("without METRICS_TOKEN there are no metrics; with it they require the token", async () => {
  expect((await getMetrics(undefined, `Bearer ${TOKEN}`)).status).toBe(404);
  for (const wrong of [undefined, "Bearer ", `Bearer ${TOKEN}x`, TOKEN]) {
    expect(await getMetrics(TOKEN, wrong)).toEqual({ status: 401, text: "" });
  }
  const { status, text } = await getMetrics(TOKEN, `Bearer ${TOKEN}`);
  expect(status).toBe(200);
  expect(text).toMatch(/^# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^footfall_emails_waiting\{kind="any"\} \d+$/m);
  expect(text).toMatch(/^footfall_pool_connections\{thread="\w+",pool="ingest",state="idle"\} \d+$/m);
});

test("equal metrics of several threads are summed", async () => {
  const things = counter({ name: "test_things_total", help: "Things.", labelNames: ["kind"] });
  things.inc({ kind: "a" }, 2);
  things.inc({ kind: 'b"\\\n' });
  const sizes = histogram({ name: "test_sizes", help: "Sizes.", buckets: [1, 10] });
  for (const size of [0.5, 1, 5, 100]) sizes.observe(size);
  const otherThread: Family[] = structuredClone(await readMetrics());
  const { text } = await getMetrics(TOKEN, `Bearer ${TOKEN}`, otherThread);
  expect(text.split("\n").filter((line) => line.includes("test_"))).toEqual([
    "# HELP test_things_total Things.",
    "# TYPE test_things_total counter",
    'test_things_total{kind="a"} 4',
    'test_things_total{kind="b\\"\\\\\\n"} 2',
    "# HELP test_sizes Sizes.",
    "# TYPE test_sizes histogram",
    'test_sizes_bucket{le="1"} 4',
    'test_sizes_bucket{le="10"} 6',
    'test_sizes_bucket{le="+Inf"} 8',
    "test_sizes_sum 213",
    "test_sizes_count 8",
  ]);
});

test("a second definition of a metric returns the same metric", () => {
  const define = () => counter({ name: "defined_twice_total", help: "Twice." });
  expect(define()).toBe(define());
});

test("paths that clients invent create no series", async () => {
  for (const status of [308, 401, 403, 404, 421]) {
    for (let n = 0; n < 200; n++) countAnswerTo(`/path-${status}-${n}`, status);
  }
  countAnswerTo("/api/health", 200);
  countAnswerTo("/api/health", 503);
  for (let n = 0; n < 3_000; n++) countAnswerTo(`/found-${n}`, 200);
  const requests = (await readMetrics()).find(({ name }) => name === "footfall_http_requests_total");
  const series = (requests?.values ?? []).map(({ labels, value }) => `${labels.route} ${labels.status} ${value}`);
  expect(series.filter((one) => !one.startsWith("/found-"))).toEqual([
    ...["308", "401", "403", "404", "421"].map((status) => ` ${status} 200`),
    "/api/health 200 1",
    "/api/health 503 1",
    " 200 2001",
  ]);
  expect(series).toHaveLength(8 + 999);
});
