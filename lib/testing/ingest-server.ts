import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { answerIngest } from "@/lib/ingest/api/answer-ingest";
import { INGEST_ROUTES } from "@/lib/ingest/api/requests";
import { fromNode, toNode } from "@/lib/platform/http/http";

/** Serves the paths that take events over HTTP, for published clients. */

export interface IngestServer extends AsyncDisposable {
  url: string;
  /** The answers so far. */
  answers: { path: string; status: number; body: string }[];
}

/** @param failing how many requests get 503 after their events were stored, as when the answer is lost. */
export async function serveIngest({ address = "203.0.113.7", failing = 0 } = {}): Promise<IngestServer> {
  const answers: IngestServer["answers"] = [];
  let failures = failing;
  const server = createServer(async (request: IncomingMessage, response) => {
    const path = request.url ?? "";
    const route = INGEST_ROUTES[path];
    if (!route) return response.writeHead(404).end();
    const incoming = { ...fromNode(request), bytes: () => buffer(request) };
    const answer = await answerIngest(route.surface, incoming, { address, now: new Date() });
    answers.push({ path, status: answer.status, body: answer.body });
    if (failures-- > 0) return response.writeHead(503, { "retry-after": "1" }).end();
    toNode(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
