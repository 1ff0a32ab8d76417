import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { FunnelStep } from "@/lib/contract/funnel-steps";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite, input: object) =>
  reportAsAgent("analytics.funnels", site, { period: "7d", ...input }, NOW);

/** Sends the paths and events of one visitor, one minute apart. */
async function live(site: TestSite, who: number, steps: string[]): Promise<void> {
  for (const [minute, what] of steps.entries()) {
    const event = what.startsWith("/") ? what : { name: what, url: `https://${site.host}/` };
    await send(site, event, { at: `2025-03-12T09:0${minute}:00Z`, address: `198.51.100.${who}` });
  }
}

const save = (site: TestSite, name: string, steps: FunnelStep[]) =>
  db().funnel.create({
    data: { id: randomUUID(), siteId: site.id, name, steps, windowMinutes: 60, createdAt: NOW, updatedAt: NOW },
  });

test("each step has visitors, conversion from the first and the previous step, and drop-off", async () => {
  const site = await makeSite();
  await live(site, 1, ["/pricing", "Signup", "/thanks"]);
  await live(site, 2, ["/pricing", "Signup"]);
  for (const who of [3, 4]) await live(site, who, ["/pricing"]);
  const { funnels, meta } = await fetchReport(site, { funnel: "/pricing > event:Signup > /thanks" });
  expect(funnels).toEqual([
    {
      funnel_id: null,
      name: "/pricing > event:Signup > /thanks",
      window_minutes: 1440,
      entered: 4,
      converted: 1,
      conversion_rate: 0.25,
      steps: [
        {
          name: "/pricing",
          kind: "page",
          pattern: "/pricing",
          visitors: 4,
          conversion_from_first: 1,
          conversion_from_previous: null,
          drop_off: 0,
          drop_off_rate: null,
        },
        {
          name: "Signup",
          kind: "event",
          pattern: "Signup",
          visitors: 2,
          conversion_from_first: 0.5,
          conversion_from_previous: 0.5,
          drop_off: 2,
          drop_off_rate: 0.5,
        },
        {
          name: "/thanks",
          kind: "page",
          pattern: "/thanks",
          visitors: 1,
          conversion_from_first: 0.25,
          conversion_from_previous: 0.5,
          drop_off: 1,
          drop_off_rate: 0.5,
        },
      ],
      comparison: null,
    },
  ]);
  expect(meta).toMatchObject({ row_limit: 20, truncated: false });
});

test("the comparison of an unfinished range ends at the same time of day", async () => {
  const site = await makeSite();
  const views = [
    ["/a", 1, "12T09:00:00"],
    ["/a", 2, "11T15:00:00"],
    ["/a", 3, "11T15:29:59"],
  ] as const;
  const later = [
    ["/b", 2, "11T15:29:00"],
    ["/b", 3, "11T15:31:00"],
  ] as const;
  for (const [path, who, at] of [...views, ...later])
    await send(site, path, { at: `2025-03-${at}Z`, address: `198.51.100.${who}` });
  const { funnels } = await fetchReport(site, { funnel: "/a > /b", period: "today", compare: "previous_period" });
  expect([funnels[0].entered, funnels[0].converted]).toEqual([1, 0]);
  expect([funnels[0].comparison.entered, funnels[0].comparison.converted]).toEqual([2, 1]);
});

test("without a funnel, all saved funnels of the site are returned, with a name or id only that one", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const steps: FunnelStep[] = [
    { kind: "page", pattern: "/a", name: "Look" },
    { kind: "page", pattern: "/b" },
  ];
  const second = await save(site, "Second", steps);
  await save(site, "First", steps);
  const foreign = await save(other, "Other", steps);
  const { funnels } = await fetchReport(site, {});
  expect(funnels.map(({ name }: { name: string }) => name)).toEqual(["First", "Second"]);
  expect(funnels[0]).toMatchObject({ entered: 0, conversion_rate: null });
  expect(funnels[0].steps.map((step: { name: string }) => step.name)).toEqual(["Look", "/b"]);
  for (const funnel of ["Second", second.id]) {
    const named = await fetchReport(site, { funnel });
    expect(named.funnels).toMatchObject([{ funnel_id: second.id, name: "Second", window_minutes: 60 }]);
  }
  for (const funnel of ["Other", foreign.id, "/pricing"]) {
    const refused = await fetchReport(site, { funnel });
    expect(refused.code).toBe("not_found");
    expect(refused.message).toContain("/pricing > event:Signup > /thanks");
  }
});

test.each([
  ["a step that is not a path", "/a > pricing", "step 2"],
  ["an event without a name", "/a > event:", "step 2"],
  ["more than ten steps", Array(11).fill("/a").join(" > "), "2 to 10 steps"],
])("%s is refused with the funnel syntax", async (_, funnel, reason) => {
  const refused = await fetchReport(await makeSite(), { funnel });
  expect([refused.code, refused.details.issues[0].path]).toEqual(["invalid_input", "funnel"]);
  expect(refused.message).toContain(reason);
  expect(refused.message).toContain("/pricing > event:Signup > /thanks");
});
