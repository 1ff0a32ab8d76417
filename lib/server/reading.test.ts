import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { answerForReading, asksForReading } from "@/lib/server/reading";

const PAGE = `<head><link rel="preload" as="script" href="/a.js"/><link rel="stylesheet" href="/a.css"/>
<script data-kept="" nonce="n">let dark = 1 > 0;</script><script src="/a.js" async=""></script></head>
<p>Über &lt;script&gt;</p><script nonce="n">self.__next_f.push([1,"<p>again</p>"])</script>`;

/** A server that answers in pieces, as Next does. @returns its address */
async function served(type: string, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    if (asksForReading(request)) answerForReading(request, response);
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

test("all other pages, what Next's router asks for, what is no page and what was not found stay as they are", async () => {
  const url = await served("text/html");
  for (const path of ["/login", "/docsy", "/sites/1"]) expect(await (await fetch(url + path)).text(), path).toBe(PAGE);
  expect(await (await fetch(`${url}/docs`, { headers: { rsc: "1" } })).text()).toBe(PAGE);
  for (const others of [await served("text/plain"), await served("text/html", 404)]) {
    expect(await (await fetch(`${others}/docs`)).text()).toBe(PAGE);
  }
});
