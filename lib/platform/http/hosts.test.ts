import { expect, test } from "vitest";
import { hostGuard } from "@/lib/platform/http/hosts";

const guard = hostGuard({ BASE_URL: "https://stats.example.com:8443", ALLOWED_HOSTS: ["stats.internal", "192.0.2.7"] });
const isAnswered = (host: string | undefined, url = "/login") => guard({ url, headers: { host } }) === null;

test("pages and APIs answer under the host of BASE_URL, loopback names and ALLOWED_HOSTS, with any port", () => {
  const hosts = ["stats.example.com", "STATS.example.com:443", "stats.internal:3000", "192.0.2.7"];
  for (const host of [...hosts, "localhost:3000", "127.0.0.1", "127.8.9.1:80", "[::1]:3000"]) {
    expect(isAnswered(host), host).toBe(true);
  }
});

test("pages and APIs refuse other hosts, malformed hosts and a missing Host", () => {
  const names = ["evil.example", "stats.example.com.evil.example", "evil.stats.example.com", "localhost.evil.example"];
  const addresses = ["192.0.2.8", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "128.0.0.1", "127.0.0.1.nip.io"];
  const malformed = [
    "",
    "a b",
    "localhost@evil.example",
    "evil.example/localhost",
    "localhost:x",
    "[::1",
    "localhost:1:2",
  ];
  for (const host of [...names, ...addresses, ...malformed, undefined]) {
    expect(isAnswered(host), `${host}`).toBe(false);
    for (const url of ["/", "/api/nosuch", "/oauth/token", "/api/v1/management/actions/sites.list", "/api/events"]) {
      expect(isAnswered(host, url), `${host} ${url}`).toBe(false);
    }
  }
});

test("events, the tracker and health answer under any host", () => {
  const urls = [
    "/api/event",
    "/api/event/",
    "/api/v1/events",
    "/api/health?a",
    "/script.js",
    "/script.full.js",
    "/footfall.mjs",
  ];
  for (const url of urls) expect(isAnswered("numbers.shop.example", url), url).toBe(true);
});

test("X-Forwarded-Host is ignored", () => {
  expect(guard({ url: "/", headers: { host: "evil.example", "x-forwarded-host": "localhost" } })?.status).toBe(421);
});
