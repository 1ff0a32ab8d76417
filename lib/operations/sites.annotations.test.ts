import { expect, test } from "vitest";
import { queryPublicSite } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import { db } from "@/lib/platform/db";
import { deleteSite } from "@/lib/sites/purge";
import { call, faults, makeMember, refused, revisionOf } from "@/lib/testing/calls";
import { callApi, makeClient, makePerson, makeSite, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T12:00:00Z");
const DEPLOY = { date: "2025-03-10", text: "Version 2.0", kind: "deploy", url: "https://example.com/notes" };

const save = (site: TestSite, input: object, personId = site.ownerId) =>
  call(personId, "sites.annotations.save", { site_id: site.id, ...input }, NOW);
const list = async (site: TestSite, range: object = {}) =>
  (await call(site.ownerId, "sites.annotations.list", { site_id: site.id, ...range }, NOW)).annotations;
const remove = (site: TestSite, id: number, personId = site.ownerId) =>
  call(personId, "sites.annotations.delete", { site_id: site.id, id }, NOW);
const textsOf = (annotations: { text: string }[]) => annotations.map(({ text }) => text);
const charted = async (site: TestSite, range: object) =>
  (await call(site.ownerId, "analytics.chart", { site_id: site.id, ...range }, NOW)).annotations;

test("an annotation is created, changed by id and deleted, and the audit log records each operation", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  const created = await save(site, DEPLOY);
  expect(created).toEqual({
    id: created.id,
    at: "2025-03-09T23:00:00.000Z",
    date: "2025-03-10",
    all_day: true,
    kind: "deploy",
    text: "Version 2.0",
    url: "https://example.com/notes",
  });
  const changed = await save(site, { id: created.id, time: "2025-03-11T00:30:00+01:00", text: "  Version 2.1\u202e " });
  expect(changed).toEqual({
    id: created.id,
    at: "2025-03-10T23:30:00.000Z",
    date: "2025-03-11",
    all_day: false,
    kind: "note",
    text: "Version 2.1",
    url: null,
  });
  expect(await list(site)).toEqual([changed]);
  expect(await remove(site, created.id)).toEqual(changed);
  expect(await list(site)).toEqual([]);
  const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(audit.map(({ operation }) => operation)).toEqual([
    "sites.annotations.save",
    "sites.annotations.save",
    "sites.annotations.delete",
  ]);
  expect(audit[0]).toMatchObject({
    personId: site.ownerId,
    requestId: "test",
    detail: { id: created.id, text: "Version 2.0" },
  });
});

test("annotations are listed oldest first, and from and to are inclusive local days", async () => {
  const site = await makeSite({ timezone: "America/New_York" });
  await save(site, { date: "2025-03-11", text: "c" });
  await save(site, { date: "2025-03-09", text: "a" });
  // Still the 10th in New York.
  await save(site, { time: "2025-03-11T03:59:59Z", text: "b" });
  expect(textsOf(await list(site))).toEqual(["a", "b", "c"]);
  expect(textsOf(await list(site, { from: "2025-03-10", to: "2025-03-10" }))).toEqual(["b"]);
  expect(textsOf(await list(site, { from: "2025-03-10" }))).toEqual(["b", "c"]);
  expect(textsOf(await list(site, { to: "2025-03-09" }))).toEqual(["a"]);
  expect(await faults(list(site, { from: "2025-03-10", to: "2025-03-09" }))).toEqual([
    "from: is after to (2025-03-09); swap them",
  ]);
});

test("an annotation of a day keeps its day when the timezone of the site changes", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  await save(site, DEPLOY);
  await db().site.update({ where: { id: site.id }, data: { timezone: "America/New_York" } });
  expect(await list(site)).toMatchObject([{ date: "2025-03-10", at: "2025-03-10T04:00:00.000Z" }]);
});

test("exactly one of date and time is accepted, and every invalid field is refused by name", async () => {
  const site = await makeSite();
  const wrong: [object, string][] = [
    [{ date: null }, "date: is required unless time is given"],
    [{ time: "2025-03-10T10:00:00Z" }, "time: must not be combined with date"],
    [{ date: "2025-02-30" }, "date: must be a date such as 2026-11-20"],
    [{ date: "1969-12-31" }, "date: must be in the years 1970 to 2100"],
    [
      { date: "", time: "2025-03-10T10:00:00" },
      "time: must be a time with an offset, such as 2026-11-20T09:30:00+01:00",
    ],
    [{ date: "", time: "2101-01-01T00:00:00Z" }, "time: must be in the years 1970 to 2100"],
    [{ text: " \u202e " }, "text: must not be empty"],
    [{ text: "x".repeat(281) }, "text: must have at most 280 characters"],
    [{ kind: "party" }, "kind: must be one of deploy, campaign, incident, note"],
    [{ url: "javascript:alert(1)" }, "url: must be a URL such as https://example.com/notes"],
    [{ url: "https://user:secret@example.com/" }, "url: must be a URL such as https://example.com/notes"],
    [{ url: `https://example.com/${"x".repeat(2048)}` }, "url: must have at most 2048 characters"],
    // Percent-encoding makes it longer than 2,048 characters.
    [{ url: `https://example.com/${"ü".repeat(1000)}` }, "url: must be a URL such as https://example.com/notes"],
  ];
  for (const [input, fault] of wrong) {
    expect((await faults(save(site, { ...DEPLOY, ...input })))[0], JSON.stringify(input)).toBe(fault);
  }
  expect(await list(site)).toEqual([]);
});

