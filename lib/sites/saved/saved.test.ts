import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Principal } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { listSegments } from "@/lib/sites/saved/segments";
import { CALL_TIME, call, faults, makeMember, refused, revisionOf } from "@/lib/testing/calls";
import { callApi, makeClient, makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";

/** The kinds of saved objects, as named in operations, each with a valid input. */
const STEPS = [
  { kind: "page", pattern: "/pricing/**" },
  { kind: "event", pattern: "Signup", name: "Signed up" },
];
const VARIANTS = [
  { name: "old", weight: 1 },
  { name: "new", weight: 2.5 },
];
const KINDS = {
  segment: { name: "French", filters: { country: "FR" } },
  dashboard: { name: "Mornings", filters: {}, panels: [] },
  goal: { name: "Signup", reached_by: { kind: "event", pattern: "signed_up" } },
  funnel: { name: "Buying", steps: STEPS },
  experiment: { name: "Button", variants: VARIANTS, goal: "Signup" },
};
type Kind = keyof typeof KINDS;

/** Saves an object, by default as the owner at CALL_TIME. @returns the response of the operation */
const save = (kind: Kind, site: TestSite, sent: object = {}, who: number | Principal = site.ownerId, now = CALL_TIME) =>
  call(who, `sites.${kind}s.save`, { site_id: site.id, ...KINDS[kind], ...sent }, now);
const idOf = async (...saved: Parameters<typeof save>): Promise<string | number> => (await save(...saved)).id;
const list = async (kind: Kind, site: TestSite) =>
  (await call(site.ownerId, `sites.${kind}s.list`, { site_id: site.id }))[`${kind}s`];
const namesOf = async (kind: Kind, site: TestSite) =>
  (await list(kind, site)).map(({ name }: { name: string }) => name);
const remove = (kind: Kind, site: TestSite, id: string | number, who: number | Principal = site.ownerId) =>
  call(who, `sites.${kind}s.delete`, { site_id: site.id, id });

for (const kind of Object.keys(KINDS) as Kind[]) {
  test(`a ${kind} is created, changed by id, listed by name and deleted, each with an audit entry`, async () => {
    const site = await makeSite();
    const id = await idOf(kind, site, { name: "b" });
    await save(kind, site, { name: "a" });
    expect(await idOf(kind, site, { id, name: "c" })).toBe(id);
    expect(await namesOf(kind, site)).toEqual(["a", "c"]);
    const saved = (await list(kind, site)).find((one: { id: string | number }) => one.id === id);
    expect(await remove(kind, site, id)).toEqual(saved);
    expect(await namesOf(kind, site)).toEqual(["a"]);
    const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
    const rows = audit.filter(({ operation }) => operation.startsWith(`sites.${kind}s.`));
    expect(rows.map(({ operation }) => operation.split(".")[2])).toEqual(["save", "save", "save", "delete"]);
    for (const row of rows) expect(row).toMatchObject({ personId: site.ownerId, clientId: null, requestId: "test" });
  });

  test(`saving a ${kind} returns it as the list does`, async () => {
    const site = await makeSite();
    const made = await save(kind, site);
    expect(made).toMatchObject({ name: KINDS[kind].name, updated_at: CALL_TIME.toISOString() });
    expect(await list(kind, site)).toEqual([made]);
    const later = new Date("2025-04-01T00:00:00Z");
    const changed = await save(kind, site, { id: made.id, name: "Another" }, site.ownerId, later);
    expect(changed).toEqual({ ...made, name: "Another", updated_at: later.toISOString() });
    expect(await list(kind, site)).toEqual([changed]);
  });

  test(`${kind} names are unique per site, also with concurrent requests`, async () => {
    const [site, other] = [await makeSite(), await makeSite()];
    const outcomes = await Promise.all([1, 2, 3].map(() => faults(save(kind, site, { name: " same " }))));
    const taken = [`name: is already the name of another ${kind} of the site; choose another name`];
    expect(outcomes.filter((outcome) => outcome.length > 0)).toEqual([taken, taken]);
    const id = await idOf(kind, site, { name: "another" });
    expect(await faults(save(kind, site, { id, name: "same" }))).toEqual(taken);
    await save(kind, other, { name: "same" });
  });

  test(`a ${kind} of another site is not found`, async () => {
    const [site, other] = [await makeSite(), await makeSite()];
    const id = await idOf(kind, other, { name: "theirs" });
    expect((await refused(save(kind, site, { id, name: "ours" })))?.code).toBe("not_found");
    expect((await refused(remove(kind, site, id)))?.code).toBe("not_found");
    expect(await namesOf(kind, other)).toEqual(["theirs"]);
  });

  test(`managers and owners save and delete a ${kind}, viewers only list it`, async () => {
    const site = await makeSite();
    const id = await idOf(kind, site);
    const [viewer, manager, stranger] = [
      await makeMember(site.id, "viewer"),
      await makeMember(site.id, "manager"),
      await makePerson(),
    ];
    for (const [who, code] of [
      [viewer, "role_denied"],
      [stranger, "site_not_granted"],
    ] as const) {
      expect((await refused(save(kind, site, { name: "More" }, who)))?.code).toBe(code);
      expect((await refused(remove(kind, site, id, who)))?.code).toBe(code);
    }
    const input = { site_id: site.id };
    expect((await call(viewer, `sites.${kind}s.list`, input))[`${kind}s`]).toHaveLength(1);
    expect((await refused(call(stranger, `sites.${kind}s.list`, input)))?.code).toBe("site_not_granted");
    await save(kind, site, { name: "More" }, manager);
    await remove(kind, site, id, manager);
  });

  test(`an agent saves a ${kind} once per idempotency key without approval, lists and deletes it, and is in the audit`, async () => {
    const site = await makeSite();
    const agent = await makeClient({
      scopes: ["sites:read", "sites:write"],
      sites: [site],
      personId: site.ownerId,
    });
    const { token } = agent;
    const request = { token, key: randomUUID(), input: { site_id: site.id, ...KINDS[kind] } };
    const [first, again] = [
      await callApi(`sites.${kind}s.save`, request),
      await callApi(`sites.${kind}s.save`, request),
    ];
    expect([first.status, again.body.data]).toEqual([200, first.body.data]);
    const listed = await callApi(`sites.${kind}s.list`, { token, input: { site_id: site.id } });
    expect(listed.body.data).toEqual({ [`${kind}s`]: [first.body.data] });
    const input = { site_id: site.id, id: first.body.data.id };
    expect((await callApi(`sites.${kind}s.delete`, { token, input })).status).toBe(200);
    expect(await list(kind, site)).toEqual([]);
    const rows = await db().audit.findMany({ where: { siteId: site.id, clientId: agent.id }, orderBy: { id: "asc" } });
    expect(rows.map(({ operation, personId }) => [operation, personId])).toEqual([
      [`sites.${kind}s.save`, site.ownerId],
      [`sites.${kind}s.delete`, site.ownerId],
    ]);
  });
}

test("an agent cannot save beyond its scopes or its person's role", async () => {
  const site = await makeSite();
  const input = { site_id: site.id, ...KINDS.segment };
  const reader = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const viewers = await makeClient({
    scopes: ["sites:read", "sites:write"],
    sites: [site],
    personId: await makeMember(site.id, "viewer"),
  });
  const codes = [
    await callApi("sites.segments.save", { token: reader.token, input }),
    await callApi("sites.segments.save", { token: viewers.token, input }),
  ].map(({ body }) => body.error.code);
  expect(codes).toEqual(["insufficient_scope", "role_denied"]);
});

test("an object saved by a machine account without a person has no creator", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["sites:write"], sites: [site] });
  const input = { site_id: site.id, ...KINDS.segment };
  expect((await callApi("sites.segments.save", { token, input })).status).toBe(200);
  expect(await listSegments(site.id, db())).toMatchObject([{ name: "French", createdById: null }]);
});

