import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { nearestUntrusted } from "@/lib/platform/http/address";
import { addressRanges } from "@/lib/platform/networks";
import { call } from "@/lib/testing/calls";
import { postBody, signedIp, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, post, send, type TestSite } from "@/lib/testing/world";

const NOON = new Date("2025-03-04T12:00:00Z");
const IP = "198.51.100.20";
const secondsAt = (offset: number) => `${NOON.getTime() / 1000 + offset}`;

const bodyOf = (site: TestSite) =>
  JSON.stringify({
    events: [{ type: "page", context: { page: { url: `https://${site.host}/` }, user_agent: CHROME } }],
  });

async function clientIpOf(
  change: (headers: Record<string, string>) => Record<string, string>,
  ip = IP,
  at = secondsAt(0),
) {
  const { site, key } = await siteWithKey();
  const body = bodyOf(site);
  const answer = await postBody(body, { key, at: NOON, headers: change(signedIp(key, body, ip, at)) });
  expect(answer.body.results[0]?.status).toBe("stored");
  return answer.body.client_ip;
}

const visitorIdsOf = async (site: TestSite) =>
  new Set(
    (await rowsOf<{ id: string }[]>`SELECT visitor_id::text AS id FROM facts.event WHERE site_id = ${site.id}`).map(
      ({ id }) => id,
    ),
  );

test("case 22: a signed address is the visitor's, and matches the same visitor in a browser", async () => {
  const { site, key } = await siteWithKey();
  await send(site, "/", { at: NOON, address: IP });
  const body = bodyOf(site);
  const sent = await postBody(body, { key, at: NOON, headers: signedIp(key, body, IP, secondsAt(0)) });
  expect(sent.body.client_ip).toEqual({ accepted: true });
  const mapped = await postBody(body, { key, at: NOON, headers: signedIp(key, body, `::ffff:${IP}`, secondsAt(0)) });
  expect(mapped.body.client_ip).toEqual({ accepted: true });
  expect((await visitorIdsOf(site)).size).toBe(1);
});

test("without the headers the response has no client_ip, and the neutral header names are accepted too", async () => {
  expect(await clientIpOf(() => ({}))).toBeUndefined();
  const neutral = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace("footfall", "service"), value]));
  expect(await clientIpOf(neutral)).toEqual({ accepted: true });
});

test("case 19: an address without both other headers is incomplete and not used", async () => {
  for (const name of ["x-footfall-client-ip", "x-footfall-client-ip-timestamp", "x-footfall-client-ip-signature"]) {
    expect(await clientIpOf(({ [name]: _, ...rest }) => rest), name).toEqual({ accepted: false, reason: "incomplete" });
  }
  const alone = (headers: Record<string, string>) => ({
    "x-footfall-client-ip": headers["x-footfall-client-ip"] ?? "",
  });
  expect(await clientIpOf(alone)).toEqual({ accepted: false, reason: "incomplete" });
});

test("case 20: a wrong, upper-case, short or foreign signature is bad, and so is one of a reformatted body", async () => {
  const name = "x-footfall-client-ip-signature";
  const changed = (change: (signature: string) => string) =>
    clientIpOf((headers) => ({ ...headers, [name]: change(headers[name] ?? "") }));
  const bad = { accepted: false, reason: "bad_signature" };
  expect(await changed((signature) => (signature.startsWith("0") ? "1" : "0") + signature.slice(1))).toEqual(bad);
  expect(await changed((signature) => signature.toUpperCase())).toEqual(bad);
  expect(await changed((signature) => signature.slice(1))).toEqual(bad);
  expect(await changed(() => "")).toEqual(bad);
  expect(await changed(() => "é".repeat(64))).toEqual(bad);
  expect(await clientIpOf((headers) => ({ ...headers, "x-footfall-client-ip": "198.51.100.21" }))).toEqual(bad);
  const { site, key } = await siteWithKey();
  const body = bodyOf(site);
  const rewritten = JSON.stringify(JSON.parse(body), null, 1);
  const answer = await postBody(rewritten, { key, at: NOON, headers: signedIp(key, body, IP, secondsAt(0)) });
  expect(answer.body.client_ip).toEqual(bad);
});

