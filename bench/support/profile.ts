import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";

/** Summarises a V8 CPU profile of the server. */

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const MAX_LINES = 15;

/**
 * @param seconds length of the end of the profile to use, without the start-up.
 * @returns table lines with the functions and packages with the most self time.
 */
export function summariseProfile(folder: string, seconds: number): string[] {
  // The profile of the ingest thread, which has number 0.
  const [file] = readdirSync(folder).filter((name) => /\.0\.\d+\.cpuprofile$/.test(name));
  if (!file) throw new Error(`${folder} contains no CPU profile`);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Profile;
  const map = new SourceMap(JSON.parse(readFileSync("build/main.mjs.map", "utf8")));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, locationOf(callFrame, map)]));
  const used = new Map<string, number>();
  let left = timeDeltas.reduce((sum, time) => sum + time, 0);
  for (const [index, id] of samples.entries()) {
    left -= timeDeltas[index] ?? 0;
    if (left > seconds * 1e6) continue;
    const name = names.get(id) ?? "";
    if (name === "(idle)") continue;
    used.set(name, (used.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const all = [...used.values()].reduce((sum, time) => sum + time, 0);
  const first = [...used].sort(([, a], [, b]) => b - a).slice(0, MAX_LINES);
  return first.map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(6)} %  ${name}`);
}

/** Returns the file of our functions, the package of other functions, or V8's own name. */
function locationOf(frame: Profile["nodes"][number]["callFrame"], map: SourceMap): string {
  const { functionName, url, lineNumber, columnNumber } = frame;
  const name = functionName || "(anonymous)";
  if (url.startsWith("node:")) return url;
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packaged) return `package ${packaged}`;
  if (!url.endsWith("/build/main.mjs")) return url === "" ? name : `${path.basename(url)} ${name}`;
  const entry = map.findEntry(lineNumber, columnNumber);
  const source = "originalSource" in entry ? entry.originalSource.replace(/^(\.\.\/)+/, "") : "build/main.mjs";
  return `${source} ${name}`;
}