test("the creator stays the same when someone else changes the object, and is named by every list", async () => {
  const site = await makeSite();
  const creator = await makeMember(site.id, "manager");
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    const id = await idOf(kind, site, {}, creator);
    await save(kind, site, { id, name: "Renamed" });
    const list = `${kind}s`;
    const { [list]: saved } = await call(site.ownerId, `sites.${list}.list`, { site_id: site.id });
    expect(saved, kind).toMatchObject([{ name: "Renamed", created_by: creator }]);
  }
});

test("saving an object does not invalidate pending approvals", async () => {
  const site = await makeSite();
  const before = await revisionOf(site.id);
  await save("segment", site);
  expect(await revisionOf(site.id)).toBe(before);
});

test("a site has at most 100 objects of each kind", async () => {
  const site = await makeSite();
  const at = { createdAt: CALL_TIME, updatedAt: CALL_TIME };
  const row = (index: number) => ({ siteId: site.id, name: `${index}`, filters: {}, ...at });
  await db().segment.createMany({ data: Array.from({ length: 99 }, (_, index) => row(index)) });
  const outcomes = await Promise.all(["x", "y"].map((name) => faults(save("segment", site, { name }))));
  const full = ["name: exceeds the limit of 100 segments per site; delete one first"];
  expect(outcomes.filter((outcome) => outcome.length > 0)).toEqual([full]);
});

