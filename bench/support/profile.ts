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
 * @returns for each thread how busy it was, and a table of the functions of our files and the packages that used most
 *   time by themselves.
 */
export function summariseProfiles(folder: string, seconds: number): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
  if (files.length === 0) throw new Error(`There is no CPU profile in ${folder}`);
  // Their names end in the numbers of process, thread and profile.
  return files.sort().flatMap((file) => summarise(path.join(folder, file), seconds));
}

function summarise(file: string, seconds: number): string[] {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, "utf8")) as Profile;
  const names = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
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
  const thread = nodes.some(({ callFrame }) => callFrame.url.endsWith("/writing-thread.mjs")) ? "writing" : "HTTP";
  const first = [...used].sort(([, a], [, b]) => b - a).slice(0, MOST);
  return [
    `${thread} thread, busy for ${((100 * all) / (seconds * 1e6)).toFixed(0)} %:`,
    ...first.map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(6)} %  ${name}`),
  ];
}

const maps = new Map<string, SourceMap>();

/** How a bundle was made of our files. */
function mapOf(bundle: string): SourceMap {
  const known = maps.get(bundle) ?? new SourceMap(JSON.parse(readFileSync(`build/${bundle}.map`, "utf8")));
  maps.set(bundle, known);
  return known;
}

/** A function of ours by its file, one of a package by the package, anything else by what V8 calls it. */
function placeOf(frame: Profile["nodes"][number]["callFrame"]): string {
  const { functionName, url, lineNumber, columnNumber } = frame;
  const name = functionName || "(anonymous)";
  if (url.startsWith("node:")) return url;
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packaged) return `package ${packaged}`;
  const bundle = /\/build\/([\w-]+\.mjs)$/.exec(url)?.[1];
  if (!bundle) return url === "" ? name : `${path.basename(url)} ${name}`;
  const entry = mapOf(bundle).findEntry(lineNumber, columnNumber);
  const source = "originalSource" in entry ? entry.originalSource.replace(/^(\.\.\/)+/, "") : `build/${bundle}`;
  return `${source} ${name}`;
}
