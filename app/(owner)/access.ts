import { notFound } from "next/navigation";
import { cache } from "react";
import { currentOwner, type Owner, requireOwner } from "@/lib/auth/session";
import { Refusal } from "@/lib/contract/errors";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import sitesList from "@/lib/operations/sites.list";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";

const signedIn = cache(currentOwner);

/** Who is signed in, asked once for all the parts of one page; anyone else goes to the door and comes back to `next`. */
export async function thisOwner(next: string): Promise<Owner> {
  return (await signedIn()) ?? requireOwner(next);
}

/** Who is signed in, or nobody. */
export const thisOwnerOrNobody = signedIn;

export const principalOf = (owner: Owner) => ({ kind: "owner", personId: owner.personId }) as const;

/** The owner's sites, the first hundred, asked once for all the parts of one page. */
export const sitesOf = cache(async (personId: number) => {
  const principal = { kind: "owner", personId } as const;
  const { data } = await execute(sitesList, { principal, input: { per_page: 100 }, now: new Date() });
  return data;
});

/** One site of the owner's; a foreign and a missing one alike lead to the "not found" page. */
export async function siteOrNotFound(owner: Owner, segment: string): Promise<SiteShape> {
  if (!/^[1-9]\d{0,9}$/.test(segment)) notFound();
  const siteId = Number(segment);
  const { sites } = await sitesOf(owner.personId);
  const known = sites.find((site) => site.site_id === siteId);
  if (known) return known;
  try {
    const { data } = await execute(sitesSettingsGet, {
      principal: principalOf(owner),
      input: { site_id: siteId },
      now: new Date(),
    });
    return data;
  } catch (error) {
    if (error instanceof Refusal) notFound();
    throw error;
  }
}
