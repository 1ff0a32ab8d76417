import fc from "fast-check";
import { expect, test } from "vitest";
import { readMeasured } from "@/lib/ingest/api/measured-event";
import { eventBodyShape, readEventBody } from "@/lib/ingest/event/sent-event";
import { FILE_ENDS } from "@/lib/ingest/scrubbing/contacts";
import type { ScrubbedKind } from "@/lib/ingest/scrubbing/kinds";
import { type Props, scrub, scrubProps } from "@/lib/ingest/scrubbing/scrub";
import { compileScrubRules } from "@/lib/ingest/scrubbing/site-rules";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send } from "@/lib/testing/world";

const none = () => {};
const clean = (text: string) => scrub(text, none);

// Excludes addresses that end in URL punctuation, whose host is also in their local part, and that may be files.
const email = fc.emailAddress().filter((text) => {
  const [local = "", host = ""] = text.split("@");
  const end = host.slice(host.lastIndexOf(".") + 1);
  return !/[/?&=#]$/.test(local) && !local.includes(host) && !FILE_ENDS.has(end) && !/[\dx]\.\w{2,3}$/.test(host);
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
    "1.299,00 €",
  ])
    expectUnchanged(text);
});

test("each replaced piece of a property is noted with the property's name, and a broken name is not noted", () => {
  const pieces: [ScrubbedKind, string][] = [];
  const props = {
    password: "hunter2",
    note: "joe@example.com and ann@example.com",
    "joe@example.com": "yes",
    list: ["joe@example.com"],
    user: { name: "Jane Doe", plan: "pro" },
    email: true,
    token: null,
    __proto__: "joe@example.com",
  };
  Object.defineProperty(props, "__proto__", { value: "joe@example.com", enumerable: true });
  const clean = scrubProps(props, (kind, name) => pieces.push([kind, name]));
  expect(JSON.parse(JSON.stringify(clean))).toEqual({
    password: "(secret)",
    note: "(email) and (email)",
    "(email)": "yes",
    list: ["(email)"],
    user: { name: "(personal)", plan: "pro" },
    email: true,
    token: null,
    ["__proto__"]: "(email)",
  });
  expect(pieces).toEqual([
    ["secret", "password"],
    ["email", "note"],
    ["email", "note"],
    ["email", ""],
    ["email", "list"],
    ["personal", "user"],
    ["email", "__proto__"],
  ]);
});

test("a site's own rules replace words and values of keys, and keep values of keys and paths", () => {
  const rules = compileScrubRules(
    [
      { kind: "pattern", pattern: "cust-*" },
      { kind: "pattern", pattern: "müller" },
      { kind: "key", pattern: "customer_ref" },
      { kind: "kept_key", pattern: "phone" },
      { kind: "kept_path", pattern: "/docs/**" },
    ],
    { mergeSlashes: true },
  );
  const context = { rules, country: () => "" };
  const cleaned = (text: string) => scrub(text, none, context);
  expect(cleaned("/c/CUST-123/a?x=cust-9&y=1")).toBe("/c/(custom)/a?x=(custom)&y=1");
  expect(cleaned("For M%C3%BCller and Müller.")).toBe("For (custom) and (custom).");
  expect(cleaned("/custom/customer-care")).toBe("/custom/customer-care");
  expect(cleaned("/a?customer_ref=blue&CustomerRef=red")).toBe("/a?customer_ref=(custom)&CustomerRef=(custom)");
  expect(cleaned("/a?phone=030901820&mail=joe@example.com")).toBe("/a?phone=030901820&mail=(email)");
  const props: Props = { customerRef: 12, phone: "030 901820", nested: { phone: "joe@example.com" } };
  expect(scrubProps(props, none, context)).toEqual({ ...props, customerRef: "(custom)" });
  expect([rules.keepsPath("/docs/a/b/?c=1"), rules.keepsPath("/doc")]).toEqual([true, false]);
});

test("a national phone number within a text is found by the event's country", () => {
  const of = (country: string) => scrubProps({ phone: "Call 0171 1234567 please" }, none, contextOf(country)).phone;
  expect(of("DE")).toBe("(phone)");
  expect(of("")).toBe("Call 0171 1234567 please");
});
const contextOf = (country: string) => ({
  rules: compileScrubRules([], { mergeSlashes: false }),
  country: () => country,
});

/** Pieces of which hostile text is made, and what ends it. */
const HOSTILE = [
  ...["a", "1", "@", "%40", "a@", "a.a", "@a.", "1 ", "1-", "1.", "eyJ", "eyJa.", "=", "a=", "?a=", "&%3D", "%2F"],
  ...["%3D%2F", "a-", "A1b2", "/reset/", "/ip/", "::", "1:", "a:", ":", "(", "+1", "+1 ", "tel:", "wa.me/1", "DE12"],
  ...["de 12 ", "ab12 ", "-----BEGIN", "-----END", "://", "://a", "://@", '"a":', '"a":"', '"', "Bearer ", "basic a"],
  ...[
    "4111 ",
    "1.1.1.1 ",
    "1.1.1.1,",
    "%25",
    "%",
    "%3A%3A",
    "SG.",
    "a.a-a_",
    "AKIA",
    "xn--",
    "ä",
    "password=",
    "cust-",
  ],
];

test("hostile text of 256 KB takes time in proportion to its length", { tags: "full" }, () => {
  const rules = compileScrubRules(
    [
      { kind: "pattern", pattern: "cust-*-*-*" },
      { kind: "kept_key", pattern: "b" },
    ],
    { mergeSlashes: true },
  );
  const milliseconds = (piece: string, end: string, length: number) => {
    const text = piece.repeat(length / piece.length) + end;
    const before = process.cpuUsage();
    scrub(text, none, { rules, country: () => "DE" });
    return process.cpuUsage(before).user / 1000;
  };
  // 16 times the text takes about 16 times as long, and 256 times where each part is compared with all others. The least
  // of 10 ms keeps what else the process does out of it: the longest linear case takes 20 ms.
  const growing = HOSTILE.flatMap((piece) => ["", "@", "=", "!"].map((end) => ({ piece, end }))).filter(
    ({ piece, end }) => {
      const short = Math.min(...[1, 2, 3].map(() => milliseconds(piece, end, 16_384)));
      return milliseconds(piece, end, 262_144) > 80 * Math.max(short, 10);
    },
  );
  expect(growing).toEqual([]);
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
    SELECT reason, events::int, example FROM facts.intake WHERE site_id = ${site.id} AND outcome = 'scrubbed' ORDER BY reason`;
  expect(counts).toEqual([
    { reason: "email:campaign:", events: 1, example: "(email)" },
    { reason: "email:event_name:", events: 1, example: "Sent to (email)" },
    { reason: "email:path:", events: 1, example: "/u/(email)" },
    { reason: "email:property:note", events: 1, example: "(email)" },
    { reason: "email:referrer:", events: 1, example: "other.example/(email)" },
    { reason: "email:title:", events: 1, example: "Mail to (email)" },
    { reason: "secret:property:password", events: 1, example: "(secret)" },
  ]);
});