test("case 21: a timestamp 301 seconds old, 61 ahead or in an unknown format is stale; RFC 3339 is accepted", async () => {
  const at = (timestamp: string) => clientIpOf((headers) => headers, IP, timestamp);
  for (const timestamp of [secondsAt(-300), secondsAt(60), "2025-03-04T12:00:00Z", "2025-03-04T13:00:00.5+01:00"]) {
    expect(await at(timestamp), timestamp).toEqual({ accepted: true });
  }
  const stale = { accepted: false, reason: "stale" };
  for (const timestamp of [
    secondsAt(-301),
    secondsAt(61),
    "soon",
    "",
    "-1",
    `${NOON.getTime()}`,
    "Tue, 04 Mar 2025 12:00:00 GMT",
    "2025-03-04",
  ]) {
    expect(await at(timestamp), timestamp).toEqual(stale);
  }
});

test("case 22: a zone, a port, a list, every range that is not public and plain nonsense are not an address", async () => {
  const refused = { accepted: false, reason: "not_an_address" };
  for (const ip of [
    "fe80::1%eth0",
    "2001:4860::1%1",
    `${IP}:80`,
    `${IP}, ${IP}`,
    "10.0.0.1",
    ...["127.0.0.1", "0.0.0.0", "169.254.169.254", "100.64.0.1", "100.127.255.254", "224.0.0.1", "255.255.255.255"],
    ...["::1", "::", "fe80::1", "fd00::1", "fc00::1", "ff02::1", "::ffff:192.168.1.1", "::ffff:100.64.0.1"],
    "0x7f.1",
    "x",
    "",
  ]) {
    expect(await clientIpOf((headers) => headers, ip), ip).toEqual(refused);
  }
  expect(await clientIpOf((headers) => headers, "2a02:2f0a::17")).toEqual({ accepted: true });
});

test("a repeated header is read as one value, with the fitting reason", async () => {
  const twice = (name: string) =>
    clientIpOf((headers) => ({ ...headers, [name]: `${headers[name]}, ${headers[name]}` }));
  expect(await twice("x-footfall-client-ip-timestamp")).toEqual({ accepted: false, reason: "stale" });
  expect(await twice("x-footfall-client-ip-signature")).toEqual({ accepted: false, reason: "bad_signature" });
  expect(await twice("x-footfall-client-ip")).toEqual({ accepted: false, reason: "bad_signature" });
  expect(await clientIpOf((headers) => headers, `${IP}, ${IP}`)).toEqual({ accepted: false, reason: "not_an_address" });
});

const PROXY = "198.51.100.1";

/** Sets the proxies of a site as its owner. @returns the new signing key, if one was created. */
async function setProxies(site: TestSite, more: object = {}): Promise<string> {
  const input = { site_id: site.id, trusted_proxy_ips: [PROXY, "10.0.0.0/8"], require_signature: false, ...more };
  return (await call(site.ownerId, "sites.proxy.update", input, NOON)).signing_key ?? "";
}

async function signedSite(): Promise<{ site: TestSite; key: string }> {
  const site = await makeSite();
  return { site, key: await setProxies(site, { require_signature: true, rotate_signing_key: true }) };
}

interface Forwarding {
  from?: string;
  ip?: string;
  key?: string;
  timestamp?: string;
  signature?: string;
  at?: Date;
}

/** Posts a pageview like a proxy, signed if there is a key. */
async function forward(site: TestSite, { from = PROXY, ip, key, timestamp, signature, at = NOON }: Forwarding = {}) {
  const event = { name: "pageview", url: `https://${site.host}/` };
  const body = JSON.stringify({ domain: site.host, ...event });
  const time = timestamp ?? `${at.getTime() / 1000}`;
  const hash = createHash("sha256").update(body).digest("hex");
  const signed = key && createHmac("sha256", key).update(`${time}\n${ip}\n${hash}`).digest("hex");
  const headers: Record<string, string> = {};
  if (ip !== undefined) headers["x-forwarded-for"] = ip;
  if (signed) Object.assign(headers, { "x-footfall-timestamp": time, "x-footfall-signature": signature ?? signed });
  const response = await post(site, event, { address: from, at, headers });
  const result = await response.json();
  return result.error ? `${response.status} ${result.error.details?.issues[0].path}` : result.status;
}

