import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { RATES } from "@/lib/platform/limits";
import { agentTexts } from "@/lib/publish/llms/pages";
import { curlOf, methodOf } from "@/lib/publish/reference";
import { databaseForTests } from "@/lib/testing/database";
import { siteWithKey } from "@/lib/testing/measuring";
import { openedUrl } from "@/lib/testing/opened-url";
import { plainPath } from "@/lib/testing/plain-tools";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { sampled } from "@/lib/testing/tier";
import { makeClient, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** The call on the page of every operation, as it stands there, in a shell with the tools of a plain image. */

databaseForTests();

let server: RunningServer;
let bin: string;
beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    // The base URL for which tests issue tokens.
    BASE_URL: "http://localhost:3000",
    DATA_DIR: temporaryDir(afterAll),
  });
  bin = plainPath(temporaryDir(afterAll));
});
afterAll(async () => void (await server.end("SIGTERM")));

/** Runs a script in a shell that finds the plain tools only. */
async function run(script: string, variables: Record<string, string> = {}): Promise<{ out: string; fault: string }> {
  const env = { NODE_ENV: process.env.NODE_ENV, PATH: bin, ...variables };
  const shell = spawn("/bin/sh", ["-c", script], { env });
  const [out, fault] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  return { out, fault };
}

/** What a call may be answered that names things a new site does not have, and that nobody has approved. */
const ANSWERS = ["approval_required", "not_found", "domain_taken", "role_denied"];

test.each(sampled([...OPERATIONS.values()], 8))("the call of $id is understood as pasted", async (op: AnyOperation) => {
  const site = await makeSite({ now: new Date() });
  const scopes = Object.keys(SCOPES) as Scope[];
  const { token } = await makeClient({ scopes, sites: [site], personId: site.ownerId, now: new Date() });
  // The example's site is the one that the reader has.
  const command = curlOf(op, server.url).replace(/("site_id":|site_id=)1\b/, `$1${site.id}`);
  const { out, fault } = await run(command, { ACCESS_TOKEN: token });
  const answer = JSON.parse(out || `{"none":${JSON.stringify(fault)}}`);
  expect(answer.operationId, out || fault).toBe(op.id);
  if (answer.error) expect(ANSWERS, out).toContain(answer.error.code);
  else expect(answer.data).toBeTypeOf("object");
  expect(methodOf(op) === "GET").toBe(!command.includes("KEY="));
});

/** The first documented block that has this text, about another site and server. */
function blockWith(markdown: string, part: string, host: string): string {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  const block = blocks.find((code) => code.includes(part)) ?? "";
  return block.replaceAll("http://localhost:3000", server.url).replaceAll("example.com", host);
}

test("the event of the README and of the Events API is stored as pasted, and once", async () => {
  const pages = [readFileSync("README.md", "utf8"), agentTexts(server.url, RATES).get("/docs/events-api.md") ?? ""];
  for (const page of pages) {
    const { host } = await makeSite({ now: new Date() });
    const script = blockWith(page, "/api/event", host);
    expect((await run(script)).out).toContain('"status":"stored"');
    expect((await run(script)).out).toContain('"status":"duplicate"');
  }
});

test("the batch of the Measurement Protocol is stored as pasted", async () => {
  const { site, key } = await siteWithKey();
  const page = agentTexts(server.url, RATES).get("/docs/measurement-protocol.md") ?? "";
  const { out } = await run(blockWith(page, "/api/v1/events", site.host), { INGEST_KEY: key });
  expect(JSON.parse(out).counts).toMatchObject({ stored: 3, invalid: 0, error: 0 });
});