test("only filters that reports accept can be saved", async () => {
  const site = await makeSite();
  expect(await faults(save("segment", site, { filters: { planet: "Mars" } }))).toEqual([
    expect.stringMatching(/^filters\.planet: is not known; there are/),
  ]);
  expect(await faults(save("dashboard", site, { filters: { page: { matches: "(" } } }))).toEqual([
    expect.stringMatching(/^filters\.page\.matches: is not an RE2 regular expression/),
  ]);
  expect(await faults(save("segment", site, { filters: { page: { like: "/a" } } }))).toHaveLength(1);
  expect(await faults(save("segment", site, { filters: ["FR"] }))).toEqual([
    'filters: must be an object such as {"country": "FR"}',
  ]);
});

test("reports accept a saved segment by its id", async () => {
  const site = await makeSite();
  await send(site, "/a", { at: "2025-03-12T10:00:00Z" });
  await send(site, "/b", { at: "2025-03-12T10:00:00Z", address: "203.0.113.8" });
  const id = await idOf("segment", site, { filters: { page: "/a" } });
  const input = { site_id: site.id, period: "today", segment: id };
  expect((await call(site.ownerId, "analytics.overview", input)).metrics.visitors).toBe(1);
  await save("segment", site, { id, filters: { page: ["/a", "/b"] } });
  expect((await call(site.ownerId, "analytics.overview", input)).metrics.visitors).toBe(2);
});

test("a dashboard's range and panels are validated", async () => {
  const site = await makeSite();
  expect(await faults(save("dashboard", site, { period: "custom" }))).toEqual(["from: is required for a custom range"]);
  expect(await faults(save("dashboard", site, { from: "2025-02-02", to: "2025-02-01" }))).toHaveLength(1);
  for (const sent of [
    { panels: ["secrets"] },
    { panels: ["chart", "chart"] },
    { period: "9d" },
    { traffic: "x" },
    { compare: "x" },
  ]) {
    expect((await refused(save("dashboard", site, sent)))?.code, JSON.stringify(sent)).toBe("invalid_input");
  }
  expect(await save("dashboard", site, { name: "Bots", panels: ["chart", "pages"], traffic: "bot" })).toMatchObject({
    period: null,
    from: null,
    to: null,
    traffic: "bot",
    compare: null,
    compare_from: null,
    compare_to: null,
  });
  const kept = { panels: ["seo", "chart"], period: "7d", traffic: "ai", compare: "year_over_year" };
  await save("dashboard", site, kept);
  expect((await list("dashboard", site))[1]).toMatchObject(kept);
});

test("a saved question of Explore answers by its id as by its metrics, dimensions, order and goal, and is validated", async () => {
  const site = await makeSite();
  const at = new Date("2025-03-12T09:00:00Z");
  for (const [last, path] of [
    [1, "/a"],
    [2, "/a"],
    [3, "/b"],
  ] as const) {
    await send(site, path, { at, address: `203.0.113.${last}` });
    if (path === "/b")
      await send(site, { name: "Joined", url: `https://${site.host}/b` }, { at, address: `203.0.113.${last}` });
  }
  await save("goal", site, { name: "Joined", reached_by: { kind: "event", pattern: "Joined" } });
  const explore = { metrics: "visitors,conversions", dimensions: "page", sort: "visitors", chart: "line" };
  const sent = { name: "By page", from: "2025-03-12", to: "2025-03-12", goal: "Joined", explore };
  const id = await idOf("dashboard", site, sent);
  expect((await list("dashboard", site))[0]).toMatchObject({ ...sent, panels: [] });
  const ask = (input: object) => call(site.ownerId, "analytics.explore", { site_id: site.id, ...input });
  const { chart: _, ...question } = explore;
  const [byId, asked] = [
    await ask({ dashboard: id }),
    await ask({ from: sent.from, to: sent.to, goal: "Joined", ...question }),
  ];
  expect(asked.rows.map(({ values }: { values: string[] }) => values[0])).toEqual(["/b", "/a"]);
  expect([byId.rows, byId.series, byId.conversions_of]).toEqual([asked.rows, asked.series, asked.conversions_of]);
  // Metrics of the call are another question, in its range.
  expect((await ask({ dashboard: id, metrics: "visits" })).rows).toEqual([{ values: [], visits: 3 }]);
  const faultsOf = (input: object) => faults(save("dashboard", site, { name: "Other", ...input }));
  expect(await faultsOf({ explore: { metrics: "secrets" } })).toEqual([expect.stringMatching(/^explore\.metrics: /)]);
  expect(await faultsOf({ explore: { metrics: "visits", sort: "page" } })).toEqual([
    expect.stringMatching(/^explore\.sort: must be one of visits/),
  ]);
  expect(await faultsOf({ explore: { dimensions: "page,a,b,c" } })).toEqual([
    expect.stringMatching(/^explore\.dimensions: /),
  ]);
  expect(await faultsOf({ explore: { chart: "pie" } })).toEqual([expect.stringMatching(/^explore\.chart: must/)]);
  expect(await faultsOf({ explore: { metrics: "visits" }, goal: "Joined" })).toEqual([
    expect.stringMatching(/^goal: belongs to/),
  ]);
  expect(await faultsOf({ explore: {}, panels: ["chart"] })).toEqual([expect.stringMatching(/^panels: must be \[\]/)]);
  await save("dashboard", site, { id, name: "By page", panels: ["chart"] });
  expect((await list("dashboard", site))[0]).toMatchObject({ explore: null, panels: ["chart"] });
});

