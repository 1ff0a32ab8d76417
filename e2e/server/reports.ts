import type { RunningServer } from "@/lib/testing/server";
import { CHROME } from "@/lib/testing/world";

/** Queries the pageviews of a site in the last day. */
export async function readPageviews(server: RunningServer, token: string, siteId: number) {
  const url = `${server.url}/api/v1/management/actions/analytics.overview?site_id=${siteId}&period=24h`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { data, error } = await response.json();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    pageviews: data?.metrics.pageviews,
    error,
  };
}

/** Sends a pageview of one of ten pages, as one of 250 visitors. @returns the status */
export async function sendPageview(server: RunningServer, host: string, n: number): Promise<number> {
  const { status } = await fetch(`${server.url}/api/event`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": CHROME, "x-forwarded-for": `198.51.100.${n % 250}` },
    body: JSON.stringify({ domain: host, name: "pageview", url: `https://${host}/${n % 10}` }),
  });
  return status;
}