const visitorCountOf = async (site: TestSite) => {
  const [row] = await rowsOf<{ n: number }[]>`
    SELECT count(DISTINCT visitor_id)::int AS n FROM facts.visit WHERE site_id = ${site.id}`;
  return row?.n;
};

test("the visitor behind a site's proxy is the last entry of X-Forwarded-For that is not a proxy", async () => {
  const site = await makeSite();
  await setProxies(site);
  for (const ip of ["203.0.113.1", "192.0.2.99, 203.0.113.1", "203.0.113.1, 10.1.2.3", " ::ffff:203.0.113.1"]) {
    expect(await forward(site, { ip }), ip).toBe("stored");
  }
  expect(await forward(site, { ip: "203.0.113.1", from: "10.9.9.9" })).toBe("stored");
  expect(await visitorCountOf(site)).toBe(1);
  expect(await forward(site, { ip: "203.0.113.2" })).toBe("stored");
  expect(await visitorCountOf(site)).toBe(2);
});

test("case 19: other addresses and another site's proxies cannot forward a visitor", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  await setProxies(site);
  for (const ip of ["203.0.113.1", "203.0.113.2"]) {
    await forward(site, { ip, from: "192.0.2.1" });
    await forward(other, { ip });
  }
  expect([await visitorCountOf(site), await visitorCountOf(other)]).toEqual([1, 1]);
});

test("a proxy that forwards an invalid address is refused; its own requests are stored without visitor address", async () => {
  const site = await makeSite();
  await setProxies(site);
  for (const ip of ["", " , ", "unknown", "203.0.113.1, unknown", "203.0.113.1:x", "[203.0.113.1", "::1%"]) {
    expect(await forward(site, { ip }), ip).toBe("422 X-Forwarded-For");
  }
  expect(await forward(site)).toBe("stored");
  expect(await forward(site, { ip: "10.0.0.1" })).toBe("stored");
  expect(await visitorCountOf(site)).toBe(1);
});

test.each([
  ["203.0.113.1:443", "203.0.113.1"],
  ["203.0.113.1, ", "203.0.113.1"],
  [", 203.0.113.1,, 10.1.2.3 ,", "203.0.113.1"],
  ["198.51.100.9, 203.0.113.1, 10.1.2.3:8080, ::ffff:10.0.0.9", "203.0.113.1"],
  ["unknown, 203.0.113.1, 10.1.2.3", "203.0.113.1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:DB8:0::1]", "2001:db8::1"],
  ["2001:db8::1, [fd00::7]:1234, 10.0.0.1", "2001:db8::1"],
  ["2001:db8::1, fd00::7%eth0, [fd00::8%3]:80", "2001:db8::1"],
  ["fe80::9%eth0, 10.0.0.1", "fe80::9"],
  ["203.0.113.1, fd00::7, 2001:db8::1", "2001:db8::1"],
])("the visitor in X-Forwarded-For %j is %s", (chain, visitor) => {
  const trusted = addressRanges(["10.0.0.0/8", "fd00::/8"]);
  expect(nearestUntrusted(chain, trusted)?.address).toBe(visitor);
});

test("case 20: if signatures are required, forwarded events are stored only with a valid one", async () => {
  const { site, key } = await signedSite();
  const ip = "203.0.113.1";
  expect(await forward(site, { ip, key })).toBe("stored");
  expect(await forward(site, { ip, key, timestamp: NOON.toISOString() })).toBe("stored");
  expect(await forward(site, { ip: "2001:DB8::1", key })).toBe("stored");
  expect(await forward(site, { ip })).toBe("422 X-Footfall-Timestamp");
  expect(await forward(site, { ip, key: "ffs_another" })).toBe("422 X-Footfall-Signature");
  for (const signature of ["", "00", "F".repeat(64), "0".repeat(64)]) {
    expect(await forward(site, { ip, key, signature }), signature).toBe("422 X-Footfall-Signature");
  }
  expect(await forward(site, { ip: "203.0.113.1", from: "192.0.2.1" })).toBe("stored");
});

