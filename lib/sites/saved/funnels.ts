import { z } from "zod";
import { type FunnelStep, stepsShape } from "@/lib/analytics/funnel-steps";
import { REACHED_BY } from "@/lib/analytics/reached-by";
import { siteId, untrusted } from "@/lib/contract/fields";
import { type Db, db, type Prisma } from "@/lib/db";
import type { SiteWork } from "@/lib/sites/change";
import { changedId, type Kind, remove, save, savedId, savedName } from "@/lib/sites/saved/save";

const LONGEST_WINDOW = 90 * 24 * 60;
const WINDOW = `must be a whole number of minutes from 1 to ${LONGEST_WINDOW}`;

/** Steps that visitors take one after the other, all within the window after the first; a day if not told. */
export const funnelInput = z.strictObject({
  site_id: siteId,
  id: changedId(savedId),
  name: savedName(),
  steps: stepsShape.meta({ description: `In their order, each ${REACHED_BY}; \`name\` is what reports call it` }),
  window_minutes: z
    .int(WINDOW)
    .min(1, WINDOW)
    .max(LONGEST_WINDOW, WINDOW)
    .default(1440)
    .meta({ description: "How long all steps together may take after the first" }),
});
export type FunnelInput = z.output<typeof funnelInput>;

export const funnelShape = z
  .object({
    id: savedId,
    name: untrusted,
    steps: z.array(z.object({ kind: z.enum(["page", "event"]), pattern: untrusted, name: untrusted.optional() })),
    window_minutes: z.int(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Funnel" });

interface Row {
  name: string;
  steps: FunnelStep[];
  windowMinutes: number;
}

const json = <R extends Row>({ steps, ...row }: R) => ({ ...row, steps: steps as unknown as Prisma.InputJsonArray });

const FUNNELS: Kind<string, Row, Funnel> = {
  word: "funnel",
  count: (tx, siteId) => tx.funnel.count({ where: { siteId } }),
  create: async (tx, row) => (await tx.funnel.create({ data: json(row) })).id,
  update: (tx, siteId, id, row, now) =>
    tx.funnel.updateMany({ where: { siteId, id }, data: { ...json(row), updatedAt: now } }),
  remove: (tx, siteId, id) => tx.funnel.deleteMany({ where: { siteId, id } }),
  find: async (tx, siteId, id) => {
    const row = await tx.funnel.findFirst({ where: { siteId, id } });
    return row && withSteps(row);
  },
};

const withSteps = (row: Prisma.FunnelGetPayload<object>) => ({ ...row, steps: row.steps as unknown as FunnelStep[] });
type Funnel = ReturnType<typeof withSteps>;

/** The funnels of a site, by name. */
export async function listFunnels(siteId: number, on: Db = db()): Promise<Funnel[]> {
  return (await on.funnel.findMany({ where: { siteId }, orderBy: { name: "asc" } })).map(withSteps);
}

/** A funnel as operations answer it. */
export const describeFunnel = ({ id, name, steps, windowMinutes, updatedAt }: Funnel): z.input<typeof funnelShape> => ({
  ...{ id, name, steps },
  window_minutes: windowMinutes,
  updated_at: updatedAt.toISOString(),
});

/** @throws Refusal as `save` does. */
export async function saveFunnel(work: SiteWork, { id, name, steps, window_minutes }: FunnelInput): Promise<Funnel> {
  const saved = await save(work, FUNNELS, id ?? null, { name, steps, windowMinutes: window_minutes });
  return withSteps(await work.db.funnel.findUniqueOrThrow({ where: { id: saved } }));
}

/** @throws Refusal as `remove` does. */
export const deleteFunnel = (work: SiteWork, id: string): Promise<Funnel> => remove(work, FUNNELS, id);
