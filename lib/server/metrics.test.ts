import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { counter, type Family, histogram, readMetrics } from "@/lib/metrics/registry";
import { metricsText } from "@/lib/metrics/text";
import { countAnswerTo, metricsAt } from "@/lib/server/metrics";

const TOKEN = "a-token-of-24-characters";

/** Asks a server that answers what is no question about metrics with 404. */
async function ask(token: string | undefined, authorization?: string, others: Family[] = []) {
  const answers = metricsAt(token, async () => others);
  const server = createServer((request, response) => {
    if (!answers(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  const text = await response.text();
  await new Promise((resolve) => server.close(resolve));
  return { status: response.status, text };
}

test("without a token there are no metrics; with one they are told to who shows it, and to nobody else", async () => {
  expect((await ask(undefined, `Bearer ${TOKEN}`)).status).toBe(404);
  for (const wrong of [undefined, "Bearer ", `Bearer ${TOKEN}x`, TOKEN]) {
    expect(await ask(TOKEN, wrong)).toEqual({ status: 401, text: "" });
  }
  const { status, text } = await ask(TOKEN, `Bearer ${TOKEN}`);
  expect(status).toBe(200);
  expect(text).toMatch(/^# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^footfall_letters_waiting\{kind="any"\} \d+$/m);
  expect(text).toMatch(/^footfall_pool_connections\{thread="\w+",pool="ingest",state="idle"\} \d+$/m);
});

test("what two threads count alike is one sum, and what only one of them knows stands beside it", () => {
  const family = (value: number, key: string): Family => ({
    name: "things_total",
    help: "Things.",
    type: "counter",
    samples: [{ suffix: "", labels: [["kind", key]], value }],
  });
  expect(metricsText([family(2, "a"), family(3, "a"), family(4, 'b"\\\n')])).toBe(
    '# HELP things_total Things.\n# TYPE things_total counter\nthings_total{kind="a"} 5\nthings_total{kind="b\\"\\\\\\n"} 4\n',
  );
});

test("a histogram's buckets hold all that is smaller, and a stranger's words make no metric grow without end", () => {
  const sizes = histogram("test_sizes", "Sizes.", [1, 10]);
  for (const size of [0.5, 1, 5, 100]) sizes.observe(size);
  const text = metricsText(readMetrics().filter(({ name }) => name === "test_sizes"));
  expect(text.split("\n").slice(2, -1)).toEqual([
    'test_sizes_bucket{le="1"} 2',
    'test_sizes_bucket{le="10"} 3',
    'test_sizes_bucket{le="+Inf"} 4',
    "test_sizes_sum 106.5",
    "test_sizes_count 4",
  ]);
  const words = counter("test_words", "Words.", "word");
  for (let n = 0; n < 3_000; n++) words.add(`word ${n}`);
  const { samples } = words.read();
  expect(samples).toHaveLength(1_001);
  expect(samples.at(-1)).toMatchObject({ labels: [["word", "other"]], value: 2_000 });
});

test("what a stranger asks for takes none of the routes' series", () => {
  for (const status of [308, 401, 403, 404]) for (const n of [1, 2]) countAnswerTo(`/api/${n}`, status);
  countAnswerTo("/api/health", 200);
  const { samples } = readMetrics().find(({ name }) => name === "footfall_http_requests_total") as Family;
  expect(samples.map(({ labels, value }) => [labels[0]?.[1], labels[1]?.[1], value])).toEqual([
    ...["308", "401", "403", "404"].map((status) => ["", status, 2]),
    ["/api/health", "200", 1],
  ]);
});