test("cases 20 and 21: a signature is valid for five minutes, and for its own body and address only", async () => {
  const { site, key } = await signedSite();
  const ip = "203.0.113.1";
  const second = (offset: number) => `${NOON.getTime() / 1000 + offset}`;
  expect(await forward(site, { ip, key, timestamp: second(-300) })).toBe("stored");
  expect(await forward(site, { ip, key, timestamp: second(60) })).toBe("stored");
  for (const timestamp of [second(-301), second(61), "now", "1e9", `${second(0)}000`]) {
    expect(await forward(site, { ip, key, timestamp }), timestamp).toBe("422 X-Footfall-Timestamp");
  }
  const otherHash = createHash("sha256").update("{}").digest("hex");
  const sign = (address: string, hash: string) =>
    createHmac("sha256", key)
      .update(`${second(0)}\n${address}\n${hash}`)
      .digest("hex");
  expect(await forward(site, { ip, key, signature: sign(ip, otherHash) })).toBe("422 X-Footfall-Signature");
  const body = JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` });
  const hash = createHash("sha256").update(body).digest("hex");
  expect(await forward(site, { ip, key, signature: sign("203.0.113.2", hash) })).toBe("422 X-Footfall-Signature");
  expect(await forward(site, { ip, key, signature: sign(ip, hash) })).toBe("stored");
});

test("after a rotation, the previous signing key is valid for 24 hours", async () => {
  const { site, key: before } = await signedSite();
  const key = await setProxies(site, { require_signature: true, rotate_signing_key: true });
  const ip = "203.0.113.1";
  const hours = (count: number) => new Date(NOON.getTime() + count * 3600_000);
  expect(await forward(site, { ip, key: before, at: hours(23.9) })).toBe("stored");
  expect(await forward(site, { ip, key, at: hours(23.9) })).toBe("stored");
  expect(await forward(site, { ip, key: before, at: hours(24) })).toBe("422 X-Footfall-Signature");
  expect(await forward(site, { ip, key, at: hours(24) })).toBe("stored");
});

test("a new signing key is valid immediately, even if the site was cached", async () => {
  const { site, key: before } = await signedSite();
  const ip = "203.0.113.1";
  expect(await forward(site, { ip, key: before })).toBe("stored");
  const key = await setProxies(site, { require_signature: true, rotate_signing_key: true });
  expect(await forward(site, { ip, key })).toBe("stored");
  const next = await setProxies(site, { require_signature: true, rotate_signing_key: true });
  const answers = await Promise.all([next, key].map((one) => forward(site, { ip, key: one })));
  expect(answers).toEqual(["stored", "stored"]);
});

test("invalid signatures reload a site's keys at most five times at once, then once a second", async () => {
  const { site, key: before } = await signedSite();
  const ip = "203.0.113.1";
  const second = new Date(NOON.getTime() + 1000);
  for (let i = 0; i < 20; i++) {
    expect(await forward(site, { ip, key: "ffs_another" })).toBe("422 X-Footfall-Signature");
  }
  // No reloads are left: a new key has to wait, and the previous one still works.
  const key = await setProxies(site, { require_signature: true, rotate_signing_key: true });
  expect(await forward(site, { ip, key })).toBe("422 X-Footfall-Signature");
  expect(await forward(site, { ip, key: before })).toBe("stored");
  expect(await forward(site, { ip, key, at: second })).toBe("stored");
});

test("refused events of a proxy are counted by the invalid header", async () => {
  const { site } = await signedSite();
  await forward(site, { ip: "203.0.113.1" });
  await forward(site, { ip: "203.0.113.1", key: "ffs_another" });
  await flushIngestStats();
  const counts = await rowsOf`SELECT outcome, reason FROM facts.intake WHERE site_id = ${site.id} ORDER BY 2`;
  expect(counts).toEqual([
    { outcome: "refused", reason: "invalid_input:X-Footfall-Signature" },
    { outcome: "refused", reason: "invalid_input:X-Footfall-Timestamp" },
  ]);
});
