import { notFound } from "next/navigation";
import { cache } from "react";
import type { z } from "zod";
import { currentOwner, toSignIn } from "@/lib/auth/session";
import type { Operation, Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import sitesList from "@/lib/operations/sites.list";
import { Refusal } from "@/lib/platform/errors";

const cachedOwner = cache(currentOwner);

/** The signed-in owner, read once per request. Redirects others to the sign-in page, and back to this page afterwards. */
export async function signedInOwner(): Promise<Owner> {
  return (await cachedOwner()) ?? toSignIn();
}

/** The signed-in owner, or null. */
export const signedInOwnerOrNull = cachedOwner;

export const principalOf = ({ personId }: Pick<Owner, "personId">) => ({ kind: "owner", personId }) as const;

/**
 * Runs a small read for a page or its background requests, as the signed-in person: pages read what agents read, also when
 * their report time is used up.
 *
 * @throws Refusal of the operation
 */
export const ask = async <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  owner: Pick<Owner, "personId">,
  input: z.input<Input>,
  now = new Date(),
): Promise<z.output<Output>> =>
  (await execute(operation, { principal: principalOf(owner), input, now, overBudget: true })).data;

/** The same for a page, which shows "not found" without access to the site, or with a role below the operation's. */
export async function query<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  owner: Pick<Owner, "personId">,
  input: z.input<Input>,
  now = new Date(),
): Promise<z.output<Output>> {
  try {
    return await ask(operation, owner, input, now);
  } catch (error) {
    if (error instanceof Refusal && (error.code === "site_not_granted" || error.code === "role_denied")) notFound();
    throw error;
  }
}

const SITES_IN_MENUS = 100;

/** The owner's first 100 sites, for menus, and the total count. */
export const firstSitesOf = (owner: Owner) => query(sitesList, owner, { per_page: SITES_IN_MENUS });

/** One site of the person, read once per request. */
const readOwnSite = cache(async (personId: number, siteId: number): Promise<SiteShape> => {
  const { sites } = await query(sitesList, { personId }, { site_ids: [siteId] });
  return sites[0] ?? notFound();
});

/** Returns one of the owner's sites. Shows the same "not found" page for another owner's site and a missing one. */
export async function siteOrNotFound(owner: Owner, segment: string): Promise<SiteShape> {
  if (!/^[1-9]\d{0,9}$/.test(segment)) notFound();
  return readOwnSite(owner.personId, Number(segment));
}
