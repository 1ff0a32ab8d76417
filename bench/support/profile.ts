import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";

/** Where the time of a server went, from the CPU profile that V8 wrote of it. */

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const MOST = 15;

/**
 * @param seconds how much of its end counts: what comes before is the start.
 * @returns lines of a table: the functions of our files and the packages that used most time by themselves.
 */
export function summariseProfile(folder: string, seconds: number): string[] {
  // That of the thread that takes events: its number is 0.
  const [file] = readdirSync(folder).filter((name) => /\.0\.\d+\.cpuprofile$/.test(name));
  if (!file) throw new Error(`There is no CPU profile in ${folder}`);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Profile;
  const map = new SourceMap(JSON.parse(readFileSync("build/main.mjs.map", "utf8")));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame, map)]));
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
  const first = [...used].sort(([, a], [, b]) => b - a).slice(0, MOST);
  return first.map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(6)} %  ${name}`);
}

/** A function of ours by its file, one of a package by the package, anything else by what V8 calls it. */
function placeOf(frame: Profile["nodes"][number]["callFrame"], map: SourceMap): string {
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
