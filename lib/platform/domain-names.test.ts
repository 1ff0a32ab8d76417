import { expect, test } from "vitest";
import { belongsTo, normalDomain, normalSiteDomain } from "@/lib/platform/domain-names";
import type { Refusal } from "@/lib/platform/errors";

test.each([
  ["example.com", "example.com"],
  ["  WWW.Example.COM. ", "example.com"],
  ["https://example.com/path?x#y", "example.com"],
  ["http://example.com:8080", "example.com"],
  ["blog.example.co.uk", "blog.example.co.uk"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["BÜCHER.example", "xn--bcher-kva.example"],
  ["例え.jp", "xn--r8jz45g.jp"],
  ["example。com", "example.com"],
  ["www.com", "www.com"],
  ["someone.github.io", "someone.github.io"],
  ["wiki.corp.internal", "wiki.corp.internal"],
])("%s is the domain %s", (typed, host) => {
  expect(normalDomain(typed)).toBe(host);
});

test.each([
  ["127.0.0.1", "IP address"],
  ["127.1", "IP address"],
  ["0x7f.1", "IP address"],
  ["2130706433", "IP address"],
  ["１２７.0.0.1", "IP address"],
  ["[::1]", "IP address"],
  ["::1", "IP address"],
  ["http://[::ffff:10.0.0.1]/", "IP address"],
  ["localhost", "only one part"],
  ["com", "only one part"],
  ["co.uk", "public suffix"],
  ["github.io", "public suffix"],
  ["user@example.com", "contains an @"],
  ["", "is not a domain"],
  ["exa mple.com", "is not a domain"],
  ["-bad.example", "is not a domain"],
  ["a..example", "is not a domain"],
  [`${"a".repeat(64)}.example`, "is not a domain"],
  [`${"abcdefg.".repeat(32)}example`, "is not a domain"],
  ["exam\u0000ple.com", "is not a domain"],
])("%j is refused: it %s", (typed, why) => {
  let refusal: Refusal | null = null;
  try {
    normalDomain(typed);
  } catch (error) {
    refusal = error as Refusal;
  }
  expect(refusal?.code).toBe("invalid_input");
  expect(refusal?.message).toContain(why);
});

test.each([
  ["localhost", "localhost"],
  ["http://LocalHost:5173/shop", "localhost"],
  [" localhost. ", "localhost"],
  ["https://localhost.:8443", "localhost"],
  ["shop.localhost:8080", "shop.localhost"],
  ["127.0.0.1:8000", "127.0.0.1"],
  ["example.com:8000", "example.com"],
])("%j is the domain %s of a site", (typed, host) => {
  expect(normalSiteDomain(typed)).toBe(host);
});

test.each(["127.0.0.2", "192.168.0.1:3000", "[::1]:3000", "0.0.0.0", "local", "localhost:port", "user@localhost"])(
  "%j is not the domain of a site",
  (typed) => {
    expect(() => normalSiteDomain(typed)).toThrow();
  },
);

test("a host belongs to a site when it is one of its domains or a subdomain, not when it merely ends with the same text", () => {
  const domains = ["example.com", "example.org"];
  for (const host of ["example.com", "www.example.org", "a.b.example.com", "example.com."]) {
    expect(belongsTo(host, domains), host).toBe(true);
  }
  for (const host of ["evilexample.com", "example.com.evil.net", "com", ""]) {
    expect(belongsTo(host, domains), host).toBe(false);
  }
});
