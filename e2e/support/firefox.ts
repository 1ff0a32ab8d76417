import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

/** A Firefox as people have it, driven by its own remote protocol (Marionette): JSON over TCP, so it needs no driver. */
export interface Firefox {
  version: string;
  open(url: string): Promise<void>;
  /** Runs a script in the page, and answers what it returns. */
  run(script: string): Promise<unknown>;
  /** Clicks as a person does; waits for the page that it leads to. */
  click(selector: string): Promise<void>;
  /** Puts a new tab before the page's for a while, so that the page is hidden. */
  hide(whileHidden: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const FOLDERS = (process.env.PATH ?? "").split(path.delimiter);

/** The Firefox of this machine: FIREFOX, or the first on the path. */
export const FIREFOX =
  process.env.FIREFOX ||
  ["firefox", "firefox-esr"].flatMap((name) => FOLDERS.map((folder) => path.join(folder, name))).find(existsSync);

/** It asks nobody on the network for anything, and knows the sites of a story by name. */
const PREFERENCES = (hosts: readonly string[]) => ({
  "marionette.port": 0,
  "network.dns.localDomains": hosts.join(),
  "network.dns.disableIPv6": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "dom.security.https_first": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "browser.shell.checkDefaultBrowser": false,
  "app.update.disabledForTesting": true,
});

/** Starts a Firefox without windows, with a profile of its own. */
export async function startFirefox(binary: string, hosts: readonly string[]): Promise<Firefox> {
  const profile = mkdtempSync(path.join(os.tmpdir(), "footfall-firefox-"));
  const lines = Object.entries(PREFERENCES(hosts)).map(
    (entry) => `user_pref(${entry.map((one) => JSON.stringify(one))});`,
  );
  writeFileSync(path.join(profile, "user.js"), lines.join("\n"));
  const browser = spawn(binary, ["--headless", "--marionette", "--no-remote", "--profile", profile], {
    stdio: "ignore",
  });
  const port = path.join(profile, "MarionetteActivePort");
  // The file is there once it listens.
  while (!existsSync(port) || readFileSync(port, "utf8") === "") await setTimeout(50);
  const socket = connect(Number(readFileSync(port, "utf8")), "127.0.0.1");
  await once(socket, "connect");
  const call = speak(socket);
  const { capabilities } = (await call("NewSession", {})) as { capabilities: { browserVersion: string } };
  return {
    version: capabilities.browserVersion,
    open: async (url) => void (await call("Navigate", { url })),
    run: async (script) => ((await call("ExecuteScript", { script, args: [] })) as { value: unknown }).value,
    async click(value) {
      const found = (await call("FindElement", { using: "css selector", value })) as { value: Record<string, string> };
      await call("ElementClick", { id: Object.values(found.value)[0] });
    },
    async hide(whileHidden) {
      const shown = (await call("GetWindowHandle", {})) as { value: string };
      const { handle } = (await call("NewWindow", { type: "tab", focus: true })) as { handle: string };
      await call("SwitchToWindow", { handle, focus: true });
      await whileHidden();
      await call("CloseWindow", {});
      await call("SwitchToWindow", { handle: shown.value, focus: true });
    },
    async stop() {
      socket.destroy();
      browser.kill();
      await once(browser, "exit");
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A message is its length, a colon and JSON: `[0, id, command, parameters]`, answered `[1, id, error, result]`. */
function speak(socket: Socket): (command: string, parameters: object) => Promise<unknown> {
  const waiting = new Map<number, Waiting>();
  let heard = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    heard = Buffer.concat([heard, bytes]);
    for (let colon = heard.indexOf(":"); colon > 0; colon = heard.indexOf(":")) {
      const end = colon + 1 + Number(heard.subarray(0, colon).toString());
      if (heard.length < end) return;
      const message = JSON.parse(heard.subarray(colon + 1, end).toString());
      heard = heard.subarray(end);
      // The first message of all is a greeting.
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      if (error) waiting.get(id)?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting.get(id)?.resolve(result);
    }
  });
  let last = 0;
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify([0, ++last, `WebDriver:${command}`, parameters]);
      waiting.set(last, { resolve, reject });
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: Error): void;
}
