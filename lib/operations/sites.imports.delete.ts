import { z } from "zod";
import { defineOperation, type SiteAccess } from "@/lib/contract/define";
import { about, optionalParam, siteId } from "@/lib/contract/fields";
import { type Db, queriesIn } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { msg } from "@/lib/texts/translate";
import { daysDeletedWith, deleteImports, type Import, listImports } from "@/lib/transfer/imports";

const source = optionalParam(z.string("must be text").max(100, "must have at most 100 characters"));

export default defineOperation({
  id: "sites.imports.delete",
  title: msg("Delete imports"),
  about:
    "Deletes the daily totals imported from one service (`source`) or from all, and days that have no visitor total without it. Only a new import restores them. The site's own events stay.",
  scope: "sites:write",
  role: "owner",
  risk: "destructive",
  input: z.strictObject({
    site_id: siteId,
    source: source.meta({
      description: "The service, as in sites.imports.list; default all",
      examples: ["plausible"],
    }),
  }),
  example: { site_id: 1, source: "plausible" },
  output: z.object({
    sources: about(z.array(z.string()), "The services whose imports were deleted", ["plausible"]),
    days: about(z.int(), "Number of days that lost their imported totals", 28),
  }),

  async summary({ input, site, db }) {
    const found = await chosen(db, site, input.source);
    const deletedWith = input.source ? await daysDeletedWith(queriesIn(db), site.id, input.source) : 0;
    const lines = found.map(({ source, from, to, visitors, pageviews }) => ({
      label: `Imported from ${source}`,
      before: `${from} to ${to}: ${visitors} visitors, ${pageviews} pageviews`,
      after: null,
    }));
    if (deletedWith === 0) return lines;
    const before = deletedWith === 1 ? "1 day" : `${deletedWith} days`;
    return [...lines, { label: "Other imported data of those days", before, after: null }];
  },

  async run({ input, site, db }) {
    const found = await chosen(db, site, input.source);
    const days = await deleteImports(queriesIn(db), site.id, input.source ?? null);
    return { sources: found.map((one) => one.source), days };
  },
});

/** @throws Refusal `not_found` when there is nothing to delete. */
async function chosen(db: Db, site: SiteAccess, source: string | null | undefined): Promise<Import[]> {
  const all = await listImports(queriesIn(db), site.id);
  const found = source ? all.filter((one) => one.source === source) : all;
  if (found.length > 0) return found;
  throw new Refusal(
    "not_found",
    source
      ? `The site has no imports from ${JSON.stringify(source)}. sites.imports.list shows the services.`
      : "The site has no imports.",
  );
}
