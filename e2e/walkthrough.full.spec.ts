import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { walkthrough } from "@/lib/publish/walkthrough";
import { plainPath } from "@/lib/testing/plain-tools";
import { expect, test } from "./support/fixtures";
import { allow } from "./support/http-agent";

/**
 * Runs the shell blocks of docs and pages for agents as they are, with the tools of a plain image, shorter waits and
 * another domain.
 */

/** A shell in a new folder that runs blocks one after the other. */
function openShell(baseUrl: string, domain = "example.com") {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-walk-"));
  const env = { ...process.env, PATH: plainPath(folder) };
  const shell = spawn("/bin/sh", { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
  const blocks = new Map(walkthrough(baseUrl).flatMap(({ steps }) => steps.map(({ id, code }) => [id, code])));
  shell.stdin.write("sleep() { command sleep 0.2; }\n");
  let printed = "";
  let runs = 0;
  shell.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  return {
    /** Runs a block and waits until it has finished. */
    async run(id: string): Promise<void> {
      const mark = `-- block ${++runs} has run --`;
      shell.stdin.write(`${blocks.get(id)?.replaceAll("example.com", domain)}\necho '${mark}'\n`);
      await expect.poll(() => printed.includes(mark), { message: id }).toBe(true);
    },
    printed: () => printed,
    file: (name: string) => JSON.parse(readFileSync(path.join(folder, name), "utf8")),
    close() {
      shell.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Shell = ReturnType<typeof openShell>;

/** Runs the blocks of a device authorization, which the person on the page allows. */
async function delegate(shell: Shell, page: Page): Promise<void> {
  await shell.run("bootstrap");
  const polled = shell.run("poll");
  await allow(page, shell.file("device.json").user_code);
  await polled;
}

/** Approves the request of a response on its page, while a block waits for the decision. */
async function approve(shell: Shell, page: Page, { response, retry }: { response: string; retry: string }) {
  const { approval } = shell.file(response).error.details;
  const retried = shell.run(retry);
  await page.goto(approval.approval_url);
  await expect(page.getByText(approval.binding_code)).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await retried;
}

test("the blocks to register by DNS, get a token, call and recover work as pasted, and lead to a person for an approval", async ({
  server,
  dns,
}) => {
  const shell = openShell(server.url, "walk.example");
  try {
    await shell.run("challenge");
    const { dns_name, value } = shell.file("challenge.json").data;
    dns.set(dns_name, { TXT: [value] });
    await shell.run("activate");
    const { client_id } = shell.file("client.json").data;
    await shell.run("token");
    await shell.run("call");
    expect(shell.file("sites.json").data.sites).toMatchObject([{ domain: "walk.example", public: false }]);

    await shell.run("ask");
    const { interactive_url } = shell.file("answer.json").error.details;
    expect(shell.printed()).toContain(`Please open ${interactive_url}, then`);

    await shell.run("recover");
    dns.set(dns_name, { TXT: [shell.file("challenge.json").data.value] });
    await shell.run("replace");
    expect(shell.file("client.json").data).toMatchObject({ client_id: expect.not.stringContaining(client_id) });
    await shell.run("call");
    expect(shell.file("sites.json").error.code).toBe("invalid_token");
    await shell.run("token");
    await shell.run("call");
    expect(shell.file("sites.json").data.total).toBe(1);
  } finally {
    shell.close();
  }
});

test("the blocks to delegate by device code, call, request approval and retry work as pasted", async ({
  siteOwner: { page, siteId },
  server,
}) => {
  const shell = openShell(server.url);
  try {
    await delegate(shell, page);
    await shell.run("refresh");
    await shell.run("call");
    await shell.run("ask");
    await approve(shell, page, { response: "answer.json", retry: "retry" });
    expect(shell.file("answer.json").data).toMatchObject({ site_id: siteId, name: "Our shop", public: true });
  } finally {
    shell.close();
  }
});

test("the blocks to define a goal, a funnel and an annotation, create a key, send events and read the funnel work as pasted", async ({
  siteOwner: { page, siteId },
  server,
}) => {
  const shell = openShell(server.url);
  try {
    await delegate(shell, page);
    await shell.run("call");
    await shell.run("define");
    expect(shell.file("goal.json").data).toMatchObject({ name: "Signup" });
    expect(shell.file("annotation.json").data).toMatchObject({ kind: "deploy" });
    await shell.run("key");
    await approve(shell, page, { response: "key.json", retry: "key-retry" });
    await shell.run("send");
    expect(shell.file("sent.json").results).toMatchObject([{ status: "stored" }, { status: "stored" }]);
    await expect
      .poll(async () => {
        await shell.run("read");
        return shell.file("report.json").data?.funnels[0]?.steps.map(({ visitors }: { visitors: number }) => visitors);
      })
      .toEqual([1, 1]);
    await page.goto(`/sites/${siteId}`);
    await expect(page.getByText("Version 2.0 is live")).toBeVisible();
  } finally {
    shell.close();
  }
});
