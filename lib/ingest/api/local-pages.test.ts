import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, post } from "@/lib/testing/world";

const LOCAL = ["http://localhost:3000", "http://127.0.0.1:8080", "http://shop.localhost"];
const OTHERS = ["http://localhost.example", "http://127.0.0.2", "http://192.168.0.7", "https://another.example"];

test("pages on localhost are refused unless the owner counts them, and then reports tell them apart", async () => {
  const site = await makeSite();
  const answer = async (origin: string) => {
    const event = { name: "pageview", url: `${origin}/pricing` };
    const response = await post(site, event, { headers: { origin } });
    return response.status === 202 ? 202 : (await response.json()).error.details.issues[0].path;
  };
  for (const origin of [...LOCAL, ...OTHERS]) expect(await answer(origin), origin).toBe("Origin");

  const settings = { name: "", timezone: "UTC", reporting_currency: "EUR", public: false };
  await call(site.ownerId, "sites.settings.update", { site_id: site.id, ...settings, local_pages: true });
  // The setting is read again after ten seconds, by its name at once where it was not read before.
  const named = { ...site, host: site.host.toUpperCase() };
  for (const origin of [...LOCAL, ...OTHERS]) {
    const event = { name: "pageview", url: `${origin}/pricing` };
    const { status } = await post(named, event, { headers: { origin } });
    expect(status, origin).toBe(LOCAL.includes(origin) ? 202 : 422);
  }
  const hosts = await rowsOf<{ hostname: string }[]>`
    SELECT DISTINCT hostname FROM facts.page WHERE site_id = ${site.id} ORDER BY hostname`;
  expect(hosts.map(({ hostname }) => hostname)).toEqual(["127.0.0.1", "localhost", "shop.localhost"]);
});
