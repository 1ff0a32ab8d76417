import { expect, test } from "vitest";
import { type Client, METRICS_TOKEN } from "@/e2e/contract/client";

/** `/metrics` with a configured token. */
export function metrics(client: () => Client): void {
  const read = (headers: Record<string, string> = {}) => client().call("/metrics", { headers });

  test("metrics without the token or with another one are 401", async () => {
    for (const headers of [undefined, { authorization: "Bearer wrong" }, { authorization: METRICS_TOKEN }]) {
      const answer = await read(headers);
      expect([answer.status, answer.headers.get("www-authenticate"), answer.text]).toEqual([401, "Bearer", ""]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("metrics with the token count the requests by route", async () => {
    await client().call("/openapi.json");
    const { status, headers, text } = await read({ authorization: `Bearer ${METRICS_TOKEN}` });
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/^footfall_http_requests_total\{.*route="\/openapi\.json".*\} [1-9]/m);
  });
}
