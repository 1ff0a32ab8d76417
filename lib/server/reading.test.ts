import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as concurrent, expect, onTestFinished } from "vitest";
import { answerForReading, asksForReading, sendRouterToPage } from "@/lib/server/reading";

/** One after the other: each ends its own server. */
const test = concurrent.sequential;

const PAGE = `<head><link rel="preload" as="script" href="/a.js"/><link rel="stylesheet" href="/a.css"/>
<script data-kept="" nonce="n">let dark = 1 > 0;</script><script src="/a.js" async=""></script></head>
<p>Über &lt;script&gt;</p><script nonce="n">self.__next_f.push([1,"<p>again</p>"])</script>`;

/** A server that answers in pieces, as Next does. @returns its address */
async function served(type: string, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    if (asksForReading(request)) {
      if (sendRouterToPage(request, response)) return;
      answerForReading(request, response);
    }
    response.setHeader("content-type", type);
    response.writeHead(status);
    response.flushHeaders();
    const bytes = Buffer.from(PAGE);
    response.write(bytes.subarray(0, 230));
    response.write(bytes.subarray(230), () => response.end());
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a page that is only read is sent whole, compressed, and with no scripts but those that are kept", async () => {
  const url = await served("text/html; charset=utf-8");
  for (const path of ["/", "/docs", "/docs/api?q=interval"]) {
    const answer = await fetch(url + path, { headers: { "accept-encoding": "gzip" } });
    expect(answer.headers.get("content-encoding"), path).toBe("gzip");
    const html = await answer.text();
    expect(html.match(/<script.*?<\/script>/g), path).toEqual([
      `<script data-kept="" nonce="n">let dark = 1 > 0;</script>`,
    ]);
    expect(html, path).toContain(`<link rel="stylesheet" href="/a.css"/>`);
    expect(html, path).toContain("<p>Über &lt;script&gt;</p>");
    expect(html, path).not.toContain("/a.js");
  }
});

test("Next's router, on its way to such a page or fetching it beforehand, is answered by nothing that it could draw", async () => {
  const url = await served("text/x-component");
  const beforehand = { "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" };
  for (const headers of [{ rsc: "1" }, { rsc: "1", ...beforehand }]) {
    const answer = await fetch(`${url}/docs/api?_rsc=1`, { headers });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([200, "text/html", ""]);
  }
  expect(await (await fetch(`${url}/sites/1`, { headers: { rsc: "1" } })).text()).toBe(PAGE);
});

test("all other pages, what is no page and what was not found stay as they are", async () => {
  const url = await served("text/html");
  for (const path of ["/login", "/docsy", "/sites/1"]) expect(await (await fetch(url + path)).text(), path).toBe(PAGE);
  for (const others of [await served("text/plain"), await served("text/html", 404)]) {
    expect(await (await fetch(`${others}/docs`)).text()).toBe(PAGE);
  }
});
