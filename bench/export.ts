import { describeMachine, describeSpeed, print, rssOf } from "@/bench/support/bench-server";
import { type DatasetServer, withDataset } from "@/bench/support/dataset-server";
import { nodeMegabytes } from "@/bench/support/processes";
import { keysOf } from "@/lib/contract/fields";
import { db } from "@/lib/platform/db";
import { FORMATS, type Format } from "@/lib/transfer/line";

/**
 * `npm run bench export [millions] [format]`: time, size and memory of an export of so many million events (default 9.5) in each
 * format, or in one, as an agent downloads it from the built server.
 */
const [millions = "9.5", only] = process.argv.slice(2);
const SAMPLE_MS = 250;
const PRINT_MS = 60_000;

describeMachine();
await describeSpeed();
await withDataset(Number(millions), async (target) => {
  const scopes = ["analytics:read", "events:read"];
  await db().client.update({ where: { id: "ffc_bench" }, data: { grantedScopes: scopes } });
  print(`idle: server RSS ${rssOf(target.server)} MB, analytics ${nodeMegabytes(target.server.pid ?? 0)} MB`);
  for (const format of keysOf(FORMATS).filter((name) => !only || name === only)) await measure(target, format);
});

async function measure(target: DatasetServer, format: Format): Promise<void> {
  const answer = await target.callOperation("sites.export.download", { format });
  if (answer.status !== 200) throw new Error(`The address was refused: ${answer.status} ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { url: string } };
  const address = new URL(new URL(data.url).pathname, target.url);
  const most = { server: 0, analytics: 0 };
  const sampling = setInterval(() => {
    most.server = Math.max(most.server, rssOf(target.server));
    most.analytics = Math.max(most.analytics, nodeMegabytes(target.server.pid ?? 0));
  }, SAMPLE_MS);
  const began = performance.now();
  const response = await fetch(address);
  if (response.status !== 200) throw new Error(`The download was refused: ${response.status} ${await response.text()}`);
  let [bytes, first] = [0, 0];
  // Memory that grows with the export shows from minute to minute.
  const printing = setInterval(() => {
    const minutes = Math.round((performance.now() - began) / PRINT_MS);
    print(`${format}, ${minutes} min: ${Math.round(bytes / 1e6)} MB, server ${rssOf(target.server)} MB`);
  }, PRINT_MS);
  for await (const chunk of response.body ?? []) {
    first ||= performance.now() - began;
    bytes += chunk.length;
  }
  const seconds = (performance.now() - began) / 1000;
  clearInterval(sampling);
  clearInterval(printing);
  const rate = Math.round((Number(millions) * 1e6) / seconds);
  print(
    `${format}: ${seconds.toFixed(1)} s, ${Math.round(bytes / 1e6)} MB, ${rate} events/s, first byte after ${Math.round(first)} ms, at most: server ${most.server} MB, analytics ${most.analytics} MB`,
  );
}
