import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { takeRate } from "@/lib/platform/rate";
import { claimDomain } from "@/lib/sites/owned-domains";
import { keepPrimary, type Prover, takeUnproven } from "@/lib/sites/unproven";
import { type Attempt, lookForProof, METHODS, OUTCOMES, proves, publicationOf } from "@/lib/sites/verification";
import { wantedBy } from "@/lib/sites/wanted-domains";

/** Each look goes out into the world for up to ten seconds. */
const LOOKS = { limit: 20, windowMs: 10 * 60_000 };
/** Domains that one call looks at: the primary one, then the others that are not proven, then those that are wanted. */
const MOST_DOMAINS = 5;

/** How a domain stands to a site. */
export const STANDINGS = {
  proven: "It is proven and stays with this site.",
  installed: "It belongs to this site and carries the snippet, which proves nothing: another site may still prove it.",
  unproven: "It belongs to this site for as long as no other site proves it.",
  taken: "Another site has it. Prove it and it moves here, unless that site has proved it too.",
} as const;
const standings = Object.keys(STANDINGS) as [keyof typeof STANDINGS, ...(keyof typeof STANDINGS)[]];

export const publicationShape = z
  .object({
    value: z.string().meta({ description: "What to publish, in any one of the three places" }),
    dns_name: z.string().meta({ description: "Name of a TXT record whose text is the value" }),
    file_url: z.string().meta({ description: "Address of a text file that holds the value and nothing else" }),
    meta_tag: z.string().meta({ description: "A tag for the <head> of the home page" }),
  })
  .meta({ id: "DomainProof" });

const attemptShape = z.object({
  method: z.enum(METHODS),
  looked_at: z.string(),
  outcome: z.enum(OUTCOMES),
  seen: z.string().meta({ description: "What is there; strangers may have written what it quotes" }),
  todo: z.string().nullable(),
});

export const verifyShape = z.object({
  site_id: z.int(),
  verified: z.boolean().meta({ description: "Whether the primary domain is proven" }),
  domains: z.array(
    z.object({
      domain: z.string(),
      primary: z.boolean(),
      standing: z.enum(standings),
      about: z.string().meta({ description: "What the standing means" }),
      publish: publicationShape,
      tried: z.array(attemptShape).meta({ description: "Empty for what was proven before" }),
    }),
  ),
});
export type Verification = z.input<typeof verifyShape>;

type Looks = { domain: string; tried: Attempt[] }[];

/**
 * Looks for the proofs of a site's domains, without any transaction.
 *
 * @throws Refusal `rate_limited` after 20 looks in ten minutes.
 */
export async function lookAtSite(db: Db, siteId: number, now: Date, internet?: Internet): Promise<Looks> {
  const { allowed, retryAfter } = await takeRate(`verify:${siteId}`, LOOKS.limit, LOOKS.windowMs, now);
  if (!allowed) {
    const message = `A site is looked at ${LOOKS.limit} times in ten minutes; go on after the time in Retry-After.`;
    throw new Refusal("rate_limited", message, undefined, retryAfter);
  }
  const unproven = await db.siteDomain.findMany({ where: { siteId, verifiedAt: null }, orderBy: [...PRIMARY_FIRST] });
  const domains = [...unproven.map(({ host }) => host), ...(await wantedBy(db, siteId))].slice(0, MOST_DOMAINS);
  const { BASE_URL } = env();
  return Promise.all(
    domains.map(async (domain) => ({ domain, tried: await lookForProof(siteId, domain, BASE_URL, internet) })),
  );
}

const PRIMARY_FIRST = [{ isPrimary: "desc" }, { id: "asc" }] as const;

/** Keeps what was proved, and takes a wanted domain from a site that never proved it. */
export async function settleLooks(tx: Db, site: SiteAccess, looks: Looks, by: Prover): Promise<Verification> {
  const proved = looks.filter(({ tried }) => tried.some(proves)).map(({ domain }) => domain);
  for (const host of proved) await keep(tx, site.id, host, by);
  if (proved.length > 0) await changeSite(tx, site.id);
  const [held, wanted] = await Promise.all([
    tx.siteDomain.findMany({ where: { siteId: site.id }, orderBy: [...PRIMARY_FIRST] }),
    wantedBy(tx, site.id),
  ]);
  const triedAt = (host: string) => looks.find(({ domain }) => domain === host)?.tried ?? [];
  const row = (host: string, primary: boolean, standing: keyof typeof STANDINGS) => ({
    domain: host,
    primary,
    standing,
    about: STANDINGS[standing],
    publish: publicationOf(site.id, host),
    tried: triedAt(host),
  });
  const own = held.map(({ host, isPrimary, verifiedAt }) => {
    const carries = triedAt(host).some(({ method, outcome }) => method === "snippet" && outcome === "found");
    return row(host, isPrimary, verifiedAt ? "proven" : carries ? "installed" : "unproven");
  });
  return {
    site_id: site.id,
    verified: held.some(({ isPrimary, verifiedAt }) => isPrimary && verifiedAt !== null),
    domains: [...own, ...wanted.map((host) => row(host, false, "taken"))],
  };
}

/** One domain that was just proved. Somebody who proved it before keeps it. */
async function keep(tx: Db, siteId: number, host: string, by: Prover): Promise<void> {
  const own = await tx.siteDomain.updateMany({
    where: { siteId, host, verifiedAt: null },
    data: { verifiedAt: by.now },
  });
  if (own.count === 1) return;
  await takeUnproven(tx, host, by);
  if (await tx.siteDomain.findUnique({ where: { host } })) return;
  await claimDomain(tx, siteId, host, { isPrimary: false, provedAt: by.now });
  await keepPrimary(tx, siteId);
  await tx.wantedDomain.deleteMany({ where: { siteId, host } });
}
