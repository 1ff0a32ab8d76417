import { expect, test } from "vitest";
import type { ScrubRuleKind } from "@/lib/contract/scrub-rule-kinds";
import { readScrubRule } from "@/lib/contract/scrub-rules";
import { flushIngestStats, type ScrubbedOfKind } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { call, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { rowsOf } from "@/lib/testing/rows";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

const now = new Date("2025-03-04T12:00:00Z");
const add = (site: TestSite, kind: ScrubRuleKind, pattern: string, personId = site.ownerId) =>
  call(personId, "sites.scrubbing.add", { site_id: site.id, kind, pattern }, now);
const remove = (site: TestSite, rule_id: number, personId = site.ownerId) =>
  call(personId, "sites.scrubbing.delete", { site_id: site.id, rule_id }, now);
const list = (site: TestSite, personId = site.ownerId) =>
  call(personId, "sites.scrubbing.list", { site_id: site.id }, now);
const report = (site: TestSite, personId = site.ownerId) =>
  call(personId, "sites.scrubbing.report", { site_id: site.id }, now);

test("ingest obeys a site's rules: words and keys are replaced, keys and paths are kept, on that site only", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  await add(site, "pattern", "MEMBER-*");
  await add(site, "key", "customer_ref");
  await add(site, "kept_key", "phone");
  await add(site, "kept_path", "/docs/**");
  for (const one of [site, other]) {
    const props = { customerRef: "blue", phone: "030 901820", email: "joe@example.com" };
    await send(
      one,
      { name: "Read", url: `https://${one.host}/docs/joe@example.com`, title: "Member-12", props },
      { at: now },
    );
  }
  const storedOf = (siteId: number) => rowsOf<object[]>`
    SELECT path, title, props FROM facts.event e
    JOIN facts.page page ON page.site_id = e.site_id AND page.id = e.page WHERE e.site_id = ${siteId}`;
  expect(await storedOf(site.id)).toEqual([
    {
      path: "/docs/joe@example.com",
      title: "(custom)",
      props: { customerRef: "(custom)", phone: "030 901820", email: "(email)" },
    },
  ]);
  expect(await storedOf(other.id)).toEqual([
    {
      path: "/docs/(email)",
      title: "Member-12",
      props: { customerRef: "blue", phone: "(phone)", email: "(email)" },
    },
  ]);
});

