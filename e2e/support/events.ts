import { devices, expect, type Page } from "@playwright/test";
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

/** Sends a pageview of a site over HTTP. */
export const postPageview = (server: Server, { host }: { host: string }, path = "/") =>
  postEvent(server, { host }, { name: "pageview", url: `https://${host}${path}` });

/** Waits until reports have so many pageviews of a site: their copy may be seconds old, and most pages read it once. */
export const untilReported = (page: Page, siteId: number, pageviews: number): Promise<void> =>
  expect
    .poll(async () => (await (await page.request.get(`/sites/${siteId}/data/chart`)).json()).chart?.metrics.pageviews)
    .toBe(pageviews);

/** Returns what is stored of a site in its order: names of events, or paths of pageviews, with their properties. */
export const storedEvents = (server: Server, { siteId }: { siteId: number }) =>
  server.query<{ type: number; name: string | null; path: string; props: object | null }>(
    `SELECT event.type, name.name, page.path, event.props FROM facts.event
     JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
     LEFT JOIN facts.name ON name.site_id = event.site_id AND name.id = event.name
     WHERE event.site_id = $1 ORDER BY event.seq`,
    [siteId],
  );

/** Moves all events of a site some days back, before its first report. */
export async function moveBack(server: Server, { siteId }: { siteId: number }, days: number): Promise<void> {
  await server.query("SELECT facts.add_month((now() - $1 * interval '1 day')::date)", [days]);
  for (const [table, moment] of [
    ["event", "ts"],
    ["visit", "started"],
  ])
    await server.query(`UPDATE facts.${table} SET ${moment} = ${moment} - $2 * interval '1 day' WHERE site_id = $1`, [
      siteId,
      days,
    ]);
}

/** Moves the events of a site into the hour that began last, if that was between them. @returns the site's local hour of them */
export async function moveToOneHour(server: Server, site: { siteId: number; timezone: string }): Promise<number> {
  const [row] = await server.query<{ hour: number }>(
    `WITH event AS (UPDATE facts.event SET ts = greatest(ts, date_trunc('hour', now())) WHERE site_id = $1 RETURNING ts),
       visit AS (UPDATE facts.visit SET started = greatest(started, date_trunc('hour', now())) WHERE site_id = $1)
     SELECT extract(hour FROM max(ts) AT TIME ZONE $2)::int AS hour FROM event`,
    [site.siteId, site.timezone],
  );
  return row?.hour ?? 0;
}
