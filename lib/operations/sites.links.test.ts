import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { callApproved } from "@/lib/testing/approved";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { EMAIL_TIME } from "@/lib/testing/emails";
import { callApi, makeSite, siteWithAgent } from "@/lib/testing/world";

const NOW = EMAIL_TIME;

test("an agent creates and revokes a link only with an approval that says what it shows, and lists it without its secret", async () => {
  const { site, agent } = await siteWithAgent(["sites:read", "sites:write"], NOW);
  const asked = { token: agent.token, approverId: site.ownerId, now: NOW };
  const input = { site_id: site.id, name: "Press", period: "28d", panels: ["pages"], expires_in_days: 7 };
  const made = await callApproved("sites.links.create", { ...asked, input });
  const { url, link_id } = made.body.data;
  expect(url).toMatch(/\/s\/[\w-]{43}$/);
  expect(JSON.stringify(made.lines)).toContain("Last 28 days");
  const listed = await callApi("sites.links.list", { token: agent.token, input: { site_id: site.id }, now: NOW });
  expect(listed.body.data.links).toMatchObject([{ link_id, name: "Press", url: null, embed_url: null, uses: 0 }]);
  expect(JSON.stringify(listed.body)).not.toContain(url.split("/s/")[1]);
  const stored = JSON.stringify(
    [
      await db().audit.findMany({ where: { siteId: site.id } }),
      await db().approval.findMany({ where: { siteId: site.id } }),
      await db().shareLink.findMany({ where: { siteId: site.id } }),
    ],
    (_, value) => (typeof value === "bigint" ? `${value}` : value),
  );
  expect(stored).not.toContain(url.split("/s/")[1]);
  await callApproved("sites.links.revoke", { ...asked, input: { site_id: site.id, link_id } });
  expect((await call(site.ownerId, "sites.links.list", { site_id: site.id }, NOW)).links).toEqual([]);
});

test("an agent sets no password, because its call is stored while it waits for approval", async () => {
  const { site, agent } = await siteWithAgent(["sites:write"], NOW);
  const input = { site_id: site.id, name: "Press", password: "correct horse battery" };
  const { status, body } = await callApi("sites.links.create", {
    token: agent.token,
    input,
    key: randomUUID(),
    now: NOW,
  });
  expect([status, body.error.code]).toEqual([422, "invalid_input"]);
  expect(JSON.stringify(body)).toContain("password");
});

test("the segment of a link keeps its filters and is not deleted, so that the link never shows more", async () => {
  const site = await makeSite();
  const as = (id: string, input: object) => call(site.ownerId, id, { site_id: site.id, ...input }, NOW);
  const { id } = await as("sites.segments.save", { name: "Open", filters: { page: "/open" } });
  const { link_id } = await as("sites.links.create", { name: "Press", segment: id });
  expect(await faults(as("sites.segments.save", { id, name: "Open", filters: { page: "/" } }))).toEqual([
    "filters: is what private links show (Press); revoke them first, or save another segment",
  ]);
  expect(await faults(as("sites.segments.delete", { id }))).toEqual([
    "id: is what private links show (Press); revoke them first, or save another segment",
  ]);
  expect((await as("sites.segments.save", { id, name: "Renamed", filters: { page: "/open" } })).name).toBe("Renamed");
  await as("sites.links.revoke", { link_id });
  expect((await as("sites.segments.delete", { id })).id).toBe(id);
});

test("limits that contradict each other are refused by name, and nothing is created", async () => {
  const site = await makeSite();
  const other = await makeSite();
  const { id } = await call(
    other.ownerId,
    "sites.segments.save",
    { site_id: other.id, name: "Theirs", filters: {} },
    NOW,
  );
  const make = (input: object) =>
    call(site.ownerId, "sites.links.create", { site_id: site.id, name: "Press", ...input }, NOW);
  for (const [input, field] of [
    [{ dashboard: false }, "reports"],
    [{ dashboard: false, reports: ["events"], panels: ["pages"] }, "panels"],
    [{ from: "2025-01-01" }, "to"],
    [{ to: "2025-01-01" }, "from"],
    [{ from: "2025-01-02", to: "2025-01-01" }, "from"],
    [{ period: "7d", from: "2025-01-01", to: "2025-01-02" }, "period"],
    [{ period: "all" }, "period"],
    [{ period: "28d", reports: ["changes"] }, "reports"],
    [{ reports: ["realtime"] }, "reports"],
    [{ panels: ["event_names"] }, "panels"],
    [{ panels: ["pages", "pages"] }, "panels"],
    [{ embeds: true, password: "correct horse battery" }, "password"],
    [{ password: "short" }, "password"],
    [{ name: " " }, "name"],
    [{ expires_in_days: 0 }, "expires_in_days"],
  ] as const)
    expect(
      (await faults(make(input))).map((fault) => fault.split(/[.:]/)[0]),
      JSON.stringify(input),
    ).toContain(field);
  expect((await refused(make({ segment: id })))?.code).toBe("not_found");
  expect(await db().shareLink.count({ where: { siteId: site.id } })).toBe(0);
});

test("viewers and members of other sites neither see, create nor revoke links", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const { link_id } = await call(site.ownerId, "sites.links.create", { site_id: site.id, name: "Press" }, NOW);
  const viewer = await makeMember(site.id, "viewer");
  for (const [id, input] of [
    ["sites.links.list", {}],
    ["sites.links.create", { name: "Mine" }],
    ["sites.links.revoke", { link_id }],
  ] as const) {
    expect((await refused(call(viewer, id, { site_id: site.id, ...input }, NOW)))?.code, id).toBe("role_denied");
    expect((await refused(call(other.ownerId, id, { site_id: site.id, ...input }, NOW)))?.code, id).toBe(
      "site_not_granted",
    );
  }
  const foreign = call(other.ownerId, "sites.links.revoke", { site_id: other.id, link_id }, NOW);
  expect((await refused(foreign))?.code).toBe("not_found");
});
