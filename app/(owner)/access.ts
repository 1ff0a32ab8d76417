import { notFound } from "next/navigation";
import { cache } from "react";
import { currentOwner, requireOwner } from "@/lib/auth/session";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { listSites, readSite } from "@/lib/sites/access";

const signedIn = cache(currentOwner);

/** Who is signed in, asked once for all the parts of one page; anyone else goes to the door and comes back to `next`. */
export async function thisOwner(next: string): Promise<Owner> {
  return (await signedIn()) ?? requireOwner(next);
}

/** Who is signed in, or nobody. */
export const thisOwnerOrNobody = signedIn;

export const principalOf = (owner: Owner) => ({ kind: "owner", personId: owner.personId }) as const;

const SITES_IN_MENUS = 100;

/** The owner's first hundred sites, for menus, and the number of all of them. */
export const firstSitesOf = (personId: number) => listSites(db(), { kind: "owner", personId }, 1, SITES_IN_MENUS);

/** One site of a person's, read once for all the parts of one page. */
const readOwnSite = cache((personId: number, siteId: number) => readSite(db(), { kind: "owner", personId }, siteId));

/** One site of the owner's; a foreign and a missing one alike lead to the "not found" page. */
export async function siteOrNotFound(owner: Owner, segment: string): Promise<SiteShape> {
  if (!/^[1-9]\d{0,9}$/.test(segment)) notFound();
  try {
    return await readOwnSite(owner.personId, Number(segment));
  } catch (error) {
    if (error instanceof Refusal) notFound();
    throw error;
  }
}
