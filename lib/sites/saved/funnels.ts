import { z } from "zod";
import { optionalParam, siteId, untrusted } from "@/lib/contract/fields";
import { isFunnelText } from "@/lib/contract/funnel-notation";
import {
  FUNNEL_SYNTAX,
  type Funnel,
  type FunnelStep,
  REACHED_BY,
  readSteps,
  stepsShape,
} from "@/lib/contract/funnel-steps";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { changedId, creatorId, currentOf, type Kind, remove, save, savedId, savedName } from "@/lib/sites/saved/save";

const MAX_WINDOW = 90 * 24 * 60;
const WINDOW = `must be a whole number of minutes from 1 to ${MAX_WINDOW}`;

/** Steps that visitors take in order, all within the window after the first step; one day by default. */
export const funnelInput = z.strictObject({
  site_id: siteId,
  id: changedId(savedId),
  name: savedName(),
  steps: stepsShape.meta({ description: `Steps in order, each ${REACHED_BY}; \`name\` is its label in reports` }),
  window_minutes: z
    .int(WINDOW)
    .min(1, WINDOW)
    .max(MAX_WINDOW, WINDOW)
    .default(1440)
    .meta({ description: "Maximum time from the first step to the last" }),
});
export type FunnelInput = z.output<typeof funnelInput>;

export const funnelShape = z
  .object({
    id: savedId,
    name: untrusted.meta({ examples: ["Signing up"] }),
    steps: z.array(z.object({ kind: z.enum(["page", "event"]), pattern: untrusted, name: untrusted.optional() })).meta({
      examples: [
        [
          { kind: "page", pattern: "/pricing" },
          { kind: "event", pattern: "Signup" },
        ],
      ],
    }),
    window_minutes: z.int().meta({ examples: [1440] }),
    created_by: creatorId,
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Funnel" });

interface Row {
  name: string;
  steps: FunnelStep[];
  windowMinutes: number;
}

const json = <R extends Row>({ steps, ...row }: R) => ({ ...row, steps: steps as unknown as Prisma.InputJsonArray });

const FUNNELS: Kind<string, Row, SavedFunnel> = {
  label: "funnel",
  count: (tx, siteId) => tx.funnel.count({ where: { siteId } }),
  create: async (tx, row) => withSteps(await tx.funnel.create({ data: json(row) })),
  update: (tx, siteId, id, row, now) =>
    tx.funnel.updateMany({ where: { siteId, id }, data: { ...json(row), updatedAt: now } }),
  remove: (tx, siteId, id) => tx.funnel.deleteMany({ where: { siteId, id } }),
  find: async (tx, siteId, id) => {
    const row = await tx.funnel.findFirst({ where: { siteId, id } });
    return row && withSteps(row);
  },
};

const withSteps = (row: Prisma.FunnelGetPayload<object>) => ({ ...row, steps: row.steps as unknown as FunnelStep[] });
type SavedFunnel = ReturnType<typeof withSteps>;

/** Lists the funnels of a site by name. */
export async function listFunnels(siteId: number, on: Db): Promise<SavedFunnel[]> {
  return (await on.funnel.findMany({ where: { siteId }, orderBy: { name: "asc" } })).map(withSteps);
}

/** Formats a funnel for API responses. */
export const describeFunnel = ({
  id,
  name,
  steps,
  windowMinutes,
  createdById,
  updatedAt,
}: SavedFunnel): z.input<typeof funnelShape> => ({
  id,
  name,
  steps,
  window_minutes: windowMinutes,
  created_by: createdById,
  updated_at: updatedAt.toISOString(),
});

export const currentFunnel = currentOf(FUNNELS, describeFunnel);

/** Creates or changes a funnel. @throws Refusal see `save` */
export const saveFunnel = (work: SiteWork, { id, name, steps, window_minutes }: FunnelInput): Promise<SavedFunnel> =>
  save(work, FUNNELS, id, { name, steps, windowMinutes: window_minutes });

/** Deletes a funnel. @throws Refusal see `remove` */
export const deleteFunnel = (work: SiteWork, id: string): Promise<SavedFunnel> => remove(work, FUNNELS, id);

/** The report parameter that selects a funnel. */
export const funnelField = optionalParam(z.string("must be text").max(191, "must have at most 191 characters")).meta({
  description: `Name or id of a saved funnel, or one written as ${FUNNEL_SYNTAX}. An event is given by its exact name; in a path, * is any part of a segment and ** any segments. A written funnel has a window of a day.`,
  examples: ["/pricing > event:Signup > /thanks"],
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the saved funnel with this name or id, or parses a written funnel.
 *
 * @throws Refusal `not_found` if it is neither, `invalid_input` for invalid steps
 */
export async function findFunnel(siteId: number, named: string): Promise<Funnel> {
  const names = [{ name: named }, ...(UUID.test(named) ? [{ id: named.toLowerCase() }] : [])];
  const saved = await db().funnel.findFirst({ where: { siteId, OR: names } });
  if (saved) return withSteps(saved);
  if (isFunnelText(named)) return { id: null, name: named, windowMinutes: 24 * 60, steps: readSteps(named) };
  throw new Refusal(
    "not_found",
    `The site has no funnel with this name or id. Omit funnel to list the saved funnels, or write one such as ${FUNNEL_SYNTAX}.`,
  );
}

/** Returns the given funnel, or without one the saved funnels by name, at most `limit`. */
export async function findFunnels(siteId: number, named: string | null | undefined, limit: number) {
  if (named) return { funnels: [await findFunnel(siteId, named)], truncated: false };
  const saved = await db().funnel.findMany({ where: { siteId }, orderBy: { name: "asc" }, take: limit + 1 });
  return { funnels: saved.slice(0, limit).map((row): Funnel => withSteps(row)), truncated: saved.length > limit };
}
