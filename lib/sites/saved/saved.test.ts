import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { dashboardInput, deleteDashboard, listDashboards, saveDashboard } from "@/lib/sites/saved/dashboards";
import { deleteExperiment, experimentInput, listExperiments, saveExperiment } from "@/lib/sites/saved/experiments";
import { deleteFunnel, funnelInput, listFunnels, saveFunnel } from "@/lib/sites/saved/funnels";
import { deleteGoal, goalInput, listGoals, saveGoal } from "@/lib/sites/saved/goals";
import { makersOf } from "@/lib/sites/saved/makers";
import { deleteSegment, listSegments, saveSegment, segmentInput } from "@/lib/sites/saved/segments";
import { call, faults, makeMember, refused, revisionOf } from "@/lib/testing/calls";
import { makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T12:00:00Z");
const by = (site: TestSite, personId = site.ownerId) => ({ personId, siteId: site.id, requestId: "r", now: NOW });

/** Saves as a deed would: what a page sends is read by the shape first. */
const segment = (site: TestSite, sent: object, who = by(site)) =>
  saveSegment(who, segmentInput.parse({ site_id: site.id, name: "French", filters: { country: "FR" }, ...sent }));
const dashboard = (site: TestSite, sent: object) =>
  saveDashboard(
    by(site),
    dashboardInput.parse({ site_id: site.id, name: "Mornings", filters: {}, panels: [], ...sent }),
  );
const goal = (site: TestSite, sent: object) =>
  saveGoal(
    by(site),
    goalInput.parse({ site_id: site.id, name: "Signup", reached_by: { kind: "event", pattern: "signed_up" }, ...sent }),
  );
const STEPS = [
  { kind: "page", pattern: "/pricing/**" },
  { kind: "event", pattern: "Signup", name: "Signed up" },
];
const funnel = (site: TestSite, sent: object) =>
  saveFunnel(by(site), funnelInput.parse({ site_id: site.id, name: "Buying", steps: STEPS, ...sent }));
const VARIANTS = [
  { name: "old", weight: 1 },
  { name: "new", weight: 2.5 },
];
const experiment = (site: TestSite, sent: object) =>
  saveExperiment(
    by(site),
    experimentInput.parse({ site_id: site.id, name: "Button", variants: VARIANTS, goal: "Signup", ...sent }),
  );

const KINDS = {
  segment: { save: segment, list: listSegments, remove: deleteSegment },
  dashboard: { save: dashboard, list: listDashboards, remove: deleteDashboard },
  goal: { save: goal, list: listGoals, remove: deleteGoal },
  funnel: { save: funnel, list: listFunnels, remove: deleteFunnel },
  experiment: { save: experiment, list: listExperiments, remove: deleteExperiment },
} as const;

interface AnyKind {
  save(site: TestSite, sent: object): Promise<string | number>;
  list(siteId: number): Promise<{ id: string | number; name: string; updatedAt: Date }[]>;
  remove(who: ReturnType<typeof by>, id: string | number): Promise<void>;
}

for (const [word, kind] of Object.entries(KINDS) as unknown as [string, AnyKind][]) {
  test(`a ${word} is saved, changed under its id, listed by name and deleted, and the audit tells each`, async () => {
    const site = await makeSite();
    const id = await kind.save(site, { name: "b" });
    await kind.save(site, { name: "a" });
    expect(await kind.save(site, { id, name: "c" })).toBe(id);
    expect((await kind.list(site.id)).map(({ name }) => name)).toEqual(["a", "c"]);
    await kind.remove(by(site), id);
    expect((await kind.list(site.id)).map(({ name }) => name)).toEqual(["a"]);
    const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
    const told = audit.map(({ operation }) => operation).filter((operation) => operation.startsWith(word));
    expect(told).toEqual([`${word}s.save`, `${word}s.save`, `${word}s.save`, `${word}s.delete`]);
  });

  test(`two ${word}s of one site never have one name, also when they are saved at once`, async () => {
    const [site, other] = [await makeSite(), await makeSite()];
    const outcomes = await Promise.all([1, 2, 3].map(() => faults(kind.save(site, { name: " same " }))));
    const taken = [`name: is the name of another ${word} of the site; choose another`];
    expect(outcomes.filter((outcome) => outcome.length > 0)).toEqual([taken, taken]);
    const id = await kind.save(site, { name: "another" });
    expect(await faults(kind.save(site, { id, name: "same" }))).toEqual(taken);
    await kind.save(other, { name: "same" });
  });

  test(`a ${word} of another site is not there`, async () => {
    const [site, other] = [await makeSite(), await makeSite()];
    const id = await kind.save(other, { name: "theirs" });
    expect((await refused(kind.save(site, { id, name: "ours" })))?.code).toBe("not_found");
    expect((await refused(kind.remove(by(site), id)))?.code).toBe("not_found");
    expect((await kind.list(other.id)).map(({ name }) => name)).toEqual(["theirs"]);
  });

  test(`only managers and owners delete a ${word}`, async () => {
    const site = await makeSite();
    const id = await kind.save(site, {});
    const [viewer, manager] = [await makeMember(site.id, "viewer"), await makeMember(site.id, "manager")];
    expect((await refused(kind.remove(by(site, viewer), id)))?.code).toBe("role_denied");
    expect((await refused(kind.remove(by(site, await makePerson()), id)))?.code).toBe("site_not_granted");
    await kind.remove(by(site, manager), id);
  });
}

test("who made something stays its maker when another changes it, and is named to those of the site while they are of it", async () => {
  const site = await makeSite();
  const maker = await makeMember(site.id, "manager");
  const id = await segment(site, {}, by(site, maker));
  await segment(site, { id, name: "Renamed" });
  const [saved] = await listSegments(site.id);
  expect(saved).toMatchObject({ name: "Renamed", createdById: maker });
  const { email } = await db().person.findUniqueOrThrow({ where: { id: maker } });
  const asReadBy = async (readerId: number) => (await makersOf(site.id, readerId))(saved?.createdById ?? null);
  expect([await asReadBy(maker), await asReadBy(site.ownerId)]).toEqual(["you", email]);
  await db().membership.deleteMany({ where: { siteId: site.id, personId: maker } });
  expect(await asReadBy(site.ownerId)).toBeNull();
});

test("only managers and owners save, and an approval that waits is not disturbed by it", async () => {
  const site = await makeSite();
  const viewer = await makeMember(site.id, "viewer");
  const before = await revisionOf(site.id);
  expect((await refused(segment(site, {}, by(site, viewer))))?.code).toBe("role_denied");
  await segment(site, {}, by(site, await makeMember(site.id, "manager")));
  expect(await revisionOf(site.id)).toBe(before);
});

test("a site has at most a hundred of each kind", async () => {
  const site = await makeSite();
  const row = (index: number) => ({ siteId: site.id, name: `${index}`, filters: {}, createdAt: NOW, updatedAt: NOW });
  await db().segment.createMany({ data: Array.from({ length: 99 }, (_, index) => row(index)) });
  const outcomes = await Promise.all(["x", "y"].map((name) => faults(segment(site, { name }))));
  const full = ["name: is one too many; a site has at most 100 segments, so delete one first"];
  expect(outcomes.filter((outcome) => outcome.length > 0)).toEqual([full]);
});

test("filters are saved only when a report would take them", async () => {
  const site = await makeSite();
  expect(await faults(segment(site, { filters: { planet: "Mars" } }))).toEqual([
    expect.stringMatching(/^filters\.planet: is not known; there are/),
  ]);
  expect(await faults(dashboard(site, { filters: { page: { matches: "(" } } }))).toEqual([
    expect.stringMatching(/^filters\.page\.matches: is not an RE2 regular expression/),
  ]);
  expect(await faults(segment(site, { filters: { page: { like: "/a" } } }))).toHaveLength(1);
  expect(segmentInput.safeParse({ site_id: 1, name: "x", filters: ["FR"] }).success).toBe(false);
});

test("a segment that is saved answers under its id", async () => {
  const site = await makeSite();
  await send(site, "/a", { at: "2025-03-12T10:00:00Z" });
  await send(site, "/b", { at: "2025-03-12T10:00:00Z", address: "203.0.113.8" });
  const id = await segment(site, { filters: { page: "/a" } });
  const asked = { site_id: site.id, period: "today" };
  expect((await call(site.ownerId, "analytics.overview", { ...asked, segment: id })).metrics.visitors).toBe(1);
  await segment(site, { id, filters: { page: ["/a", "/b"] } });
  expect((await call(site.ownerId, "analytics.overview", { ...asked, segment: id })).metrics.visitors).toBe(2);
});

test("a dashboard's range and panels are of the vocabulary", async () => {
  const site = await makeSite();
  expect(await faults(dashboard(site, { period: "custom" }))).toEqual(["from: is required for a custom range"]);
  expect(await faults(dashboard(site, { from: "2025-02-02", to: "2025-02-01" }))).toHaveLength(1);
  const shaped = (sent: object) =>
    dashboardInput.safeParse({ site_id: 1, name: "x", filters: {}, panels: [], ...sent }).success;
  expect(shaped({ panels: ["chart", "pages"], period: "7d", traffic: "bot" })).toBe(true);
  expect(
    [{ panels: ["secrets"] }, { panels: ["chart", "chart"] }, { period: "9d" }, { traffic: "x" }, { compare: "x" }].map(
      shaped,
    ),
  ).toEqual([false, false, false, false, false]);
  const kept = { panels: ["seo", "chart"], period: "7d", traffic: "ai", compare: "year_over_year" };
  await dashboard(site, kept);
  expect(await listDashboards(site.id)).toMatchObject([kept]);
});

test("a goal's path is kept as paths of events are, and one that no path can meet is refused", async () => {
  const site = await makeSite();
  await goal(site, { reached_by: { kind: "page", pattern: "/café/../thé/*" } });
  expect(await listGoals(site.id)).toMatchObject([{ kind: "page", pattern: "/th%C3%A9/*" }]);
  const read = (reached_by: object) => goalInput.safeParse({ site_id: 1, name: "x", reached_by }).success;
  for (const pattern of ["thanks", "/a?b=1", "/a**b", ""]) expect(read({ kind: "page", pattern }), pattern).toBe(false);
  expect(read({ kind: "event", pattern: "" })).toBe(false);
  expect(read({ kind: "scroll", pattern: "/" })).toBe(false);
});

test("a goal that something saved asks for is neither deleted nor renamed, and the refusal names what asks", async () => {
  const site = await makeSite();
  const id = await goal(site, { name: "Signup" });
  const asking = await segment(site, { name: "Signed up", filters: { "goal:Signup": "yes" } });
  const tried = await experiment(site, { name: "Button", goal: "Signup" });
  for (const refusal of [await refused(deleteGoal(by(site), id)), await refused(goal(site, { id, name: "Joined" }))]) {
    expect(refusal?.code).toBe("invalid_input");
    expect(refusal?.message).toBe(
      "The goal Signup is asked for by the segment Signed up, the experiment Button; change or delete these first.",
    );
    expect(refusal?.details?.issues).toHaveLength(2);
  }
  await goal(site, { id, name: "Signup", reached_by: { kind: "page", pattern: "/welcome" } });
  await deleteSegment(by(site), asking);
  await deleteExperiment(by(site), tried);
  await deleteGoal(by(site), id);
  expect(await listGoals(site.id)).toEqual([]);
});

test("a funnel has 2 to 10 steps and a window of at most 90 days", async () => {
  const site = await makeSite();
  const read = (sent: object) => funnelInput.safeParse({ site_id: 1, name: "x", steps: STEPS, ...sent }).success;
  const steps = (count: number) => ({ steps: Array.from({ length: count }, () => STEPS[0]) });
  expect([1, 2, 10, 11].map((count) => read(steps(count)))).toEqual([false, true, true, false]);
  expect([0, 1, 129_600, 129_601, 1.5].map((window_minutes) => read({ window_minutes }))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  await funnel(site, {});
  expect(await listFunnels(site.id)).toMatchObject([{ steps: STEPS, windowMinutes: 1440 }]);
});

test("an experiment has 2 to 10 variants of their own names with weights above 0, and ends once", async () => {
  const site = await makeSite();
  const read = (variants: object[]) =>
    experimentInput.safeParse({ site_id: 1, name: "x", goal: "Signup", variants }).success;
  expect(read(VARIANTS)).toBe(true);
  for (const weight of [0, -1, Number.NaN, "1", 1e7])
    expect(
      read([
        { name: "a", weight },
        { name: "b", weight: 1 },
      ]),
    ).toBe(false);
  expect(read([{ name: "a", weight: 1 }])).toBe(false);
  expect(
    read([
      { name: "a", weight: 1 },
      { name: " a", weight: 1 },
    ]),
  ).toBe(false);
  const id = await experiment(site, { ended: true });
  const later = { ...by(site), now: new Date("2025-04-01T00:00:00Z") };
  const input = { site_id: site.id, id, name: "Button", variants: VARIANTS, goal: "Signup" };
  await saveExperiment(later, experimentInput.parse({ ...input, ended: true }));
  expect(await listExperiments(site.id)).toMatchObject([{ variants: VARIANTS, endedAt: NOW }]);
  await saveExperiment(later, experimentInput.parse(input));
  expect(await listExperiments(site.id)).toMatchObject([{ endedAt: null }]);
});

test("an agent finds the ids and names of what is saved with the settings", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  await segment(other, { name: "Theirs" });
  const ids = {
    segment: await segment(site, { name: "S" }),
    dashboard: await dashboard(site, { name: "D" }),
    goal: await goal(site, { name: "G" }),
    funnel: await funnel(site, { name: "F" }),
    experiment: await experiment(site, { name: "E" }),
  };
  expect((await call(site.ownerId, "sites.settings.get", { site_id: site.id })).saved).toEqual({
    segments: [{ id: ids.segment, name: "S" }],
    dashboards: [{ id: ids.dashboard, name: "D" }],
    goals: [{ id: ids.goal, name: "G", kind: "event", pattern: "signed_up" }],
    funnels: [{ id: ids.funnel, name: "F" }],
    experiments: [{ id: ids.experiment, name: "E" }],
  });
});

test("an id that nothing has is not found", async () => {
  const site = await makeSite();
  expect((await refused(deleteFunnel(by(site), randomUUID())))?.code).toBe("not_found");
});
