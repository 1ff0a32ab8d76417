import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { isThisMachine } from "@/lib/platform/local-trial";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { requireRate } from "@/lib/platform/rate";
import { ensurePrimary, type Prover, takeOverDomain } from "@/lib/sites/domain-takeover";
import { assignDomain } from "@/lib/sites/owned-domains";
import { type Attempt, checkProofs, METHODS, OUTCOMES, proves, publicationOf } from "@/lib/sites/verification";
import { wantedBy } from "@/lib/sites/wanted-domains";

/** Rate limit per site, because a check makes network requests for up to ten seconds. */
const RATE = { limit: 20, windowMs: 10 * 60_000 };
/** Domains per call: unverified domains, the primary one first, then domains that the site wants. */
const MAX_DOMAINS = 5;

/** The state of a domain for a site. */
export const STANDINGS = {
  proven: "The domain is verified and stays with this site.",
  installed:
    "The domain belongs to this site and its page contains the snippet, which proves nothing: another site can still verify it.",
  unproven: "The domain belongs to this site until another site verifies it.",
  local:
    "A local trial: the name is a different machine for everybody, so nobody can verify it and no other site can take it over.",
  taken: "The domain belongs to another site. Verify it to move it here, unless that site has verified it too.",
} as const;
const standings = Object.keys(STANDINGS) as [keyof typeof STANDINGS, ...(keyof typeof STANDINGS)[]];

export const publicationShape = z
  .object({
    value: z.string().meta({ description: "Value to publish, in any one of the three places" }),
    dns_name: z.string().meta({ description: "Name of a TXT record that contains the value" }),
    file_url: z.string().meta({ description: "URL of a text file that contains only the value" }),
    meta_tag: z.string().meta({ description: "Tag for the <head> of the home page" }),
  })
  .meta({ id: "DomainProof" });

const attemptShape = z.object({
  method: z.enum(METHODS),
  looked_at: z.string(),
  outcome: z.enum(OUTCOMES),
  seen: z.string().meta({ description: "What was found; may quote untrusted text" }),
  todo: z.string().nullable(),
});

export const verifyShape = z.object({
  site_id: z.int(),
  verified: z.boolean().meta({ description: "Whether the primary domain is verified" }),
  domains: z.array(
    z.object({
      domain: z.string(),
      primary: z.boolean(),
      standing: z.enum(standings),
      about: z.string().meta({ description: "What the standing means" }),
      publish: publicationShape,
      tried: z.array(attemptShape).meta({ description: "Empty for verified domains and local trials" }),
    }),
  ),
});
export type Verification = z.input<typeof verifyShape>;

type DomainChecks = { domain: string; tried: Attempt[] }[];

/**
 * Checks the proofs of a site's domains. Makes network requests, so call it outside of transactions.
 *
 * @throws Refusal `rate_limited` after 20 calls in ten minutes
 */
export async function checkDomains(db: Db, siteId: number, now: Date, internet?: Internet): Promise<DomainChecks> {
  const tooMany = `A site can be verified ${RATE.limit} times in ten minutes. Try again after the time in Retry-After.`;
  await requireRate(`verify:${siteId}`, RATE.limit, RATE.windowMs, now, tooMany);
  const unproven = await db.siteDomain.findMany({ where: { siteId, verifiedAt: null }, orderBy: [...PRIMARY_FIRST] });
  const names = unproven.map(({ host }) => host).filter((host) => !isThisMachine(host));
  const domains = [...names, ...(await wantedBy(db, siteId))].slice(0, MAX_DOMAINS);
  const { BASE_URL } = env();
  return Promise.all(
    domains.map(async (domain) => ({ domain, tried: await checkProofs(siteId, domain, BASE_URL, internet) })),
  );
}

const PRIMARY_FIRST = [{ isPrimary: "desc" }, { id: "asc" }] as const;

/** Marks proven domains as verified, and moves wanted domains here from sites that never verified them. */
export async function recordChecks(tx: Db, site: SiteAccess, checks: DomainChecks, by: Prover): Promise<Verification> {
  const proven = checks.filter(({ tried }) => tried.some(proves)).map(({ domain }) => domain);
  for (const host of proven) await markVerified(tx, site.id, host, by);
  if (proven.length > 0) await changeSite(tx, site.id);
  const [current, wanted] = await Promise.all([
    tx.siteDomain.findMany({ where: { siteId: site.id }, orderBy: [...PRIMARY_FIRST] }),
    wantedBy(tx, site.id),
  ]);
  const attemptsFor = (host: string) => checks.find(({ domain }) => domain === host)?.tried ?? [];
  const row = (host: string, primary: boolean, standing: keyof typeof STANDINGS) => ({
    domain: host,
    primary,
    standing,
    about: STANDINGS[standing],
    publish: publicationOf(site.id, host),
    tried: attemptsFor(host),
  });
  const own = current.map(({ host, isPrimary, verifiedAt }) => {
    const installed = attemptsFor(host).some(({ method, outcome }) => method === "snippet" && outcome === "found");
    if (isThisMachine(host)) return row(host, isPrimary, "local");
    return row(host, isPrimary, verifiedAt ? "proven" : installed ? "installed" : "unproven");
  });
  return {
    site_id: site.id,
    verified: current.some(({ isPrimary, verifiedAt }) => isPrimary && verifiedAt !== null),
    domains: [...own, ...wanted.map((host) => row(host, false, "taken"))],
  };
}

/** Records a proven domain. If another site has verified it before, it stays there. */
async function markVerified(tx: Db, siteId: number, host: string, by: Prover): Promise<void> {
  const own = await tx.siteDomain.updateMany({
    where: { siteId, host, verifiedAt: null },
    data: { verifiedAt: by.now },
  });
  if (own.count === 1) return;
  await takeOverDomain(tx, host, by);
  if (await tx.siteDomain.findUnique({ where: { host } })) return;
  await assignDomain(tx, siteId, host, { isPrimary: false, provedAt: by.now });
  await ensurePrimary(tx, siteId);
  await tx.wantedDomain.deleteMany({ where: { siteId, host } });
}
