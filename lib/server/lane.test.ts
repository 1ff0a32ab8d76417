import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fastLane } from "@/lib/server/lane";
import { call } from "@/lib/testing/calls";
import { keyOf } from "@/lib/testing/measuring";
import { makeSite } from "@/lib/testing/world";

test("batches that one connection pipelines are stored in the order in which they were sent", async () => {
  const site = await makeSite();
  const { key } = await keyOf(site);
  const lane = fastLane(() => "198.51.100.1");
  const server = createServer((request, response) => void lane(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const paths = ["/z", "/m", "/x", "/a", "/y", "/b"];
    const requests = paths.map((path, index) => {
      const context = { page: { url: `https://${site.host}${path}` }, session_id: "s-1" };
      // Every second one has an id that is looked up first.
      const id = index % 2 === 0 ? { event_id: `pipelined-event-${index}` } : {};
      const body = JSON.stringify({ events: [{ type: "page", ...id, context }] });
      const last = index === paths.length - 1 ? "Connection: close\r\n" : "";
      const head = `POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${last}`;
      return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    });
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(requests.join(""));
    const answers = await text(socket);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(paths.length);
    expect(answers.match(/"status":"stored"/g)).toHaveLength(paths.length);
    const today = { site_id: site.id, period: "24h" };
    const { journeys } = await call(site.ownerId, "analytics.journeys", today, new Date(Date.now() + 1000));
    expect(journeys[0].paths).toHaveLength(1);
    expect(journeys[0].paths[0].steps.map(({ value }: { value: string }) => value)).toEqual(paths);
  } finally {
    server.close();
  }
});
