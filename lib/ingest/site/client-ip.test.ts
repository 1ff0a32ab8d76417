import { expect, test } from "vitest";
import { postBody, signedIp, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-04T12:00:00Z");
const IP = "198.51.100.20";
const secondsAt = (offset: number) => `${NOW.getTime() / 1000 + offset}`;

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
  const answer = await postBody(body, { key, at: NOW, headers: change(signedIp(key, body, ip, at)) });
  expect(answer.body.results[0]?.status).toBe("stored");
  return answer.body.client_ip;
}

const visitorsOf = async (site: TestSite) =>
  new Set(
    (await rowsOf<{ id: string }[]>`SELECT visitor_id::text AS id FROM facts.event WHERE site_id = ${site.id}`).map(
      ({ id }) => id,
    ),
  );

test("case 22: a signed address is the visitor's, and matches the same visitor in a browser", async () => {
  const { site, key } = await siteWithKey();
  await send(site, "/", { at: NOW, address: IP });
  const body = bodyOf(site);
  const sent = await postBody(body, { key, at: NOW, headers: signedIp(key, body, IP, secondsAt(0)) });
  expect(sent.body.client_ip).toEqual({ accepted: true });
  const mapped = await postBody(body, { key, at: NOW, headers: signedIp(key, body, `::ffff:${IP}`, secondsAt(0)) });
  expect(mapped.body.client_ip).toEqual({ accepted: true });
  expect((await visitorsOf(site)).size).toBe(1);
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
  const answer = await postBody(rewritten, { key, at: NOW, headers: signedIp(key, body, IP, secondsAt(0)) });
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
    `${NOW.getTime()}`,
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
