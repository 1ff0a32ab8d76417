import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCOPES, type Scope } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { managementResource, mcpResource } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { RATES } from "@/lib/platform/limits";
import { agentTexts } from "@/lib/publish/llms/pages";
import { curlOf, methodOf } from "@/lib/publish/reference";
import { walkthrough } from "@/lib/publish/walkthrough";
import { databaseForTests } from "@/lib/testing/database";
import { documentedShell } from "@/lib/testing/documented-shell";
import { siteWithKey } from "@/lib/testing/measuring";
import { openedUrl } from "@/lib/testing/opened-url";
import { plainPath } from "@/lib/testing/plain-tools";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { sampled } from "@/lib/testing/tier";
import { makeClient, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** Every documented block of shell, as it stands there, in a shell with the tools of a plain image. */

/** The base URL for which tests issue tokens, and that of the documents. */
const BASE = "http://localhost:3000";
const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

databaseForTests();

let server: RunningServer;
let bin: string;
beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    BASE_URL: BASE,
    DATA_DIR: temporaryDir(afterAll),
  });
  bin = plainPath(temporaryDir(afterAll));
});
afterAll(async () => void (await server.end("SIGTERM")));

/** Runs a script in a shell that finds the plain tools only. */
async function run(script: string, variables: Record<string, string> = {}) {
  const env = { NODE_ENV: process.env.NODE_ENV, PATH: bin, ...variables };
  const shell = spawn("/bin/sh", ["-c", script], { env });
  const [out, fault, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, "close")]);
  return { out, fault, status };
}

/** Runs a call as pasted, and again while the server says so: on a busy machine its database may answer late. */
async function called(command: string, variables: Record<string, string>) {
  for (;;) {
    const { out, fault } = await run(command, variables);
    const answer = JSON.parse(out || `{"none":${JSON.stringify(fault)}}`);
    if (answer.error?.code !== "unavailable") return { answer, said: out || fault };
  }
}

/** What a call may be answered that names things a new site does not have, and that nobody has approved. */
const ANSWERS = ["approval_required", "not_found", "domain_taken", "role_denied"];

test.each(sampled([...OPERATIONS.values()], 8))("the call of $id is understood as pasted", async (op: AnyOperation) => {
  const site = await makeSite({ now: new Date() });
  const { token } = await makeClient({ scopes: ALL_SCOPES, sites: [site], personId: site.ownerId, now: new Date() });
  // The example's site is the one that the reader has, and its person nobody that the test has made.
  const command = curlOf(op, server.url)
    .replace(/("site_id":|site_id=)1\b/, `$1${site.id}`)
    .replace(/("new_owner_id":)\d+/, `$1${2 ** 31 - 1}`);
  const { answer, said } = await called(command, { ACCESS_TOKEN: token });
  expect(answer.operationId, said).toBe(op.id);
  if (answer.error) expect(ANSWERS, said).toContain(answer.error.code);
  else expect(answer.data).toBeTypeOf("object");
  expect(methodOf(op) === "GET").toBe(!command.includes("KEY="));
});

/** Blocks that are run elsewhere: the calls of operations above, the steps for agents in `e2e/walkthrough.full.spec.ts`. */
const ELSEWHERE = new Set([
  ...[...OPERATIONS.values()].map((op) => curlOf(op, BASE)),
  ...walkthrough(BASE).flatMap(({ steps }) => steps.map(({ code }) => code)),
]);
/** Commands of this repository and of assistants, calls of other products' servers, and the files that `e2e/agent-files.spec.ts` moves. */
const NOT_HERE =
  /\b(npm|claude) |https:\/\/(matomo\.|simpleanalytics\.com)|sites\.(export\.download|imports\.upload)\b/;
/** The other blocks, each once. */
const OTHERS = [...new Map(documentedShell(BASE).map((block) => [block.code.trim(), block]))].flatMap(
  ([code, block]) => (ELSEWHERE.has(code) || NOT_HERE.test(code) ? [] : [block]),
);

test.for(OTHERS)("a block of $where runs as pasted", async ({ code }, { onTestFinished }) => {
  const { site, key } = await siteWithKey();
  const audience = code.includes(mcpResource()) ? mcpResource() : managementResource();
  const owned = { sites: [site], personId: site.ownerId };
  const { token } = await makeClient({ scopes: ALL_SCOPES, ...owned, audience, now: new Date() });
  const folder = temporaryDir(onTestFinished);
  // What the block about exports reads.
  const files = ["events.ndjson", `${site.host}-events-2026-11-22-continued.ndjson`];
  for (const file of files) writeFileSync(path.join(folder, file), "{}\n");
  const script = about(code, site.host).replace('"site_id":1,', `"site_id":${site.id},`);
  const ran = await run(`set -e; cd ${folder}; ${script}`, {
    INGEST_KEY: key,
    ACCESS_TOKEN: token,
    FOOTFALL_TOKEN: token,
  });
  expect(ran.status, ran.fault).toBe(0);
  const refusals = [...ran.out.matchAll(/"error":\{"code":"(\w+)"/g)].map(([, refusal]) => `${refusal}`);
  expect(refusals.filter((refusal) => !ANSWERS.includes(refusal))).toEqual([]);
});

test("blocks that are neither calls of operations nor steps for agents are found in files and on pages", () => {
  const places = OTHERS.map(({ where }) => where);
  expect(places).toEqual(expect.arrayContaining(["README.md", "/docs/proxies.md", "/docs/export.md"]));
});

/** A block about another site and server. */
const about = (block: string, host: string) => block.replaceAll(BASE, server.url).replaceAll("example.com", host);

/** The first documented block that has this text, about another site and server. */
function blockWith(markdown: string, part: string, host: string): string {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  const block = blocks.find((code) => code.includes(part)) ?? "";
  return about(block, host);
}

test("the event of the README and of the Events API is stored as pasted, and once", async () => {
  const pages = [readFileSync("README.md", "utf8"), agentTexts(BASE, RATES).get("/docs/events-api.md") ?? ""];
  for (const page of pages) {
    const { host } = await makeSite({ now: new Date() });
    const script = blockWith(page, "/api/event", host);
    expect((await run(script)).out).toContain('"status":"stored"');
    expect((await run(script)).out).toContain('"status":"duplicate"');
  }
});

test("the batch of the Measurement Protocol is stored as pasted", async () => {
  const { site, key } = await siteWithKey();
  const page = agentTexts(BASE, RATES).get("/docs/measurement-protocol.md") ?? "";
  const { out } = await run(blockWith(page, "/api/v1/events", site.host), { INGEST_KEY: key });
  expect(JSON.parse(out).counts).toMatchObject({ stored: 3, invalid: 0, error: 0 });
});
