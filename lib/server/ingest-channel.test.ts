import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Answer } from "@/lib/platform/http/http";
import { INGEST_HEADERS, type IngestRequest, IngestWorker } from "@/lib/server/ingest-channel";
import { PATIENT_MS } from "@/lib/testing/patience";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** A worker that answers with the body of the request, and exits at the body "end". */
const PROGRAM = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", (message) => {
    if (message === "stop") process.exit(0);
    if (message === "ping") return parentPort.postMessage({ pong: true });
    let at = 0;
    const answers = message.requests.map(({ number, bodyBytes }) => {
      const body = bodyBytes === null ? "none" : Buffer.from(message.bytes.buffer, at, bodyBytes).toString();
      at += bodyBytes ?? 0;
      if (body === "end") process.exit(0);
      return [number, 202, {}, body];
    });
    parentPort.postMessage({ answers });
  });`;

const requestOf = (body: string | null, id = "r-1"): IngestRequest => ({
  question: "event",
  headers: INGEST_HEADERS.map((name) => (name === "x-request-id" ? id : null)),
  body: body === null ? null : Buffer.from(body),
  address: null,
  arrivedAt: 0,
});

test("each request gets its own answer; requests of a worker that exits get 503 until the next worker runs", async (context) => {
  const { onTestFinished } = context;
  const program = path.join(temporaryDir(onTestFinished), "worker.mjs");
  writeFileSync(program, PROGRAM);
  const worker = new IngestWorker({}, pathToFileURL(program));
  onTestFinished(() => worker.stop());
  const send = (body: string | null, id?: string) =>
    new Promise<Answer>((resolve) => worker.send(requestOf(body, id), resolve));

  const bodies = ["one", "", null, "x".repeat(70_000), "two"];
  const answers = await Promise.all(bodies.map((body) => send(body)));
  expect(answers.map(({ body }) => body)).toEqual(bodies.map((body) => body ?? "none"));

  const [, lost] = await Promise.all([send("before"), send("end", "r-lost")]);
  expect([lost.status, lost.headers["retry-after"], lost.headers["access-control-allow-origin"]]).toEqual([
    503,
    "2",
    "*",
  ]);
  expect(JSON.parse(lost.body)).toMatchObject({ error: { code: "unavailable" }, request_id: "r-lost" });
  expect((await send("while none runs")).status).toBe(503);
  await context.expect.poll(async () => (await send("again")).status, { timeout: PATIENT_MS }).toBe(202);
});
