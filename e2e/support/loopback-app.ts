import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base } from "./fixtures";

/** An app on this machine that waits for the answer of the authorization server. */
export interface LoopbackApp {
  port: number;
  /** Where it listens, on a port that it did not register. */
  redirectUri: string;
  /** The parameters of the answers, in order. */
  answers: URLSearchParams[];
  stop(): void;
}

/** What the browser shows when it has brought an answer. */
export const BACK = "Back in the app";

/** Starts an app, which also has a page that opens an address (`/open?url=`) in a window and waits there for its answer. */
async function startLoopbackApp(): Promise<LoopbackApp> {
  const answers: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://app.invalid");
    if (pathname === "/callback") answers.push(searchParams);
    response.setHeader("content-type", "text/html").end(pathname === "/open" ? OPENER : CALLBACK);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    redirectUri: `http://127.0.0.1:${port}/callback`,
    answers,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Tests with an app of their own. */
export const test = base.extend<{ app: LoopbackApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  app: async ({}, use) => {
    const app = await startLoopbackApp();
    await use(app);
    app.stop();
  },
});

const CALLBACK = `<h1>${BACK}</h1><script>opener?.postMessage("answered", location.origin)</script>`;
const OPENER = `<button onclick="window.open(new URLSearchParams(location.search).get('url'))">Connect</button>
  <p></p><script>addEventListener("message", ({ data }) => { document.querySelector("p").textContent = data })</script>`;
