import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { postTo } from "@/lib/testing/foreign";
import { siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import type { TestSite } from "@/lib/testing/world";

const AT = "2025-03-04T12:00:00.000Z";
const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` });
const timesOf = async (site: TestSite) =>
  (
    await rowsOf<{ at: Date; name: string }[]>`
      SELECT event.ts AS at, name.name FROM facts.event AS event
      JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name WHERE event.site_id = ${site.id} ORDER BY name`
  ).map(({ at, name }) => `${name} ${at.toISOString().slice(11, 19)}`);

test("each call of Segment has its path, and the ingest key as the user of Basic or as writeKey", async () => {
  const { site, key } = await siteWithKey();
  const url = `https://${site.host}/`;
  const calls: [string, object][] = [
    ["track", { event: "Signup", anonymousId: "a" }],
    ["page", { anonymousId: "a", context: { page: { url } } }],
    ["page", { anonymousId: "a", name: "Home" }],
    ["screen", { anonymousId: "a", name: "Home" }],
    ["identify", { userId: "u", anonymousId: "a" }],
    ["alias", { userId: "u", previousId: "a" }],
    ["group", { userId: "u", groupId: "g" }],
  ];
  for (const [call, body] of calls) {
    const inHeader = await postTo(`/v1/${call}`, body, { at: AT, headers: basic(key) });
    const inBody = await postTo(`/v1/${call}`, { ...body, writeKey: key }, { at: AT });
    const status = call === "alias" || call === "group" ? "ignored" : "stored";
    for (const { status: code, body: answered } of [inHeader, inBody])
      expect([code, answered.success, answered.results[0].status], call).toEqual([200, true, status]);
  }
});

test("the time of a Segment call is corrected by the clock of its sender", async () => {
  const { site, key } = await siteWithKey();
  // Their clock is a day ahead: the event was an hour before it was sent.
  const batch = [
    { type: "track", event: "ahead", userId: "u", timestamp: "2025-03-05T11:00:00Z" },
    {
      type: "track",
      event: "own clock",
      userId: "u",
      originalTimestamp: "2025-03-04T10:00:00Z",
      sentAt: "2025-03-04T10:30:00Z",
    },
  ];
  const late = [{ type: "track", event: "without sentAt", userId: "u", timestamp: "2025-03-04T09:00:00Z" }];
  await postTo("/v1/batch", { batch, sentAt: "2025-03-05T12:00:00Z", writeKey: key }, { at: AT });
  await postTo("/v1/batch", { batch: late, writeKey: key }, { at: AT });
  const { body } = await postTo(
    "/v1/track",
    { event: "future", userId: "u", timestamp: "2025-03-06T09:00:00Z", writeKey: key },
    { at: AT },
  );
  expect(body.results[0].warnings).toEqual([{ path: "timestamp", message: expect.stringContaining("in the future") }]);
  expect(await timesOf(site)).toEqual([
    "ahead 11:00:00",
    "future 12:00:00",
    "own clock 11:30:00",
    "without sentAt 09:00:00",
  ]);
});

test("of a Segment batch each call has its result, in the order of the batch, also beyond a hundred", async () => {
  const { key } = await siteWithKey();
  const batch = Array.from({ length: 250 }, (_, index) =>
    index % 100 === 7
      ? { type: "track", messageId: `m${index}` }
      : index % 100 === 8
        ? { type: "group" }
        : { type: "track", event: `e${index}`, messageId: `m${index}` },
  );
  const { status, body } = await postTo("/v1/batch", { batch, writeKey: key }, { at: AT });
  expect([status, body.success, body.counts]).toEqual([
    200,
    true,
    { stored: 244, duplicate: 0, filtered: 0, ignored: 3, invalid: 3, error: 0 },
  ]);
  expect(body.results.map(({ index }: { index: number }) => index)).toEqual(batch.map((_, index) => index));
  expect(body.results[207]).toMatchObject({ messageId: "m207", status: "invalid", pointer: "/batch/207/event" });
  const again = await postTo("/v1/batch", { batch, writeKey: key }, { at: AT });
  expect(again.body.counts).toMatchObject({ stored: 0, duplicate: 244 });
});

