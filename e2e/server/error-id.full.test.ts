import { expect, onTestFinished, test } from "vitest";
import { embedded } from "@/e2e/server/crashes";
import { startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";

test("an error page has the id under which the server has logged the error", async () => {
  const env = { DATA_DIR: temporaryDir() };
  const server = await startServer(env);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  await embedded(env.DATA_DIR)("ALTER TABLE site_domain RENAME TO gone");
  const page = await (await fetch(`${server.url}/share/shop.example`)).text();
  const [, digest] = /digest\\?":\\?"([^"\\]+)|data-dgst="([^"]+)"/.exec(page)?.filter((group) => group) ?? [];
  expect(digest).toMatch(/^\d+(@\w+)?$/);
  const logged = server.faults().map((line) => JSON.parse(line));
  expect(logged.map((line) => line.digest)).toContain(digest);
});
