import { readFileSync } from "node:fs";
import { readAgent } from "@/lib/ingest/enrich/agent";

/**
 * CPU time of reading a user agent that is not in the cache: `npm run bench user-agents [file]`, with one user agent a
 * line; by default those of the package user-agents.
 */

const ROUNDS = 12;

const [, , file] = process.argv;
const userAgents =
  file === undefined
    ? (
        JSON.parse(readFileSync("node_modules/user-agents/dist/user-agents.json", "utf8")) as { userAgent: string }[]
      ).map(({ userAgent }) => userAgent)
    : readFileSync(file, "utf8").split("\n").filter(Boolean);

let best = Infinity;
for (let round = 0; round < ROUNDS; round++) {
  const start = process.cpuUsage();
  // Another text each round, so that none is in the cache.
  for (const userAgent of userAgents) readAgent(`${userAgent} ${round}`);
  const { user, system } = process.cpuUsage(start);
  best = Math.min(best, (user + system) / userAgents.length);
}
process.stdout.write(`${best.toFixed(1)} µs CPU a user agent (${userAgents.length} user agents, best of ${ROUNDS})\n`);