test("a hostile Segment call is refused with its own field, and never stored or a server error", async () => {
  const { site, key } = await siteWithKey();
  const ok = { event: "Signup", userId: "u" };
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${"}".repeat(20)}`);
  const hostile: [string, unknown, string | undefined][] = [
    ["track", [], ""],
    ["track", { ...ok, event: {} }, "/event"],
    ["track", { ...ok, event: undefined }, "/event"],
    ["track", { ...ok, userId: {} }, "/userId"],
    ["track", { ...ok, anonymousId: [] }, "/anonymousId"],
    ["track", { ...ok, messageId: {} }, "/messageId"],
    ["track", { ...ok, context: "text" }, "/context"],
    ["track", { ...ok, context: { userAgent: 7 } }, "/context/userAgent"],
    ["track", { ...ok, context: { page: { url: "https://evil.example/" } } }, "/context/page/url"],
    ["page", { userId: "u", properties: { url: "https://evil.example/" } }, "/properties/url"],
    ["page", { userId: "u", context: { page: { url: "https://evil.example/" } } }, "/context/page/url"],
    ["page", { userId: "u", properties: { url: 7 } }, "/properties/url"],
    ["page", { userId: "u", name: 7, context: { page: { path: "/" } } }, "/name"],
    ["track", { ...ok, originalTimestamp: "soon" }, "/originalTimestamp"],
    ["track", { ...ok, properties: "text" }, "/properties"],
    ["track", { ...ok, properties: deep }, "/properties/a/a/a/a/a/a/a"],
    ["track", { ...ok, timestamp: "soon" }, "/timestamp"],
    ["track", { ...ok, timestamp: "2025-03-04T10:00:00Z", sentAt: {} }, "/sentAt"],
    ["track", { ...ok, event: "a\0" }, "/event"],
    ["page", { userId: "u" }, "/context/page"],
    ["screen", { userId: "u" }, "/name"],
  ];
  for (const [call, sent, pointer] of hostile) {
    const { status, body } = await postTo(`/v1/${call}`, sent, { at: AT, headers: basic(key) });
    expect([status, body.success, body.results?.[0].pointer], JSON.stringify(sent)).toEqual([400, false, pointer]);
  }
  for (const batch of [undefined, {}, [], Array.from({ length: 1001 }, () => ({}))]) {
    const { status, body } = await postTo("/v1/batch", { batch }, { at: AT, headers: basic(key) });
    expect([status, body.success, body.error.details.issues[0].path]).toEqual([400, false, "batch"]);
  }
  expect(await timesOf(site)).toEqual([]);
});

test("without the ingest key of a site no Segment call is stored, and the answer has no key", async () => {
  for (const [headers, writeKey] of [
    [{}, undefined],
    [{}, {}],
    [{}, "ffk_wrong"],
    [basic(""), undefined],
    [basic("ffk_".padEnd(47, "x")), undefined],
    [{ authorization: "Basic ####" }, undefined],
  ] as const) {
    const {
      status,
      body,
      headers: answered,
    } = await postTo("/v1/batch", { batch: [{ type: "track", event: "x" }], writeKey }, { at: AT, headers });
    expect([status, body.success]).toEqual([401, false]);
    expect(answered.get("www-authenticate")).toContain("Basic");
    expect(JSON.stringify(body)).not.toContain("ffk_");
  }
});

test("a compressed body of a Segment library is refused with 415 on each path, and says what to send", async () => {
  const { site, key } = await siteWithKey();
  const call = { event: "Signup", userId: "u" };
  const body = gzipSync(JSON.stringify({ batch: [{ type: "track", ...call }] })).toString("latin1");
  for (const path of ["/v1/batch", "/v1/track"])
    for (const coding of ["gzip", "GZIP", "deflate", "br"]) {
      const headers = { ...basic(key), "content-encoding": coding };
      const { status, body: answered } = await postTo(path, body, { at: AT, headers });
      expect([status, answered.success], `${path} ${coding}`).toEqual([415, false]);
      expect(answered.error.message).toContain("without Content-Encoding");
    }
  const plain = { ...basic(key), "content-encoding": "identity" };
  expect((await postTo("/v1/track", call, { at: AT, headers: plain })).status).toBe(200);
  expect(await timesOf(site)).toEqual(["Signup 12:00:00"]);
});

test("calls of one Segment batch count in its order when they have the same time, also beyond a hundred", async () => {
  const { site, key } = await siteWithKey();
  const timestamp = "2025-03-04T11:00:00Z";
  const names = Array.from({ length: 250 }, (_, index) => `e${index}`);
  const batch = names.map((event) => ({ type: "track", event, userId: "u", timestamp }));
  await postTo("/v1/batch", { batch, writeKey: key }, { at: AT });
  const stored = await rowsOf<{ name: string }[]>`
    SELECT name.name FROM facts.event AS event
    JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
    WHERE event.site_id = ${site.id} ORDER BY ts`;
  expect(stored.map(({ name }) => name)).toEqual(names);
});
