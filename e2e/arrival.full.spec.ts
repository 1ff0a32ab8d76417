import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { postPageview } from "./support/events";
import { expect, test, waitUntilIdle } from "./support/fixtures";
import { noteMoves } from "./support/layout";

/** Pages whose HTML arrives in two parts, as it does on a slow network. */

/** Serves the pages of `target` on a port of its own, and their HTML in two parts: the second after `release`. */
async function inTwoParts(target: URL) {
  let at = 0;
  let release = () => {};
  let released = Promise.resolve();
  const proxy = http.createServer((request, response) => {
    const { url, method } = request;
    const headers = { ...request.headers, host: target.host, "accept-encoding": "identity" };
    const sent = http.request({ host: target.hostname, port: target.port, path: url, method, headers });
    sent.on("response", async (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const isPage = `${answer.headers["content-type"]}`.startsWith("text/html");
      if (!isPage) return answer.pipe(response);
      const html = await text(answer);
      response.write(html.slice(0, at));
      await released;
      response.end(html.slice(at));
    });
    request.pipe(sent);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as { port: number };
  return {
    origin: `http://${target.hostname}:${port}`,
    /** The HTML of the next page is held after this number of characters. */
    holdAt(characters: number) {
      at = characters;
      released = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

for (const path of ["", "/reports/events", "/settings/general"])
  test(`while the HTML of a page${path} of a site arrives in two parts, nothing that is shown moves`, async ({
    fresh,
    siteOwner: owned,
    server,
  }) => {
    await postPageview(server, owned);
    const storageState = await owned.page.context().storageState();
    const address = `/sites/${owned.siteId}${path}`;
    const html = await (await owned.page.request.get(address)).text();
    const first = html.indexOf("<h1");
    expect(first).toBeGreaterThan(0);
    const proxy = await inTwoParts(new URL(server.url));
    const page = await fresh({ storageState });
    const readMoves = await noteMoves(page);
    try {
      for (let at = first; at < first + 12_000; at += 600) {
        proxy.holdAt(at);
        await page.goto(proxy.origin + address, { waitUntil: "commit" });
        await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
        proxy.release();
        await page.waitForLoadState();
        await waitUntilIdle(page);
        expect(await readMoves(), `held at ${html.slice(at - 100, at)}`).toEqual([]);
      }
    } finally {
      proxy.close();
    }
  });
