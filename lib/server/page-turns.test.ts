import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { expect, type TestContext, test } from "vitest";
import { PageTurns } from "@/lib/server/page-turns";

const MAX = 3;

/** A server with at most three pages in the making. `made` has the responses whose turn has come. */
async function pageServer({ onTestFinished }: TestContext) {
  const turns = new PageTurns(MAX);
  const made: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const admitted = turns.admit(request, response, () => {
      made.push(response);
      server.emit("made");
    });
    if (!admitted) response.writeHead(503).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const ask = (head = "GET / HTTP/1.1", ...headers: string[]) => {
    const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`${[head, "Host: a", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`);
    return {
      socket,
      answer: text(socket).then(
        (all) => Number(all.split(" ")[1]),
        () => null,
      ),
    };
  };
  const making = async (count: number) => {
    while (made.length < count) await once(server, "made");
  };
  return { made, ask, making };
}

test("no page is started beyond the limit", async (context) => {
  const { made, ask, making } = await pageServer(context);
  const asked = Array.from({ length: MAX }, () => ask());
  await making(MAX);
  expect(await ask().answer).toBe(503);
  made[0]?.end();
  await Promise.race(asked.map(({ answer }) => answer));
  const next = ask();
  await making(MAX + 1);
  for (const response of made) response.end();
  expect(await Promise.all([...asked, next].map(({ answer }) => answer))).toEqual(Array(MAX + 1).fill(200));
});

test("of three pages that are asked for in one turn of the event loop, one is started in each of the next", async () => {
  const turns = new PageTurns(MAX);
  const started: number[] = [];
  for (const page of [1, 2, 3]) {
    const request = new IncomingMessage(new net.Socket());
    turns.admit(request, new ServerResponse(request), () => started.push(page));
  }
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await turn();
    expect(started).toEqual(expected);
  }
});

test("a page that is being sent to a slow reader, or streams for hours, takes no place", async (context) => {
  const { made, ask, making } = await pageServer(context);
  for (let n = 1; n <= 3 * MAX; n++) {
    ask();
    await making(n);
    made[n - 1]?.write("streams");
  }
});

test("a page whose body does not arrive makes room, the oldest first; one whose body has arrived does not", async (context) => {
  const { made, ask, making } = await pageServer(context);
  const slow = ["Content-Length: 9"];
  const unfinished = [ask("POST /a HTTP/1.1", ...slow)];
  await making(1);
  unfinished.push(ask("POST /b HTTP/1.1", ...slow));
  await making(2);
  const whole = ask();
  await making(3);
  const [first, second] = unfinished.map(({ answer }) => answer);
  const more = [ask()];
  expect(await first).toBeNaN();
  more.push(ask());
  expect(await second).toBeNaN();
  await making(5);
  expect(await ask().answer).toBe(503);
  for (const response of made) response.end();
  expect(await Promise.all([whole, ...more].map(({ answer }) => answer))).toEqual([200, 200, 200]);
});

test("a page is not made for a client that left before its turn", async (context) => {
  const turns = new PageTurns(MAX);
  const { made, ask, making } = await pageServer(context);
  ask();
  await making(1);
  let isMade = false;
  const gone = made[0] as ServerResponse;
  turns.admit(gone.req, gone, () => {
    isMade = true;
  });
  gone.destroy();
  await turn();
  await turn();
  expect(isMade).toBe(false);
});
