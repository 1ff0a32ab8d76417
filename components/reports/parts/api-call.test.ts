import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { apiCall } from "@/components/reports/parts/api-call";
import { decodeQuery } from "@/lib/api/decode";
import analyticsEvents from "@/lib/operations/analytics.events";

const BASE = "https://stats.example";

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(call: string): string[] {
  const printed = execFileSync("sh", ["-c", call.replace(/^curl/, "printf '%s\\0'")], {
    env: { ...process.env, FOOTFALL_TOKEN: "from-the-shell" },
    encoding: "utf8",
  });
  return printed.split("\0").slice(0, -1);
}

test("a copied call passes the exact input, even with shell metacharacters in event names", () => {
  const input = {
    site_id: 7,
    period: "28d",
    from: null,
    filters: { page: { contains: "it's $HOME `id`" }, country: ["FR", "DE"] },
    event: `'; touch /tmp/x; echo "$(id)" \\ \n'`,
  };
  const [, url, header, token, ...rest] = argumentsOf(apiCall(BASE, "analytics.events", input));
  expect([url, header]).toEqual([`${BASE}/api/v1/management/actions/analytics.events`, "-H"]);
  expect(token).toBe("Authorization: Bearer from-the-shell");
  const sent = new URLSearchParams();
  for (let at = 0; at < rest.length; at += 2) {
    expect(rest[at]).toBe("--data-urlencode");
    const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(rest[at + 1] ?? "") ?? [];
    sent.set(key, value);
  }
  const { from: _, ...expected } = input;
  expect({ ...decodeQuery(analyticsEvents, sent) }).toEqual(expected);
});
