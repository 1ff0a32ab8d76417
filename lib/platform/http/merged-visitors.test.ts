import { expect, test } from "vitest";
import { AddressWatch } from "@/lib/platform/http/merged-visitors";

/** Whether many visitors count as few, by what the headers of events say. */

const NOW = new Date("2026-11-20T12:00:00Z");
const later = (hours: number) => new Date(NOW.getTime() + hours * 3600_000);
const none = () => false;

type Event = [address: string, headers?: Record<string, string>];
const visitors = (count: number, event: (visitor: string) => Event): Event[] =>
  Array.from({ length: count }, (_, index) => event(`198.51.100.${index}`));

function watchOf(events: Event[]) {
  const watch = new AddressWatch();
  for (const [address, headers = {}] of events) watch.see(address, headers, NOW);
  return watch;
}
const merged = (events: Event[]) => watchOf(events).merged(none, NOW);

test.each([
  ["X-Forwarded-For", (visitor: string) => visitor],
  ["Forwarded", (visitor: string) => `for="${visitor}:4711";proto=https, for=192.0.2.1`],
  ["CF-Connecting-IP", (visitor: string) => visitor],
  ["X-Real-IP", (visitor: string) => visitor],
])("visitors behind a proxy that is not trusted are noticed, with its %s header", (header, value) => {
  const events = visitors(3, (visitor) => ["172.17.0.1", { [header.toLowerCase()]: value(visitor) }]);
  expect(merged(events)).toEqual({ addresses: ["172.17.0.1"], header });
});

test("visitors that come through a CDN, whose addresses a trusted proxy forwards, are noticed", () => {
  const cdn = ["172.71.0.1", "172.71.0.2"];
  const events = visitors(20, (visitor) => [
    cdn[Number(visitor.split(".")[3]) % 2] as string,
    { "x-forwarded-for": `${visitor}, ${cdn[0]}`, "cf-connecting-ip": visitor },
  ]);
  expect(merged(events)).toEqual({ addresses: cdn, header: "X-Forwarded-For" });
});

test("visitors with addresses of their own are not merged", () => {
  expect(merged(visitors(20, (visitor) => [visitor]))).toBeNull();
  expect(merged(visitors(20, (visitor) => [visitor, { "x-forwarded-for": visitor }]))).toBeNull();
  // An office's proxy names its computers, and a visitor may write any header.
  const office = visitors(20, (visitor) => ["203.0.113.1", { "x-forwarded-for": `10.0.0.${visitor.split(".")[3]}` }]);
  expect(merged(office)).toBeNull();
  const liar = visitors(10, (visitor) => ["203.0.113.1", { "x-forwarded-for": visitor }]);
  expect(merged([...liar, ...visitors(20, (visitor) => [visitor])])).toBeNull();
  const texts = ["", "unknown", "a,b", "999.1.1.1", ",,", "for="];
  expect(merged(texts.map((text) => ["127.0.0.1", { "x-forwarded-for": text, forwarded: text }]))).toBeNull();
});

test("the proxies of a site are no visitors, and one computer behind a proxy is not many", () => {
  const events = visitors(5, (visitor) => ["203.0.113.1", { "x-forwarded-for": visitor }]);
  expect(watchOf(events).merged((address) => address === "203.0.113.1", NOW)).toBeNull();
  expect(merged([...events, ...events])).not.toBeNull();
  expect(merged(Array.from({ length: 9 }, () => ["127.0.0.1", { "x-forwarded-for": "198.51.100.1" }]))).toBeNull();
});

test("a notice lasts while visitors merge, and at most two hours", () => {
  const events = visitors(20, (visitor) => ["127.0.0.1", { "x-forwarded-for": visitor }]);
  const watch = watchOf(events);
  expect(watch.merged(none, later(1.9))).not.toBeNull();
  expect(watch.merged(none, later(2))).toBeNull();
  watch.see("198.51.100.1", {}, later(1));
  expect(watch.merged(none, later(1))).not.toBeNull();
  for (const [address] of visitors(20, (visitor) => [visitor])) watch.see(address, {}, later(1));
  expect(watch.merged(none, later(1))).toBeNull();
});
