import { expect, test } from "vitest";
import { queryAs } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { makeSite, send } from "@/lib/testing/world";
import { panelsFromQuery } from "./panels-of";

const DIRECT = { value: null, text: "Direct or unknown", icon: "glyph-direct" };
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
      { value: "/a", text: "/a", visitors: 2, hostname: site.host },
      { value: "/b", text: "/b", visitors: 1, hostname: site.host },
    ],
    [{ ...DIRECT, visitors: 3 }],
  ]);
  expect((await listsOf('period=today&filters={"page":"/b"}')).lists.pages.map(({ value }) => value)).toEqual(["/b"]);
  await expect(listsOf("period=today", AbortSignal.abort())).rejects.toMatchObject({ code: "unavailable" });
});

test("each row has the visitors of its value in the comparison range, with filters, and none where that range is empty", async () => {
  const site = await makeSite();
  const seen = [
    ["11", "/a", "198.51.100.1"],
    ["11", "/a", "198.51.100.2"],
    ["11", "/gone", "198.51.100.3"],
    ["12", "/a", "198.51.100.1"],
    ["12", "/new", "198.51.100.1"],
  ] as const;
  for (const [day, path, address] of seen) {
    const event = { name: "pageview", url: `https://${site.host}${path}` };
    await send(site, event, { at: new Date(`2025-03-${day}T09:00:00Z`), address });
  }
  const as = queryAs({ kind: "owner", personId: site.ownerId });
  const listsOf = async (query: string) =>
    (await panelsFromQuery({ as, siteId: site.id, now: NOW }, new URLSearchParams(query))).lists;
  const counted = (rows: { value: string | null; visitors: number; before?: number }[]) =>
    rows.map(({ value, visitors, before }) => [value, visitors, before]);
  const days = "from=2025-03-12&to=2025-03-12";
  const lists = await listsOf(days);
  expect(counted(lists.pages)).toEqual([
    ["/a", 1, 2],
    ["/new", 1, 0],
  ]);
  expect(counted(lists.sources)).toEqual([[null, 1, 3]]);
  expect(counted((await listsOf(`${days}&filters={"page":"/a"}`)).sources)).toEqual([[null, 1, 2]]);
  expect(counted((await listsOf(`${days}&compare=none`)).pages)).toEqual([
    ["/a", 1, undefined],
    ["/new", 1, undefined],
  ]);
  expect(counted((await listsOf("from=2025-03-11&to=2025-03-11")).pages)[0]).toEqual(["/a", 2, undefined]);
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
    { value: "Any page", text: "Any page", visitors: 2, conversions: 2, conversion_rate: 1 },
    { value: "Bought", text: "Bought", visitors: 1, conversions: 1, conversion_rate: 0.5 },
  ]);
  expect((await panelsFromQuery(context, today)).goals).toEqual([]);
});

test("a page is on the host where it was seen most often in the range, and pages of several hosts are listed by host too", async () => {
  const site = await makeSite();
  const blog = `blog.${site.host}`;
  const [early, late] = [new Date("2025-03-11T09:00:00Z"), new Date("2025-03-12T09:00:00Z")];
  const seen = [
    [site.host, "/", late, "198.51.100.1"],
    [site.host, "/", late, "198.51.100.2"],
    [`www.${site.host}`, "/", late, "198.51.100.3"],
    [blog, "/", late, "198.51.100.1"],
    [blog, "/only-on-blog", late, "198.51.100.1"],
    [blog, "/%D8%B3", late, "198.51.100.1"],
    // Moved to the blog: more page views in all, but not in the range.
    [site.host, "/moved", early, "198.51.100.1"],
    [site.host, "/moved", early, "198.51.100.2"],
    [`xn--bcher-kva.${site.host}`, "/moved", late, "198.51.100.2"],
  ] as const;
  for (const [index, [host, path, from, address]] of seen.entries()) {
    const at = new Date(from.getTime() + index * 1000);
    await send(site, { name: "pageview", url: `https://${host}${path}` }, { at, address });
  }
  const as = queryAs({ kind: "owner", personId: site.ownerId });
  const panels = (query: string) =>
    panelsFromQuery({ as, siteId: site.id, now: NOW }, new URLSearchParams(`period=today${query}`));
  const { lists, pages_by_host } = await panels("");
  const hostsOf = (rows: { value: string | null; hostname?: string }[]) =>
    Object.fromEntries(rows.map(({ value, hostname }) => [value, hostname]));
  expect(hostsOf(lists.pages)).toEqual({
    "/": site.host,
    "/only-on-blog": blog,
    "/%D8%B3": blog,
    "/moved": `xn--bcher-kva.${site.host}`,
  });
  expect(hostsOf(lists.entry_pages)).toEqual({ "/": site.host });
  expect(hostsOf(lists.exit_pages)).toMatchObject({ "/%D8%B3": blog, "/moved": `xn--bcher-kva.${site.host}` });
  expect(lists.sources).toEqual([{ ...DIRECT, visitors: 3, before: 2 }]);
  expect(pages_by_host[0]).toEqual({ value: "/", hostname: site.host, text: `${site.host}/`, visitors: 3 });
  expect(pages_by_host.map(({ text, visitors }) => [text, visitors])).toEqual(
    expect.arrayContaining([
      [`${blog}/`, 1],
      [`${blog}/only-on-blog`, 1],
      [`${blog}/\u0633`, 1],
      [`bücher.${site.host}/moved`, 1],
    ]),
  );
  const ofBlog = await panels(`&filters=${encodeURIComponent(JSON.stringify({ hostname: blog }))}`);
  expect([hostsOf(ofBlog.lists.pages)["/"], ofBlog.pages_by_host]).toEqual([blog, []]);
});

test("robots are named with operator and purpose where other traffic than people's is shown, to members only", async () => {
  const site = await makeSite();
  const seen = [
    ["198.51.100.1", "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"],
    ["198.51.100.2", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
    ["198.51.100.3", "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"],
  ] as const;
  for (const [address, userAgent] of seen) {
    const event = { name: "pageview", url: `https://${site.host}/` };
    await send(site, event, { at: new Date("2025-03-12T09:00:00Z"), address, userAgent });
  }
  const context = { as: queryAs({ kind: "owner", personId: site.ownerId }), siteId: site.id, now: NOW };
  const robots = async (query: string, goals = true) =>
    (await panelsFromQuery({ ...context, ...(goals && { goals }) }, new URLSearchParams(`period=today&${query}`)))
      .robots;
  expect(await robots("traffic=ai")).toEqual({
    robots: [{ value: "GPTBot", text: "GPTBot · OpenAI · Training", icon: "plain/openai", visitors: 1 }],
    operators: [{ value: "OpenAI", text: "OpenAI", icon: "plain/openai", visitors: 1 }],
    purposes: [{ value: "training", text: "Training", visitors: 1 }],
  });
  const named = (await robots("traffic=all")).robots.map(({ text }) => text);
  expect(named).toEqual(expect.arrayContaining(["GPTBot · OpenAI · Training", "Googlebot · Google · Search index"]));
  expect(named).toHaveLength(3);
  const nothing = { robots: [], operators: [], purposes: [] };
  expect([await robots("traffic=human"), await robots("traffic=ai", false)]).toEqual([nothing, nothing]);
});
