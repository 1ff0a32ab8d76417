import { expect, test } from "vitest";
import { approvalFor } from "@/lib/agents/approval-inbox";
import { lossOf } from "@/lib/agents/loss";
import { callApi, makeSite, send, siteWithAgent } from "@/lib/testing/world";

/** What the person sees who decides about a deletion. */

const NOW = new Date("2026-11-20T12:00:00Z");

test("the loss of a site is its events and the months that they are of", async () => {
  const site = await makeSite({ timezone: "UTC", now: new Date("2026-08-01T00:00:00Z") });
  expect(await lossOf(site.id, null, NOW)).toEqual({ events: 0, more: false, since: null, days: 0 });
  for (const at of ["2026-08-20T10:00:00Z", "2026-10-01T10:00:00Z", "2026-11-20T10:00:00Z"])
    await send(site, "/", { at });
  expect(await lossOf(site.id, null, NOW)).toEqual({ events: 3, more: false, since: "2026-08-20", days: 93 });
  expect(await lossOf(site.id, 1, NOW)).toEqual({ events: 2, more: false, since: "2026-08-20", days: 61 });
  expect(await lossOf(site.id, 24, NOW)).toMatchObject({ events: 0, since: null });
  expect(await lossOf(2_000_000_000, null, NOW)).toBeNull();
});

test("a pending deletion shows its loss and asks for the domain; events that arrive later do not void it", async () => {
  const { site, agent } = await siteWithAgent(["sites:write", "sites:delete"]);
  await send(site, "/");
  const ask = (operation: string, input: object) =>
    callApi(operation, { token: agent.token, input: { site_id: site.id, ...input } });
  const pending = async (answer: ReturnType<typeof ask>) =>
    approvalFor((await answer).body.error.details.approval.id, site.ownerId, new Date());
  const deletion = ask("sites.delete", {});
  expect(await pending(deletion)).toMatchObject({ loss: { events: 1 }, typed: site.host });
  await send(site, "/later");
  const again = ask("sites.delete", {});
  expect((await again).body.error.details.approval.id).toBe((await deletion).body.error.details.approval.id);
  expect(await pending(again)).toMatchObject({ loss: { events: 2 }, typed: site.host });
  expect(await pending(ask("sites.retention.update", { retention_months: 12 }))).toMatchObject({
    loss: { events: 0 },
    typed: null,
  });
  expect(await pending(ask("sites.retention.update", { retention_months: null }))).toMatchObject({ loss: null });
  expect(await pending(ask("sites.monitoring", { enabled: true }))).toMatchObject({ loss: null, typed: null });
});