test("a dashboard keeps a custom comparison range, and an invalid one is refused", async () => {
  const site = await makeSite();
  const days = { compare_from: "2025-01-01", compare_to: "2025-01-31" };
  const id = await idOf("dashboard", site, days);
  expect((await list("dashboard", site))[0]).toMatchObject({ ...days, compare: null });
  for (const [sent, field] of [
    [{ compare_from: days.compare_from }, "compare_to"],
    [{ compare_to: days.compare_to }, "compare_from"],
    [{ compare_from: days.compare_to, compare_to: days.compare_from }, "compare_from"],
    [{ ...days, compare: "none" }, "compare"],
  ] as const) {
    expect(await faults(save("dashboard", site, { id, ...sent }))).toEqual([
      expect.stringMatching(new RegExp(`^${field}: `)),
    ]);
  }
  await save("dashboard", site, { id, compare: "year_over_year" });
  const without = { compare: "year_over_year", compare_from: null, compare_to: null };
  expect((await list("dashboard", site))[0]).toMatchObject(without);
});

test("a goal's path is normalised like the paths of events, and a path that cannot match is refused", async () => {
  const site = await makeSite();
  const refusalOf = async (reached_by: object) => (await refused(save("goal", site, { reached_by })))?.code;
  for (const reached_by of [
    ...["thanks", "/a#b", "/a**b", ""].map((pattern) => ({ kind: "page", pattern })),
    { kind: "event", pattern: "" },
    { kind: "scroll", pattern: "/" },
  ]) {
    expect(await refusalOf(reached_by), JSON.stringify(reached_by)).toBe("invalid_input");
  }
  await save("goal", site, { reached_by: { kind: "page", pattern: "/café/../thé/*" } });
  expect(await list("goal", site)).toMatchObject([{ reached_by: { kind: "page", pattern: "/th%C3%A9/*" } }]);
});

const RULE = { metric: "conversions", goal: "Signup", condition: "below", threshold: 1, span: "day", channels: [] };
const saveRule = async (site: TestSite, name: string, sent: object = {}): Promise<number> =>
  (await call(site.ownerId, "sites.alerts.save", { site_id: site.id, ...RULE, name, ...sent })).id;

test("a goal in use cannot be deleted, and the error lists its users", async () => {
  const site = await makeSite();
  const id = await idOf("goal", site);
  const segment = await idOf("segment", site, { name: "Signed up", filters: { "goal:Signup": "yes" } });
  const experiment = await idOf("experiment", site);
  const rules = [
    await saveRule(site, "None"),
    await saveRule(site, "Few", { metric: "visits", goal: null, filters: { "goal:Signup": "no" } }),
  ];
  const refusal = await refused(remove("goal", site, id));
  expect(refusal?.code).toBe("invalid_input");
  expect(refusal?.message).toBe(
    "The goal Signup is used by the segment Signed up, the alert rule Few, the experiment Button, the alert rule None. Change or delete these first.",
  );
  expect(refusal?.details?.issues).toHaveLength(4);
  await save("goal", site, { id, reached_by: { kind: "page", pattern: "/welcome" } });
  await remove("segment", site, segment);
  await remove("experiment", site, experiment);
  for (const rule of rules) await call(site.ownerId, "sites.alerts.delete", { site_id: site.id, id: rule });
  await remove("goal", site, id);
  expect(await list("goal", site)).toEqual([]);
});

