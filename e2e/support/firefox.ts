import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

/** An installed Firefox, driven by its remote protocol Marionette (JSON over TCP), so that no driver is needed. */
export interface Firefox {
  version: string;
  open(url: string): Promise<void>;
  /** Runs a script in the page and returns its result. */
  run(script: string): Promise<unknown>;
  /** Clicks an element, and waits for the page that it opens. */
  click(selector: string): Promise<void>;
  /** Opens a new tab in front of the page while `whileHidden` runs, so that the page is hidden. */
  hide(whileHidden: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const FOLDERS = (process.env.PATH ?? "").split(path.delimiter);

/** Path of the Firefox binary: the variable FIREFOX, or the first one in PATH. */
export const FIREFOX =
  process.env.FIREFOX ||
  ["firefox", "firefox-esr"].flatMap((name) => FOLDERS.map((folder) => path.join(folder, name))).find(existsSync);

/** No background network requests; the hosts of the test resolve to this machine. */
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

/** Starts a headless Firefox with its own profile. */
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
  // Firefox writes the file once it listens.
  while (!existsSync(port) || readFileSync(port, "utf8") === "") await setTimeout(50);
  const socket = connect(Number(readFileSync(port, "utf8")), "127.0.0.1");
  await once(socket, "connect");
  const call = connectMarionette(socket);
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

/**
 * Wire format: length, colon, JSON. Requests are `[0, id, command, parameters]`, responses `[1, id, error, result]`.
 */
function connectMarionette(socket: Socket): (command: string, parameters: object) => Promise<unknown> {
  const waiting = new Map<number, Waiting>();
  let buffer = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (let colon = buffer.indexOf(":"); colon > 0; colon = buffer.indexOf(":")) {
      const end = colon + 1 + Number(buffer.subarray(0, colon).toString());
      if (buffer.length < end) return;
      const message = JSON.parse(buffer.subarray(colon + 1, end).toString());
      buffer = buffer.subarray(end);
      // The first message is a greeting.
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
