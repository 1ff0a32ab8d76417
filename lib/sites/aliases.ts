import { z } from "zod";
import { about } from "@/lib/contract/fields";
import { changeSite, type LockedSite } from "@/lib/gateway/changes/site-revision";
import { isWebsiteId } from "@/lib/ingest/compat/sent";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** The website ids of another product, such as Umami, whose events belong to a site. */

/** A person moves a few sites into one at most. */
const MAX_ALIASES = 50;

export const websiteId = z
  .string("must be text")
  .trim()
  .toLowerCase()
  .refine(isWebsiteId, "must be a website id: 3 to 64 characters of A-Z a-z 0-9 _ -, such as a UUID")
  .meta({
    description: "The website id that the other product shows, such as the data-website-id of an Umami tag",
    examples: ["94db1cb1-74f4-4a40-ad6c-962362670409"],
  });

export const aliasShape = z.object({
  alias: websiteId,
  added_at: about(z.iso.datetime(), "When it was mapped to the site", "2026-11-27T09:30:00.000Z"),
});

interface Alias {
  alias: string;
  createdAt: Date;
}

export const describeAlias = ({ alias, createdAt }: Alias): z.input<typeof aliasShape> => ({
  alias: alias,
  added_at: createdAt.toISOString(),
});

const FIELDS = { alias: true, createdAt: true } as const;

export const listAliases = (siteId: number, on: Db): Promise<Alias[]> =>
  on.siteAlias.findMany({ where: { siteId }, select: FIELDS, orderBy: { alias: "asc" } });

/**
 * Maps a website id to the site: its events count there within ten seconds. Mapping it again changes nothing.
 *
 * @throws Refusal `invalid_input` if another site has it, or the site has 50
 */
export async function addAlias({ db, site, now }: LockedSite, alias: string): Promise<Alias> {
  const data = [{ alias, siteId: site.id, createdAt: now }];
  if ((await db.siteAlias.count({ where: { siteId: site.id, alias: { not: alias } } })) >= MAX_ALIASES)
    throw invalid(`exceeds the limit of ${MAX_ALIASES} for each site; remove one first`);
  const [added] = await db.siteAlias.createManyAndReturn({ data, skipDuplicates: true, select: FIELDS });
  if (added) {
    await changeSite(db, site.id);
    return added;
  }
  const taken = await db.siteAlias.findFirst({ where: { alias, siteId: site.id }, select: FIELDS });
  if (!taken) throw invalid("is mapped to another site; it has to be removed there first");
  return taken;
}

/** Removes a website id of the site: its events are refused. @throws Refusal `not_found` */
export async function deleteAlias({ db, site }: LockedSite, alias: string): Promise<Alias> {
  const found = await aliasOf(db, site.id, alias);
  await db.siteAlias.delete({ where: { alias } });
  await changeSite(db, site.id);
  return found;
}

/** @throws Refusal `not_found` if the site has no such website id */
export async function aliasOf(on: Db, siteId: number, alias: string): Promise<Alias> {
  const found = await on.siteAlias.findFirst({ where: { siteId, alias }, select: FIELDS });
  if (!found) throw new Refusal("not_found", "This website id is not mapped to the site, or was already removed.");
  return found;
}

const invalid = (message: string) => invalidInput([{ path: "alias", message }]);
