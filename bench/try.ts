import { readdirSync, readFileSync } from "node:fs";
import { batchScript, singleScript } from "@/bench/support/load";
import { describeSpeed, onStage, print, rssOf, run } from "@/bench/support/stage";

const cpu = (pid: number) => new Map(readdirSync(`/proc/${pid}/task`).map((t) => { const f = readFileSync(`/proc/${pid}/task/${t}/stat`, "utf8"); const p = f.slice(f.lastIndexOf(")") + 2).split(" "); return [t, (Number(p[11]) + Number(p[12])) * 10] as const; }));
await describeSpeed();
const flags = process.argv.slice(2);
await onStage(async (stage) => {
  const pid = stage.server.pid as number;
  print(`idle ${rssOf(stage.server)}`);
  const go = async (name: string, path: string, script: string) => {
    const before = cpu(pid); await run(stage, name, path, 10, script); const after = cpu(pid);
    print([...after].map(([t, ms]) => [t, ms - (before.get(t) ?? 0)] as const).filter(([, d]) => d > 300).map(([t, d]) => `${Number(t) - pid}:${(d / 100).toFixed(0)}%`).join(" ") + ` rss ${rssOf(stage.server)}`);
  };
  await go("warm", "/api/event", singleScript());
  for (const i of [1, 2]) await go(`single ${i}`, "/api/event", singleScript());
  for (const i of [1, 2]) await go(`batch ${i}`, "/api/v1/events", batchScript(stage.keys, 100, false));
}, flags);
