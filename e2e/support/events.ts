import { devices, expect } from "@playwright/test";
import type { Server } from "./server";

/** Sends an event of a site over HTTP, without a page. @returns the response's body */
export async function postEvent(
  server: Server,
  { host }: { host: string },
  event: object,
  userAgent = devices["Desktop Chrome"].userAgent,
): Promise<{ status: string }> {
  const response = await fetch(`${server.url}/api/event`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent },
    body: JSON.stringify({ domain: host, ...event }),
  });
  expect(response.status).toBe(202);
  return response.json();
}
