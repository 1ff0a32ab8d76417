import { expect, test } from "vitest";
import { DELETE, GET, POST } from "@/app/mcp/route";

const call = (host: string, method = "POST") =>
  new Request("http://localhost:3000/mcp", { method, headers: { host, "content-type": "application/json" } });

test("a name that was rebound to this server is not served, whatever the method", async () => {
  for (const [route, method] of [
    [POST, "POST"],
    [GET, "GET"],
    [DELETE, "DELETE"],
  ] as const) {
    expect((await route(call("evil.example", method), undefined)).status).toBe(421);
  }
  expect((await POST(call("localhost:3000"), undefined)).status).toBe(401);
  expect((await GET(call("localhost:3000", "GET"), undefined)).status).toBe(405);
});
