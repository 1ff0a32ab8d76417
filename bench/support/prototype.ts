import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import { Client } from "pg";
import { UAParser } from "ua-parser-js";

/**
 * A minimal ingest with durable responses, as a baseline: it parses an event, detects robots, parses the user agent,
 * derives a pseudonym, and answers after one statement has committed a batch. It validates nothing, has no sites or
 * visits, and stores text in one table. The design's prototype had these parts and stored 8,400 to 9,400 single events
 * per second on the machine on which the targets were set: the server's rate relative to this one is comparable between
 * machines, its absolute rate is not.
 *
 * A separate program: `node build/bench-prototype.mjs <database url>` prints the port that it listens on.
 */

interface Row {
  at: string;
  visitor: string;
  event: Record<string, unknown>;
  agent: Agent;
  isBot: boolean;
}
interface Agent {
  browser: string;
  os: string;
  device: string;
}

const COLUMNS: [name: string, type: string, read: (row: Row) => unknown][] = [
  ["at", "timestamptz", (row) => row.at],
  ["visitor", "bigint", (row) => row.visitor],
  ["domain", "text", (row) => row.event.domain],
  ["name", "text", (row) => row.event.name],
  ["url", "text", (row) => row.event.url],
  ["title", "text", (row) => row.event.title],
  ["referrer", "text", (row) => row.event.referrer],
  ["screen", "text", (row) => row.event.screen],
  ["language", "text", (row) => row.event.language],
  ["browser", "text", (row) => row.agent.browser],
  ["os", "text", (row) => row.agent.os],
  ["device", "text", (row) => row.agent.device],
  ["is_bot", "boolean", (row) => row.isBot],
  ["props", "jsonb", (row) => (row.event.props ? JSON.stringify(row.event.props) : null)],
];
const names = COLUMNS.map(([name]) => name).join(", ");
const INSERT = `INSERT INTO prototype.event (${names}) SELECT * FROM unnest(${COLUMNS.map(([, type], at) => `$${at + 1}::${type}[]`).join(", ")})`;

const salt = randomBytes(32);
const agents = new LRUCache<string, Agent>({ max: 20_000 });
let waiting: { row: Row; stored(): void }[] = [];
let writing = false;

const client = new Client({ connectionString: process.argv[2] });
await client.connect();
await client.query(
  `CREATE SCHEMA prototype; CREATE TABLE prototype.event (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${COLUMNS.map(([name, type]) => `${name} ${type}`).join(", ")})`,
);
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => handle(Buffer.concat(chunks).toString(), request, response));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

function handle(body: string, request: IncomingMessage, response: ServerResponse): void {
  const event = JSON.parse(body);
  const userAgent = request.headers["user-agent"] ?? "";
  const sender = createHmac("sha256", salt).update(
    `${event.domain}|${request.headers["x-forwarded-for"]}|${userAgent}`,
  );
  const visitor = sender.digest().readBigInt64BE(0).toString();
  const row = { at: new Date().toISOString(), visitor, event, agent: agentOf(userAgent), isBot: isbot(userAgent) };
  const stored = () => response.writeHead(202, { "content-type": "application/json" }).end('{"status":"stored"}');
  waiting.push({ row, stored });
  if (!writing) write();
}

/** Group commit: what arrives while a batch is written forms the next one. */
async function write(): Promise<void> {
  writing = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const values = COLUMNS.map(([, , read]) => batch.map(({ row }) => read(row) ?? null));
    await client.query({ name: "insert", text: INSERT, values });
    for (const { stored } of batch) stored();
  }
  writing = false;
}

function agentOf(userAgent: string): Agent {
  const known = agents.get(userAgent);
  if (known) return known;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const agent = { browser: browser.name ?? "", os: os.name ?? "", device: device.type ?? "" };
  agents.set(userAgent, agent);
  return agent;
}
