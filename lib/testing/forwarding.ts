import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { expect } from "vitest";
import { call } from "@/lib/testing/calls";
import { rowsOf } from "@/lib/testing/rows";
import type { RunningServer } from "@/lib/testing/server";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

/** Sends events to the built server through a proxy, to test the proxy configurations of the docs. */

/** Visitors in two loopback networks. */
export const ALICE = "127.0.1.9";
export const BOB = "127.0.2.9";
export const FORGED = "203.0.113.66";

/** Creates a site that trusts a proxy on this machine. @returns the site and its signing key, if any. */
export async function proxiedSite(more: object = {}): Promise<{ site: TestSite; key: string }> {
  const site = await makeSite();
  const input = { site_id: site.id, trusted_proxy_ips: ["127.0.0.1"], require_signature: false, ...more };
  const { signing_key } = await call(site.ownerId, "sites.proxy.update", input, new Date());
  return { site, key: signing_key ?? "" };
}

/** Returns the body of a pageview. */
export const view = (site: TestSite) =>
  JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` });

/** Posts a pageview like a browser with this address. @returns the status. */
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

/** Returns the number of pageviews of each visitor of a site, ascending. */
export const visitorsOf = async (site: TestSite) => {
  const rows = await rowsOf<{ pageviews: number }[]>`
    SELECT sum(pageviews)::int AS pageviews FROM facts.visit WHERE site_id = ${site.id} GROUP BY visitor_id`;
  return rows.map(({ pageviews }) => pageviews).sort();
};

/** Sends pageviews of Alice directly, through the proxy and with a forged header, and of Bob through the proxy. */
export async function visitThrough(proxy: string, site: TestSite, server: RunningServer): Promise<void> {
  expect(await postFrom(ALICE, `${server.url}/api/event`, site)).toBe(202);
  expect(await postFrom(ALICE, `${proxy}/numbers/in`, site)).toBe(202);
  expect(await postFrom(ALICE, `${proxy}/numbers/in`, site, { "x-forwarded-for": FORGED })).toBe(202);
  expect(await postFrom(BOB, `${proxy}/numbers/in`, site, { "x-forwarded-for": ALICE })).toBe(202);
  expect(await visitorsOf(site)).toEqual([1, 3]);
  const script = await fetch(`${proxy}/numbers/read.js`);
  expect([script.status, await script.text()]).toEqual([200, await (await fetch(`${server.url}/script.js`)).text()]);
  expect((await fetch(`${proxy}/numbers/api/v1/events`)).status).toBe(404);
}