test("a viewer can only list annotations, and to a stranger the site does not exist", async () => {
  const site = await makeSite();
  const { id } = await save(site, DEPLOY, await makeMember(site.id, "manager"));
  const [viewer, stranger] = [await makeMember(site.id, "viewer"), await makePerson()];
  const listed = call(viewer, "sites.annotations.list", { site_id: site.id }, NOW);
  expect(textsOf((await listed).annotations)).toEqual(["Version 2.0"]);
  for (const [personId, code] of [
    [viewer, "role_denied"],
    [stranger, "site_not_granted"],
  ] as const) {
    expect((await refused(save(site, DEPLOY, personId)))?.code).toBe(code);
    expect((await refused(save(site, { ...DEPLOY, id }, personId)))?.code).toBe(code);
    expect((await refused(remove(site, id, personId)))?.code).toBe(code);
  }
  expect((await refused(call(stranger, "sites.annotations.list", { site_id: site.id })))?.code).toBe(
    "site_not_granted",
  );
});

test("an annotation of another site is not found", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const { id } = await save(other, DEPLOY);
  expect((await refused(save(site, { ...DEPLOY, id, text: "ours" })))?.code).toBe("not_found");
  expect((await refused(remove(site, id)))?.code).toBe("not_found");
  expect(textsOf(await list(other))).toEqual(["Version 2.0"]);
});

test("a site has at most 1000 annotations, even with concurrent calls, and existing ones can be changed", async () => {
  const site = await makeSite();
  const row = { siteId: site.id, day: NOW, kind: "note" as const, text: "x", createdAt: NOW, updatedAt: NOW };
  await db().annotation.createMany({ data: Array.from({ length: 999 }, () => row) });
  const tries = await Promise.all([1, 2].map(() => refused(save(site, DEPLOY))));
  expect(tries.filter(Boolean).map((refusal) => [refusal?.code, refusal?.message])).toEqual([
    ["invalid_input", "The site has reached the limit of 1000 annotations. Delete one first."],
  ]);
  const [first] = await list(site);
  await save(site, { ...DEPLOY, id: first.id });
  await remove(site, first.id);
  await save(site, DEPLOY);
});

test("saving needs sites:write but no person, and a repeated call creates one annotation", async () => {
  const site = await makeSite();
  const input = { site_id: site.id, ...DEPLOY };
  const reader = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const denied = await callApi("sites.annotations.save", { token: reader.token, input });
  expect([denied.status, denied.body.error.code]).toEqual([403, "insufficient_scope"]);
  const machine = await makeClient({ scopes: ["sites:read", "sites:write"], sites: [site] });
  const [first, again] = [
    await callApi("sites.annotations.save", { token: machine.token, input, key: "annotation-1" }),
    await callApi("sites.annotations.save", { token: machine.token, input, key: "annotation-1" }),
  ];
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body.data).toEqual(first.body.data);
  const read = await callApi("sites.annotations.list", { token: machine.token, input: { site_id: site.id } });
  expect(read.body.data.annotations).toEqual([first.body.data]);
  expect(await db().annotation.findMany({ where: { siteId: site.id } })).toMatchObject([{ createdById: null }]);
});

test("an annotation outlives its author's account but not its site", async () => {
  const site = await makeSite();
  const author = await makeMember(site.id, "manager");
  const { id } = await save(site, DEPLOY, author);
  expect(await db().annotation.findUnique({ where: { id } })).toMatchObject({ createdById: author });
  await db().person.delete({ where: { id: author } });
  expect(await db().annotation.findUnique({ where: { id } })).toMatchObject({ createdById: null });
  await deleteSite(db(), site.id, NOW);
  expect(await db().annotation.findUnique({ where: { id } })).toBeNull();
});

test("saving an annotation does not invalidate pending approvals", async () => {
  const site = await makeSite();
  const before = await revisionOf(site.id);
  await save(site, DEPLOY);
  expect(await revisionOf(site.id)).toBe(before);
});

test("the chart has exactly the annotations of its range, regardless of filters", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  for (const [time, text] of [
    ["2025-03-10T22:59:59Z", "before"],
    ["2025-03-10T23:00:00Z", "first"],
    ["2025-03-11T22:59:59Z", "last"],
    ["2025-03-11T23:00:00Z", "after"],
  ])
    await save(site, { time, text });
  const day = await save(site, { date: "2025-03-11", text: "day" });
  const range = { from: "2025-03-11", to: "2025-03-11" };
  const found = await charted(site, range);
  expect(textsOf(found)).toEqual(["first", "day", "last"]);
  expect(found[1]).toEqual(day);
  expect(await charted(site, { ...range, filters: { country: "FR" }, interval: "hour" })).toEqual(found);
  expect(textsOf(await charted(site, { period: "24h" }))).toEqual(["day", "last", "after"]);
});

test("the chart has at most the latest 100 annotations, oldest first", async () => {
  const site = await makeSite();
  const row = (index: number) => ({
    siteId: site.id,
    at: new Date(NOW.getTime() - index * 1000),
    kind: "note" as const,
    text: `${index}`,
    createdAt: NOW,
    updatedAt: NOW,
  });
  await db().annotation.createMany({ data: Array.from({ length: 101 }, (_, index) => row(index)) });
  const texts = textsOf(await charted(site, { period: "7d" }));
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([100, "99", "0"]);
});

test("a public dashboard shows no annotations", async () => {
  const site = await makeSite();
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  await save(site, DEPLOY);
  const input = { site_id: site.id, period: "7d" };
  expect(textsOf(await charted(site, { period: "7d" }))).toEqual(["Version 2.0"]);
  const { data } = await queryPublicSite("203.0.113.7")(chart, { input, now: NOW });
  expect(data.annotations).toEqual([]);
});
