import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { expect } from "vitest";
import { reports } from "@/lib/platform/db";
import { call } from "@/lib/testing/calls";
import type { RunningServer } from "@/lib/testing/server";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

/** Visitors who come to the built server through a proxy, for tests of what the docs tell to put there. */

/** Visitors of two networks, as far as one machine has them. */
export const ALICE = "127.0.1.9";
export const BOB = "127.0.2.9";
export const FORGED = "203.0.113.66";

/** A site of its own that believes a proxy on this machine. @returns its signing key too, if one was made. */
export async function proxiedSite(more: object = {}): Promise<{ site: TestSite; key: string }> {
  const site = await makeSite();
  const input = { site_id: site.id, trusted_proxy_ips: ["127.0.0.1"], require_signature: false, ...more };
  const { signing_key } = await call(site.ownerId, "sites.proxy.update", input, new Date());
  return { site, key: signing_key ?? "" };
}

/** A page view as a browser sends it. */
export const view = (site: TestSite) =>
  JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` });

/** Posts as a browser at that address does. */
export async function postFrom(
  localAddress: string,
  url: string,
  site: TestSite,
  headers: Record<string, string> = {},
) {
  const sent = { "content-type": "text/plain", "user-agent": CHROME, "accept-language": "en", ...headers };
  const request = http.request(url, { method: "POST", localAddress, headers: sent });
  request.end(view(site));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response.statusCode;
}

/** How many pages each of the visitors of a site saw, in ascending order. */
export const visitorsOf = async (site: TestSite) => {
  const rows = await reports().$queryRaw<{ pageviews: number }[]>`
    SELECT sum(pageviews)::int AS pageviews FROM facts.visit WHERE site_id = ${site.id} GROUP BY visitor_id`;
  return rows.map(({ pageviews }) => pageviews).sort();
};

/** Alice comes straight, through the proxy, and through it with a lie; Bob through the proxy. */
export async function visitThrough(proxy: string, site: TestSite, server: RunningServer): Promise<void> {
  expect(await postFrom(ALICE, `${server.url}/api/event`, site)).toBe(202);
  expect(await postFrom(ALICE, `${proxy}/numbers/api/event`, site)).toBe(202);
  expect(await postFrom(ALICE, `${proxy}/numbers/api/event`, site, { "x-forwarded-for": FORGED })).toBe(202);
  expect(await postFrom(BOB, `${proxy}/numbers/api/event`, site, { "x-forwarded-for": ALICE })).toBe(202);
  expect(await visitorsOf(site)).toEqual([1, 3]);
  const script = await fetch(`${proxy}/numbers/script.js`);
  expect([script.status, await script.text()]).toEqual([200, await (await fetch(`${server.url}/script.js`)).text()]);
  expect((await fetch(`${proxy}/numbers/api/v1/events`)).status).toBe(404);
}
