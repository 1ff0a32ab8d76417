import { expect, test } from "vitest";
import { restorationOf } from "@/lib/agents/restoration";
import type { AnyOperation } from "@/lib/contract/define";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { callApi, siteWithAgent } from "@/lib/testing/world";

/** What an agent deletes without approval can be restored. */

const AT_ONCE = [...OPERATIONS.values()].filter(
  ({ id, risk }) => id.endsWith(".delete") && risk === "write",
) as AnyOperation[];
const kindOf = ({ id }: AnyOperation) => id.slice(0, -".delete".length);

/** The example of the operation that saves this kind of object, and others that have other fields. */
const saved = (kind: string): object[] => {
  const saving = OPERATIONS.get(`${kind}.save`) ?? OPERATIONS.get(`${kind}.set`);
  const more: Record<string, object> = {
    "sites.annotations": { time: "2026-11-20T09:30:00Z", text: "Launch", url: "https://example.com/notes" },
    "sites.experiments": { ...saving?.example, name: "ended", ended: true },
    "sites.dashboards": { name: "Spring", filters: {}, from: "2026-03-01", to: "2026-05-31", panels: ["pages"] },
  };
  return [saving?.example ?? {}, ...(more[kind] ? [more[kind]] : [])];
};

test.each(AT_ONCE)("$id of an agent is undone by one call, whatever the object has", async (op) => {
  const { site, agent } = await siteWithAgent(["sites:write"]);
  const kind = kindOf(op);
  const saving = OPERATIONS.has(`${kind}.save`) ? `${kind}.save` : `${kind}.set`;
  const run = async (operation: string, input: object) => {
    const { status, body } = await callApi(operation, { token: agent.token, input: { ...input, site_id: site.id } });
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  };
  for (const example of saved(kind)) {
    const before = await run(saving, example);
    const keys = Object.keys(op.input.shape).filter((key) => key !== "site_id");
    const deleted = await run(op.id, Object.fromEntries(keys.map((key) => [key, before[key]])));
    const row = await db().audit.findFirstOrThrow({
      where: { clientId: agent.id, operation: op.id },
      orderBy: { id: "desc" },
    });
    const now = new Date(row.at.getTime() + 30 * DAY_MS);
    const restoration = restorationOf(row, now);
    expect(restoration?.operation).toBe(saving);
    const after = await run(saving, restoration?.input ?? {});
    const { id: _, updated_at: __, ended_at, replaced: ___, ...rest } = after;
    expect(deleted).toMatchObject(rest);
    expect(deleted.ended_at === null).toBe(ended_at === null);
    expect(restorationOf(row, new Date(now.getTime() + 1))).toBeNull();
  }
});

test("deletions that need approval and other changes have no such call", () => {
  const row = { siteId: 1, detail: { name: "Signup" }, at: new Date(0) };
  for (const operation of ["sites.delete", "sites.goals.save", "sites.exclusions.delete", "agents.revoke"])
    expect(restorationOf({ ...row, operation }, new Date(0))).toBeNull();
});
