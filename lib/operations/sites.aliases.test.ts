import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { call, makeMember, refused, summaryOf } from "@/lib/testing/calls";
import { postTo } from "@/lib/testing/foreign";
import { makeSite, type TestSite } from "@/lib/testing/world";

const set = (site: TestSite, alias: string) => call(site.ownerId, "sites.aliases.set", { site_id: site.id, alias });
const listOf = async (site: TestSite) => {
  const { aliases } = (await call(site.ownerId, "sites.aliases.list", { site_id: site.id })) as {
    aliases: { alias: string }[];
  };
  return aliases.map(({ alias }) => alias);
};
const sendTo = (site: TestSite, website: string) =>
  postTo("/api/send", { type: "event", payload: { website, hostname: site.host, url: "/" } }).then(
    ({ status }) => status,
  );

test("events with a website id count in its site from when it is mapped, which may be done twice", async () => {
  const site = await makeSite();
  const id = randomUUID();
  await set(site, id);
  await set(site, id);
  expect(await listOf(site)).toEqual([id]);
  expect(await sendTo(site, id)).toBe(200);
});

test("a website id of another site cannot be mapped", async () => {
  const [one, two] = await Promise.all([makeSite(), makeSite()]);
  const id = randomUUID();
  await set(one, id);
  const refusal = await refused(set(two, id));
  expect(refusal?.details?.issues).toEqual([{ path: "alias", message: expect.stringContaining("another site") }]);
  expect([await listOf(one), await listOf(two)]).toEqual([[id], []]);
});

test("a removed website id is no longer of the site, and a person reads what that means", async () => {
  const site = await makeSite();
  const id = randomUUID();
  await set(site, id);
  expect(await summaryOf(site.ownerId, site.id, "sites.aliases.delete", { alias: id })).toEqual([
    { label: `Events with the website id ${id}`, before: "Counted", after: "Refused" },
  ]);
  await call(site.ownerId, "sites.aliases.delete", { site_id: site.id, alias: id });
  expect(await listOf(site)).toEqual([]);
  expect((await refused(call(site.ownerId, "sites.aliases.delete", { site_id: site.id, alias: id })))?.code).toBe(
    "not_found",
  );
});

test("what is no website id is refused, and a viewer maps none", async () => {
  const site = await makeSite();
  for (const text of ["", "ab", "with a space", "example.com", "x".repeat(65), "localhost"])
    expect((await refused(set(site, text)))?.code, text).toBe("invalid_input");
  const viewer = await makeMember(site.id, "viewer");
  expect((await refused(call(viewer, "sites.aliases.set", { site_id: site.id, alias: randomUUID() })))?.code).toBe(
    "role_denied",
  );
});
