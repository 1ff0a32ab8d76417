import fc from "fast-check";
import { expect, test } from "vitest";
import { readMeasured } from "@/lib/ingest/api/measured-event";
import { type ScrubbedKind, scrub, scrubProps, scrubUrl } from "@/lib/ingest/event/scrub";
import { eventBodyShape, readEventBody } from "@/lib/ingest/event/sent-event";
import { flushIngestStats } from "@/lib/ingest/store/stats/ingest-stats";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send } from "@/lib/testing/world";

const none = () => {};
const clean = (text: string) => scrub(text, none);

// Excludes addresses that end in URL punctuation, and those whose host is also in their local part.
const email = fc.emailAddress().filter((text) => {
  const [local = "", host = ""] = text.split("@");
  return !/[/?&=#]$/.test(local) && !local.includes(host);
});

test("email addresses are always replaced, in any position and however often they are URL-encoded", () => {
  const around = fc.constantFrom("", " ", "/", "?to=", "&m=", "Hello ", "<", ">", ",", "(", ")", "!");
  fc.assert(
    fc.property(email, around, around, fc.integer({ min: 0, max: 2 }), (address, before, after, times) => {
      let written = address;
      for (let time = 0; time < times; time++) written = encodeURIComponent(written);
      const [, host = ""] = address.split("@");
      const text = clean(`${before}${written}${after}`);
      expect(text).not.toContain(written);
      expect(text).not.toContain(host);
    }),
    { numRuns: 2_000 },
  );
});

test("card numbers are always replaced, with and without separators", () => {
  const numbers = [
    "4111111111111111",
    "4111 1111 1111 1111",
    "5500-0000-0000-0004",
    "378282246310005",
    "4111+1111+1111+1111",
    "4111%201111%201111%201111",
  ];
  for (const number of numbers) expect(clean(`paid ${number}.`)).toBe("paid (card).");
});

test.each([
  [
    "/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "/reset/(token)",
  ],
  ["/invite/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "/invite/(token)"],
  ["/pay/sk_live_4eC39HqLyjWDarjtT1zdp7dc/done", "/pay/(token)/done"],
  ["/joe@example.com/settings", "/(email)/settings"],
  ["/u/joe%40example.com", "/u/(email)"],
  ["/#access_token=abc&lang=en", "/#access_token=(secret)&lang=en"],
  ["https://x.example/cb?code=77&state=ok", "https://x.example/cb?code=(secret)&state=ok"],
  ["Mail from Jürgen.Müller@büro.example today", "Mail from (email) today"],
])("%s is stored as %s", (text, expected) => {
  expect(clean(text)).toBe(expected);
});

const word = fc.stringMatching(/^[a-zà-ÿ]{1,14}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 30 });

test("ordinary text is not changed: words, slugs, years, prices, times, versions, article numbers and UUIDs", () => {
  const expectUnchanged = (text: string): void => {
    expect(clean(text)).toBe(text);
  };
  fc.assert(
    fc.property(sentence, fc.constantFrom(" ", "-", "/", "_", ", "), (words, glue) =>
      expectUnchanged(words.join(glue)),
    ),
  );
  fc.assert(fc.property(sentence, fc.nat({ max: 99_999 }), (words, n) => expectUnchanged(`/${words.join("-")}-${n}`)));
  fc.assert(fc.property(fc.uuid(), (id) => expectUnchanged(`/orders/${id}`)));
  fc.assert(
    fc.property(fc.date({ min: new Date("2001-09-10"), max: new Date("2200-01-01"), noInvalidDate: true }), (date) => {
      expectUnchanged(`${date.getTime()}`);
      expectUnchanged(date.toISOString());
    }),
  );
  for (const text of [
    "/package/react@18.2.0",
    "@angular/core",
    "Follow @example on Mastodon",
    "/2024/11/20/iPhone-15-Pro-vs-Pixel-8-Pro-und-Galaxy-S24",
    "getUserAccountSettingsPageViewModelFactory",
    "4006381333931",
    "+49 30 901820",
    "1.299,00 €",
  ])
    expectUnchanged(text);
});

test("values of properties with secret names are replaced, and a country code is not a secret", () => {
  const scrubbed: ScrubbedKind[] = [];
  const props = {
    password: "hunter2",
    apiKey: "abc",
    user_email: "x",
    phone: 491701234567,
    code: "1234",
    country_code: "DE",
    keyword: "shoes",
    email: true,
    token: null,
    plan: "pro",
    card: 4111111111111111,
    href: "https://x.example/?token=1",
  };
  expect(scrubProps(props, (kind) => scrubbed.push(kind))).toEqual({
    ...props,
    password: "(secret)",
    apiKey: "(secret)",
    user_email: "(secret)",
    phone: "(secret)",
    code: "(secret)",
    card: "(card)",
    href: "https://x.example/?token=(secret)",
  });
  expect(scrubbed.sort()).toEqual(["card", "secret", "secret", "secret", "secret", "secret", "secret"]);
});

test("the host of a URL is never replaced", () => {
  const url = "https://d111aaB2ccD3eeF4ggH5iiJ6.cdn.example/a";
  expect(scrubUrl(`${url}?to=joe@example.com`, none)).toBe(`${url}?to=(email)`);
});

test("input is bounded before it is scrubbed: 4,096 characters per field, 2,000 per property, 8 KiB of properties, 16 KiB per event of a batch", () => {
  const event = { domain: "a.example", name: "a", path: "/" };
  const long = (length: number) => `/${"a".repeat(length - 1)}`;
  expect(readEventBody({ ...event, url: long(4_096), props: { ["k".repeat(100)]: long(2_000) } })).toBeTruthy();
  // Covers fields added later.
  for (const field of Object.keys(eventBodyShape.shape)) {
    if (field === "path") expect(readEventBody({ ...event, path: long(60_000) }).path).toBe(long(4_096));
    else expect(() => readEventBody({ ...event, [field]: long(4_097) }), field).toThrow();
  }
  for (const props of [{ a: long(2_001) }, { ["k".repeat(101)]: 1 }]) {
    expect(() => readEventBody({ ...event, props })).toThrow();
  }
  const measured = (length: number) =>
    readMeasured({ type: "event", name: "a", properties: { a: long(length) } }, true);
  expect(measured(8_000)).toHaveProperty("event");
  expect(measured(16_384)).toMatchObject({ fault: { code: "payload_too_large" } });
});

test("an event is stored without personal data, and each replaced piece is counted", async () => {
  const site = await makeSite();
  const now = new Date("2026-03-01T12:00:00Z");
  const event = {
    name: "Sent to joe@example.com",
    url: `https://${site.host}/u/joe@example.com?utm_campaign=joe@example.com`,
    title: "Mail to joe@example.com",
    referrer: "https://other.example/joe@example.com",
    props: { note: "joe@example.com", password: "joe" },
  };
  await send(site, event, { at: now });
  await flushIngestStats();
  const [stored] = await rowsOf<object[]>`
    SELECT name.name, path, title, url, campaign.campaign, props FROM facts.event e
    JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    JOIN facts.page page ON page.site_id = e.site_id AND page.id = e.page
    JOIN facts.referrer referrer ON referrer.site_id = e.site_id AND referrer.id = e.referrer
    JOIN facts.campaign campaign ON campaign.site_id = e.site_id AND campaign.id = e.campaign
    WHERE e.site_id = ${site.id}`;
  expect(stored).toEqual({
    name: "Sent to (email)",
    path: "/u/(email)",
    title: "Mail to (email)",
    url: "other.example/(email)",
    campaign: "(email)",
    props: { note: "(email)", password: "(secret)" },
  });
  const counts = await rowsOf<object[]>`
    SELECT reason, hits::int FROM facts.intake WHERE site_id = ${site.id} AND outcome = 'scrubbed' ORDER BY reason`;
  expect(counts).toEqual([
    { reason: "email", hits: 6 },
    { reason: "secret", hits: 1 },
  ]);
});
