import { expect, test } from "vitest";
import { RISKS, SCOPES, type Scope } from "@/lib/contract/access";
import { OPERATIONS } from "@/lib/operations/index";
import { requestLocales } from "@/lib/platform/request-locale";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-17T12:00:00Z");

/** Visits of two weeks, of which the later one has more, from other sources. */
async function siteWithChanges(): Promise<TestSite> {
  const site = await makeSite();
  for (let n = 0; n < 24; n++) {
    const isLate = n >= 4;
    const at = `2025-03-${isLate ? "13" : "06"}T10:00:${String(n).padStart(2, "0")}Z`;
    const address = `198.51.100.${n}`;
    const referrer = isLate ? "https://news.ycombinator.com/" : "https://www.google.com/";
    await send(site, { name: "pageview", url: `https://${site.host}/${n % 3}`, referrer }, { at, address });
    if (n % 4 === 0)
      await send(site, { name: "Signup", revenue: { amount: "1234.50", currency: "EUR" } }, { at, address });
  }
  return site;
}

/** An answer without what differs each time: the id of the request, and sealed positions. */
const comparable = (body: object) =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === "request_id" || key === "cursor" ? undefined : value)));

test("answers of reports and lists are the same, whatever language the request asks for", async () => {
  const site = await siteWithChanges();
  const { token } = await makeClient({
    scopes: Object.keys(SCOPES) as Scope[],
    sites: [site],
    personId: site.ownerId,
    now: NOW,
  });
  const reads = [...OPERATIONS.values()].filter(
    ({ risk, input }) => RISKS[risk as keyof typeof RISKS].method === "GET" && "site_id" in input.shape,
  );
  // The first input that a read accepts: with a comparison it has all sentences and numbers that it has without.
  const inputs = [{ period: "7d", compare: "previous" }, { period: "7d" }, {}];
  let answered = 0;
  for (const { id } of reads) {
    for (const input of inputs) {
      const answerIn = (locale: string) =>
        requestLocales.run(locale, () => callApi(id, { token, input: { site_id: site.id, ...input }, now: NOW }));
      const [english, german] = [await answerIn("en-US"), await answerIn("de-DE")];
      expect([id, german.status, comparable(german.body)]).toEqual([id, english.status, comparable(english.body)]);
      if (english.status !== 200) continue;
      answered++;
      break;
    }
  }
  expect(answered).toBeGreaterThan(45);
});
