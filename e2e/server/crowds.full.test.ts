import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { afterAll, expect, test } from "vitest";
import { databaseForTests } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { CHROME, makeSite, TEST_SECRETS } from "@/lib/testing/world";

databaseForTests();

const CONNECTIONS = 500;
const EVENTS = 100;
/** Far more than it takes on a busy machine. Without turns, an event waits for the pages of all connections. */
const MAX_MS = 5_000;
const dataDir = temporaryDir(afterAll);

test.sequential("while 500 connections ask for pages without a pause, 99 of 100 single events are answered within five seconds", async () => {
  const server = await startServer({ DATABASE_URL: await openedUrl(), APP_SECRETS: TEST_SECRETS, DATA_DIR: dataDir });
  const site = await makeSite();
  const agents = [
    new http.Agent({ keepAlive: true }),
    new http.Agent({ keepAlive: true, maxSockets: 1 }),
    new http.Agent(),
  ];
  const [pages, kept, fresh] = agents as [http.Agent, http.Agent, http.Agent];
  const send = async (path: string, options: http.RequestOptions, body?: string): Promise<number> => {
    const request = http.request({ port: server.port, host: "127.0.0.1", path, ...options });
    request.end(body);
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
    return answer.statusCode ?? 0;
  };
  const body = JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` });
  const headers = { "content-type": "application/json", "content-length": body.length, "user-agent": CHROME };
  let isDone = false;
  const statuses = new Set<number>();
  const crowd = Array.from({ length: CONNECTIONS }, async () => {
    while (!isDone) statuses.add(await send("/login", { agent: pages }));
  });
  const times: number[] = [];
  for (let n = 0; n < EVENTS; n++) {
    const start = performance.now();
    const status = await send("/api/event", { method: "POST", headers, agent: n % 2 ? kept : fresh }, body);
    times.push(performance.now() - start);
    expect(status).toBe(202);
  }
  isDone = true;
  await Promise.all(crowd);
  for (const agent of agents) agent.destroy();
  expect(statuses).toEqual(new Set([200, 503]));
  times.sort((a, b) => a - b);
  expect(times[EVENTS * 0.99 - 1]).toBeLessThan(MAX_MS);
  expect(await server.end("SIGTERM")).toBe(0);
});
