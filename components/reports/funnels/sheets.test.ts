import { expect, test } from "vitest";
import { barsOf } from "@/components/reports/funnels/body";
import funnels from "@/lib/operations/analytics.funnels";
import { db } from "@/lib/platform/db";
import { reportAsOwner } from "@/lib/testing/reports";
import { makeSite, send } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";

test("a step and its drop-off lead to the visitors whom the funnel counts there, whatever a goal of the same name means", async () => {
  const site = await makeSite();
  const stored = { siteId: site.id, createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  await db().goal.create({ data: { ...stored, name: "Signup", kind: "page", pattern: "/never" } });
  const steps = [
    { kind: "page", pattern: "/pricing/**" },
    { kind: "event", pattern: "Signup" },
    { kind: "page", pattern: "/thanks" },
  ];
  await db().funnel.create({ data: { ...stored, name: "Joining", steps, windowMinutes: 60 } });
  const went = async (person: number, acts: string[]) => {
    for (const [minute, act] of acts.entries()) {
      const sent = act.startsWith("/") ? act : { name: act, url: `https://${site.host}/join` };
      await send(site, sent, { at: new Date(`2025-03-12T10:0${minute}:00Z`), address: `198.51.100.${person}` });
    }
  };
  await went(1, ["/pricing/team", "Signup", "/thanks"]);
  await went(2, ["/pricing", "Signup"]);
  await went(3, ["/pricing", "/docs"]);
  await went(4, ["/pricing/team"]);
  await went(5, ["/docs"]);
  const ask = (filters: object) => reportAsOwner(funnels, site, { period: "today", filters }, NOW);
  const {
    funnels: [funnel],
    meta,
  } = await ask({});
  const bars = barsOf(funnel as NonNullable<typeof funnel>, meta);
  const enteredBy = async (patch: (typeof bars)[number]["link"]) =>
    (await ask(JSON.parse(patch?.filters ?? "{}"))).funnels[0]?.steps.map(
      ({ visitors }: { visitors: number }) => visitors,
    );
  expect(bars.map(({ visitors }) => visitors)).toEqual([4, 2, 1]);
  expect(await enteredBy(bars[0]?.link ?? null)).toEqual([4, 2, 1]);
  expect(await enteredBy(bars[1]?.link ?? null)).toEqual([2, 2, 1]);
  expect(await enteredBy(bars[1]?.lostLink ?? null)).toEqual([2, 0, 0]);
  expect(await enteredBy(bars[2]?.lostLink ?? null)).toEqual([1, 1, 0]);
});
