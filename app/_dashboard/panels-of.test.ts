import { expect, test } from "vitest";
import { askAs } from "@/lib/gateway/execute";
import { makeSite, send } from "@/lib/testing/world";
import { panelsAsked } from "./panels-of";

const NOW = new Date("2025-03-12T15:30:00Z");

test("the lists of an address are told in words, narrowed as it says, and not at all when nobody waits for them", async () => {
  const site = await makeSite();
  for (const [address, path] of [
    ["198.51.100.1", "/a"],
    ["198.51.100.2", "/a"],
    ["198.51.100.3", "/b"],
  ] as const) {
    const event = { name: "pageview", url: `https://${site.host}${path}` };
    await send(site, event, { at: new Date("2025-03-12T09:00:00Z"), address });
  }
  const listsOf = (address: string, gone?: AbortSignal) => {
    const as = askAs({ kind: "owner", personId: site.ownerId }, gone);
    return panelsAsked({ as, siteId: site.id, now: NOW }, new URLSearchParams(address));
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