test("what uses a goal means the same under its new name, and nothing of another site changes", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const filters = { "goal:Signup": "no", country: "FR" };
  const use = async (of: TestSite) => {
    const id = await idOf("goal", of);
    await save("segment", of, { filters });
    await save("dashboard", of, { filters: { "goal:Signup": "yes" }, goal: "Signup" });
    await save("experiment", of);
    await saveRule(of, "None", { filters });
    return id;
  };
  const [id] = [await use(site), await use(other)];
  const usesIn = async (of: TestSite) => {
    const { rules } = await call(of.ownerId, "sites.alerts.list", { site_id: of.id });
    const [[segment], [dashboard], [experiment]] = [
      await list("segment", of),
      await list("dashboard", of),
      await list("experiment", of),
    ];
    return [segment.filters, dashboard.filters, dashboard.goal, experiment.goal, rules[0].goal, rules[0].filters];
  };
  const before = await usesIn(other);
  await save("goal", site, { id, name: "Joined" });
  const renamed = { "goal:Joined": "no", country: "FR" };
  expect(await usesIn(site)).toEqual([renamed, { "goal:Joined": "yes" }, "Joined", "Joined", "Joined", renamed]);
  expect(await usesIn(other)).toEqual(before);
  // Both would be one filter.
  await save("segment", site, { name: "Both", filters: { "goal:Joined": "yes", "goal:Left": "no" } });
  expect((await refused(save("goal", site, { id, name: "Left" })))?.message).toContain("the segment Both");
  expect(await namesOf("goal", site)).toEqual(["Joined"]);
});

test("a funnel has 2 to 10 steps and a window of at most 90 days", async () => {
  const site = await makeSite();
  const steps = (count: number) => ({ steps: Array.from({ length: count }, () => STEPS[0]) });
  for (const sent of [steps(1), steps(11), ...[0, 129_601, 1.5].map((window_minutes) => ({ window_minutes }))]) {
    expect((await refused(save("funnel", site, sent)))?.code, JSON.stringify(sent)).toBe("invalid_input");
  }
  const id = await idOf("funnel", site);
  expect(await list("funnel", site)).toMatchObject([{ steps: STEPS, window_minutes: 1440 }]);
  for (const sent of [steps(2), steps(10), { window_minutes: 1 }, { window_minutes: 129_600 }]) {
    expect(await save("funnel", site, { id, ...sent })).toMatchObject(sent);
  }
});

test("an experiment has 2 to 10 variants with unique names and positive weights, and keeps its first end time", async () => {
  const site = await makeSite();
  const [one, other] = [
    { name: "a", weight: 1 },
    { name: "b", weight: 1 },
  ];
  for (const variants of [
    ...[0, -1, Number.NaN, "1", 1e7].map((weight) => [{ name: "a", weight }, other]),
    [one],
    Array.from({ length: 11 }, (_, index) => ({ name: `${index}`, weight: 1 })),
    [one, { name: " a", weight: 1 }],
  ]) {
    expect((await refused(save("experiment", site, { variants })))?.code, JSON.stringify(variants)).toBe(
      "invalid_input",
    );
  }
  const id = await idOf("experiment", site, { ended: true });
  const later = new Date("2025-04-01T00:00:00Z");
  const endedAt = async (sent: object) =>
    (await save("experiment", site, { id, ...sent }, site.ownerId, later)).ended_at;
  expect(await endedAt({ ended: true })).toBe(CALL_TIME.toISOString());
  expect(await list("experiment", site)).toMatchObject([{ variants: VARIANTS, ended_at: CALL_TIME.toISOString() }]);
  expect(await endedAt({})).toBeNull();
});

test("sites.settings.get returns the ids and names of all saved objects", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  await save("segment", other, { name: "Theirs" });
  const ids = {
    segment: await idOf("segment", site, { name: "S" }),
    dashboard: await idOf("dashboard", site, { name: "D" }),
    goal: await idOf("goal", site, { name: "G" }),
    funnel: await idOf("funnel", site, { name: "F" }),
    experiment: await idOf("experiment", site, { name: "E" }),
  };
  expect((await call(site.ownerId, "sites.settings.get", { site_id: site.id })).saved).toEqual({
    segments: [{ id: ids.segment, name: "S" }],
    dashboards: [{ id: ids.dashboard, name: "D" }],
    goals: [{ id: ids.goal, name: "G", kind: "event", pattern: "signed_up" }],
    funnels: [{ id: ids.funnel, name: "F" }],
    experiments: [{ id: ids.experiment, name: "E" }],
  });
});

test("deleting an unknown id returns not_found", async () => {
  const site = await makeSite();
  expect((await refused(remove("funnel", site, randomUUID())))?.code).toBe("not_found");
});