test("the report counts what was replaced by kind, place and day, with the text as it is stored and nothing that was removed", async () => {
  const site = await makeSite();
  expect(await report(site)).toEqual({ from: "2025-02-03", to: "2025-03-04", kinds: [] });
  const yesterday = new Date("2025-03-03T12:00:00Z");
  for (const at of [yesterday, now]) {
    await send(site, { name: "pageview", url: `https://${site.host}/u/joe@example.com` }, { at });
    await send(site, { name: "Pay", path: "/", props: { card: "4111111111111111", "a:b": "ann@example.com" } }, { at });
  }
  // Names of properties come from requests: only 50 are kept.
  const props = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${i}`, "joe@example.com"]));
  await send(site, { name: "Flood", path: "/", props }, { at: now });
  await flushIngestStats();
  const { kinds }: { kinds: ScrubbedOfKind[] } = await report(site);
  expect(kinds.map(({ kind, pieces }) => ({ kind, pieces }))).toEqual([
    { kind: "email", pieces: 54 },
    { kind: "card", pieces: 2 },
  ]);
  const [email] = kinds;
  expect(email?.days).toEqual([
    { day: "2025-03-03", pieces: 2 },
    { day: "2025-03-04", pieces: 52 },
  ]);
  // Two are taken by the properties above, so the last two have no name.
  expect(email?.places).toHaveLength(51);
  expect(email?.places.slice(0, 3)).toEqual(
    expect.arrayContaining([
      { place: "path", name: null, pieces: 2, last_day: "2025-03-04", example: "/u/(email)" },
      { place: "property", name: "a:b", pieces: 2, last_day: "2025-03-04", example: "(email)" },
      { place: "property", name: null, pieces: 2, last_day: "2025-03-04", example: "(email)" },
    ]),
  );
  expect(JSON.stringify(kinds)).not.toMatch(/joe|ann@|4111/);
  const { outcomes } = await call(site.ownerId, "sites.events.outcomes", { site_id: site.id }, now);
  expect(outcomes).toEqual(
    expect.arrayContaining([expect.objectContaining({ outcome: "scrubbed", reason: "email", events: 54 })]),
  );
});

test("managers can list, add and delete rules and read the report; viewers and members of other sites cannot", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const [manager, viewer] = [await makeMember(site.id, "manager"), await makeMember(site.id, "viewer")];
  const before = await revisionOf(site.id);
  const rule = await add(site, "pattern", "Cust-*", manager);
  expect(rule).toEqual({ rule_id: expect.any(Number), kind: "pattern", pattern: "cust-*" });
  expect(await list(site, manager)).toEqual({ rules: [rule] });
  for (const [personId, code] of [
    [viewer, "role_denied"],
    [other.ownerId, "site_not_granted"],
  ] as const) {
    const calls = [list, report, (one: TestSite, person: number) => add(one, "key", "abc", person)];
    for (const one of calls) expect((await refused(one(site, personId)))?.code).toBe(code);
    expect((await refused(remove(site, rule.rule_id, personId)))?.code).toBe(code);
  }
  expect((await refused(remove(other, rule.rule_id)))?.code).toBe("not_found");
  expect(await remove(site, rule.rule_id, manager)).toEqual(rule);
  expect(await revisionOf(site.id)).toBe(before + 2);
  const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(audit.map(({ operation, detail }) => ({ operation, detail }))).toMatchObject([
    { operation: "sites.scrubbing.add", detail: rule },
    { operation: "sites.scrubbing.delete", detail: rule },
  ]);
});

test("an agent cannot weaken or strengthen scrubbing before a human approved the rule", async () => {
  const site = await makeSite();
  const rule = await add(site, "pattern", "cust-*");
  const scopes = ["sites:read", "sites:write"] as const;
  const { token } = await makeClient({ scopes, sites: [site], personId: site.ownerId });
  const requests: [id: string, input: object, line: object][] = [
    [
      "sites.scrubbing.add",
      { kind: "kept_path", pattern: "/u/**" },
      { label: "Keep the paths of pages", after: "/u/**" },
    ],
    [
      "sites.scrubbing.add",
      { kind: "kept_key", pattern: "email" },
      { label: "Keep the values of a key", after: "email" },
    ],
    ["sites.scrubbing.delete", { rule_id: rule.rule_id }, { label: "Replace words", before: "cust-*" }],
  ];
  for (const [id, fields, line] of requests) {
    const input = { site_id: site.id, ...fields };
    const { status, body } = await callApi(id, { token, input });
    expect([status, body.error?.code], id).toEqual([409, "approval_required"]);
    expect(await summaryOf(site.ownerId, site.id, id, input)).toMatchObject([line]);
  }
  expect((await list(site)).rules).toEqual([rule]);
});

test("a rule can be added once, and a site has at most 50 rules", async () => {
  const site = await makeSite();
  await add(site, "key", "abc");
  expect((await refused(add(site, "key", "abc")))?.message).toContain("already");
  const rows = Array.from({ length: 49 }, (_, i) => ({ pattern: `key${i}`, kind: "key" as const }));
  await db().siteScrubRule.createMany({ data: rows.map((row) => ({ ...row, siteId: site.id, createdAt: now })) });
  await expect(add(site, "key", "more")).rejects.toThrow("exceeds the limit of 50 rules per site");
});

test.each<[ScrubRuleKind, string]>([
  ["pattern", "*"],
  ["pattern", "a*"],
  ["pattern", "a**bc"],
  ["pattern", "two words"],
  ["pattern", "/a/b"],
  ["pattern", "a*b*c*d*e*f*g*h*i*j*k*l*m"],
  ["pattern", "x".repeat(300)],
  ["key", "a b"],
  ["key", "=x"],
  ["key", "k".repeat(101)],
  ["kept_key", "a&b"],
  ["kept_path", "docs"],
  ["kept_path", "/**"],
  ["kept_path", "/*/*"],
  ["kept_path", "/a?b=1"],
])("the rule %s %s is refused with a sentence", (kind, typed) => {
  expect(readScrubRule(kind, typed)).toEqual({ fault: expect.stringMatching(/\w+ \w+/) });
});
