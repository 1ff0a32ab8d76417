import { notFound } from "next/navigation";
import { cache } from "react";
import { currentOwner, toSignIn } from "@/lib/auth/session";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { listSites, readSite } from "@/lib/sites/access";

const cachedOwner = cache(currentOwner);

/** The signed-in owner, read once per request. Redirects others to the sign-in page, and back to this page afterwards. */
export async function signedInOwner(): Promise<Owner> {
  return (await cachedOwner()) ?? toSignIn();
}

/** The signed-in owner, or null. */
export const signedInOwnerOrNull = cachedOwner;

export const principalOf = (owner: Owner) => ({ kind: "owner", personId: owner.personId }) as const;

const SITES_IN_MENUS = 100;

/** The owner's first 100 sites, for menus, and the total count. */
export const firstSitesOf = (personId: number) => listSites(db(), { kind: "owner", personId }, 1, SITES_IN_MENUS);

/** One site of the person, read once per request. */
const readOwnSite = cache((personId: number, siteId: number) => readSite(db(), { kind: "owner", personId }, siteId));

/** Returns one of the owner's sites. Shows the same "not found" page for another owner's site and a missing one. */
export async function siteOrNotFound(owner: Owner, segment: string): Promise<SiteShape> {
  if (!/^[1-9]\d{0,9}$/.test(segment)) notFound();
  try {
    return await readOwnSite(owner.personId, Number(segment));
  } catch (error) {
    if (error instanceof Refusal) notFound();
    throw error;
  }
}
