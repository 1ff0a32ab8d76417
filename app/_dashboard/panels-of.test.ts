import { expect, test } from "vitest";
import { queryAs } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { makeSite, send } from "@/lib/testing/world";
import { panelsFromQuery } from "./panels-of";

const NOW = new Date("2025-03-12T15:30:00Z");

test("lists have labels and follow the filters of the URL, and an aborted request is not answered", async () => {
  const site = await makeSite();
  for (const [address, path] of [
    ["198.51.100.1", "/a"],
    ["198.51.100.2", "/a"],
    ["198.51.100.3", "/b"],
  ] as const) {
    const event = { name: "pageview", url: `https://${site.host}${path}` };
    await send(site, event, { at: new Date("2025-03-12T09:00:00Z"), address });
  }
  const listsOf = (address: string, signal?: AbortSignal) => {
    const as = queryAs({ kind: "owner", personId: site.ownerId }, signal);
    return panelsFromQuery({ as, siteId: site.id, now: NOW }, new URLSearchParams(address));
  };
  const { visitors, lists } = await listsOf("period=today");
  expect([visitors, lists.pages, lists.sources]).toEqual([
    3,
    [
      { value: "/a", text: "/a", visitors: 2 },
      { value: "/b", text: "/b", visitors: 1 },
    ],
    [{ value: null, text: "Direct or unknown", visitors: 3 }],
  ]);
  expect((await listsOf('period=today&filters={"page":"/b"}')).lists.pages.map(({ value }) => value)).toEqual(["/b"]);
  await expect(listsOf("period=today", AbortSignal.abort())).rejects.toMatchObject({ code: "unavailable" });
});

test("reached goals are included for members of a site only", async () => {
  const site = await makeSite();
  const goal = { siteId: site.id, kind: "page" as const, createdAt: NOW, updatedAt: NOW };
  await db().goal.createMany({
    data: [
      { ...goal, name: "Any page", pattern: "/**" },
      { ...goal, name: "Bought", pattern: "/thanks" },
      { ...goal, name: "Never", pattern: "/never" },
    ],
  });
  for (const [address, path] of [
    ["198.51.100.1", "/"],
    ["198.51.100.2", "/thanks"],
  ] as const) {
    const event = { name: "pageview", url: `https://${site.host}${path}` };
    await send(site, event, { at: new Date("2025-03-12T09:00:00Z"), address });
  }
  const as = queryAs({ kind: "owner", personId: site.ownerId });
  const context = { as, siteId: site.id, now: NOW };
  const today = new URLSearchParams("period=today");
  expect((await panelsFromQuery({ ...context, goals: true }, today)).goals).toEqual([
    { value: "Any page", text: "Any page", visitors: 2 },
    { value: "Bought", text: "Bought", visitors: 1 },
  ]);
  expect((await panelsFromQuery(context, today)).goals).toEqual([]);
});
