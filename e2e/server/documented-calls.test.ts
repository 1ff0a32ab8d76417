import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { curlOf, methodOf } from "@/lib/publish/reference";
import { databaseForTests } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { plainPath } from "@/lib/testing/plain-tools";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makeClient, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** The call on the page of every operation, as it stands there, in a shell with the tools of a plain image. */

databaseForTests();

let server: RunningServer;
let bin: string;
beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: temporaryDir(afterAll),
  });
  bin = plainPath(temporaryDir(afterAll));
});
afterAll(async () => void (await server.end("SIGTERM")));

/** What a call may be answered that names things a new site does not have, and that nobody has approved. */
const ANSWERS = ["approval_required", "not_found", "domain_taken", "role_denied"];

test.each([...OPERATIONS.values()])("the call of $id is understood as pasted", async (op: AnyOperation) => {
  const site = await makeSite({ now: new Date() });
  const scopes = Object.keys(SCOPES) as Scope[];
  const { token } = await makeClient({ scopes, sites: [site], personId: site.ownerId, now: new Date() });
  // The example's site is the one that the reader has.
  const command = curlOf(op, server.url).replace(/("site_id":|site_id=)1\b/, `$1${site.id}`);
  const shell = spawn("sh", ["-c", command], { env: { PATH: bin, ACCESS_TOKEN: token } });
  const [out, fault] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  const answer = JSON.parse(out || `{"none":${JSON.stringify(fault)}}`);
  expect(answer.operationId, out || fault).toBe(op.id);
  if (answer.error) expect(ANSWERS, out).toContain(answer.error.code);
  else expect(answer.data).toBeTypeOf("object");
  expect(methodOf(op) === "GET").toBe(!command.includes("KEY="));
});
