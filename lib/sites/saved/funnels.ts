import { z } from "zod";
import { type FunnelStep, stepsShape } from "@/lib/analytics/funnel-steps";
import { siteId } from "@/lib/contract/fields";
import { db, type Prisma } from "@/lib/db";
import type { PeopleChange } from "@/lib/sites/members";
import { type Kind, remove, save, savedId, savedName } from "@/lib/sites/saved/change";

const LONGEST_WINDOW = 90 * 24 * 60;
const WINDOW = `must be a whole number of minutes from 1 to ${LONGEST_WINDOW}`;

/** Steps that visitors take one after the other, all within the window after the first; a day if not told. */
export const funnelInput = z.strictObject({
  site_id: siteId,
  id: savedId,
  name: savedName(),
  steps: stepsShape,
  window_minutes: z.int(WINDOW).min(1, WINDOW).max(LONGEST_WINDOW, WINDOW).default(1440),
});
export type FunnelInput = z.output<typeof funnelInput>;

interface Row {
  name: string;
  steps: FunnelStep[];
  windowMinutes: number;
}

const json = <R extends Row>({ steps, ...row }: R) => ({ ...row, steps: steps as unknown as Prisma.InputJsonArray });

const FUNNELS: Kind<string, Row> = {
  word: "funnel",
  count: (tx, siteId) => tx.funnel.count({ where: { siteId } }),
  create: async (tx, row) => (await tx.funnel.create({ data: json(row) })).id,
  update: (tx, siteId, id, row, now) =>
    tx.funnel.updateMany({ where: { siteId, id }, data: { ...json(row), updatedAt: now } }),
  remove: (tx, siteId, id) => tx.funnel.deleteMany({ where: { siteId, id } }),
};

/** The funnels of a site, by name. */
export async function listFunnels(siteId: number) {
  const rows = await db().funnel.findMany({ where: { siteId }, orderBy: { name: "asc" } });
  return rows.map((row) => ({ ...row, steps: row.steps as unknown as FunnelStep[] }));
}

/** @returns its id. @throws Refusal as `save` does. */
export const saveFunnel = (by: PeopleChange, { id, name, steps, window_minutes }: FunnelInput): Promise<string> =>
  save(by, FUNNELS, id ?? null, { name, steps, windowMinutes: window_minutes });

export const deleteFunnel = (by: PeopleChange, id: string): Promise<void> => remove(by, FUNNELS, id);
