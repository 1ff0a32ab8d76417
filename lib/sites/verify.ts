import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { about } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { isThisMachine } from "@/lib/platform/local-trial";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { requireRate } from "@/lib/platform/rate";
import { type Contest, contestDomain, MISSING_DAYS, movesAt, whatHappensNext } from "@/lib/sites/contested-domains";
import { ensurePrimary, type Prover, recordGain, takeOverDomain } from "@/lib/sites/domain-takeover";
import { assignDomain } from "@/lib/sites/owned-domains";
import { type Attempt, CHECK_OUTCOMES, checkProofs, METHODS, proves, publicationOf } from "@/lib/sites/verification";
import { wantedBy } from "@/lib/sites/wanted-domains";
import { msg, t } from "@/lib/texts/translate";

/** Rate limit per site, because a check makes network requests for up to ten seconds. */
const RATE = { limit: 20, windowMs: 10 * 60_000 };
/** Domains per call: as many of the unverified and contested ones, the primary first, and of those that the site wants. */
const MAX_DOMAINS = 5;

/** The state of a domain for a site. */
const STANDINGS = {
  proven: msg("The domain is verified and stays with this site."),
  installed: msg(
    "The domain belongs to this site and its page contains the snippet, which proves nothing: another site can still verify it.",
  ),
  unproven: msg("The domain belongs to this site until another site verifies it."),
  contested: msg(
    "Someone else has proven the domain, and the proof of this site is missing. Publish it again before moves_at: once it is found, the domain stays with this site.",
  ),
  local: msg(
    "A local trial: the name is a different machine for everybody, so nobody can verify it and no other site can take it over.",
  ),
  taken: msg(
    "The domain belongs to another site. Verify it to move it here. If that site has verified it too, it moves only after that site's proof has been missing for {days} days.",
  ),
} as const;
const standings = Object.keys(STANDINGS) as [keyof typeof STANDINGS, ...(keyof typeof STANDINGS)[]];

export const publicationShape = z
  .object({
    value: about(z.string(), "Value to publish, in any one of the three places", "footfall-verify=Yc0t7q"),
    dns_name: about(z.string(), "Name of a TXT record that contains the value", "_footfall-challenge.example.com"),
    file_url: about(
      z.string(),
      "URL of a text file that contains only the value",
      "https://example.com/.well-known/footfall-verification.txt",
    ),
    meta_tag: about(
      z.string(),
      "Tag for the <head> of the home page",
      '<meta name="footfall-verification" content="footfall-verify=Yc0t7q">',
    ),
  })
  .meta({ id: "DomainProof" });

const attemptShape = z.object({
  method: z.enum(METHODS),
  looked_at: z.string().meta({ examples: ["_footfall-challenge.example.com"] }),
  outcome: z.enum(CHECK_OUTCOMES).meta({ examples: ["found"] }),
  seen: about(z.string(), "What was found; may quote untrusted text", "A TXT record contains the site's value."),
  todo: z.string().nullable(),
});

export const verifyShape = z.object({
  site_id: z.int(),
  verified: about(z.boolean(), "Whether the primary domain is verified", true),
  domains: z.array(
    z.object({
      domain: z.string().meta({ examples: ["example.com"] }),
      primary: z.boolean().meta({ examples: [true] }),
      standing: z.enum(standings),
      about: about(z.string(), "What the standing means, and what to do next", STANDINGS.proven),
      moves_at: z.iso.datetime().nullable().meta({
        description:
          "With contested: when another site can take the domain. With taken: when to verify again; the domain then moves here, unless the other site's proof was found meanwhile. Else null.",
      }),
      publish: publicationShape,
      tried: z
        .array(attemptShape)
        .meta({ description: "Empty for local trials, and for verified domains that nobody else has proven" }),
    }),
  ),
});
export type Verification = z.input<typeof verifyShape>;

/** `contest`: what was found for the site that has a wanted domain, once this site has proven it. */
type DomainChecks = { domain: string; tried: Attempt[]; contest: Contest | null }[];

/**
 * Checks the proofs of a site's domains. Makes network requests, so call it outside of transactions.
 *
 * @throws Refusal `rate_limited` after 20 calls in ten minutes
 */
export async function checkDomains(db: Db, siteId: number, now: Date, internet?: Internet): Promise<DomainChecks> {
  const tooMany = `A site can be verified ${RATE.limit} times in ten minutes. Try again after the time in Retry-After.`;
  await requireRate(`verify:${siteId}`, RATE.limit, RATE.windowMs, now, tooMany);
  const uncertain = { siteId, OR: [{ verifiedAt: null }, { contest: { isNot: null } }] };
  const own = await db.siteDomain.findMany({ where: uncertain, orderBy: [...PRIMARY_FIRST], take: MAX_DOMAINS });
  const names = own.map(({ host }) => host).filter((host) => !isThisMachine(host));
  const domains = [...names, ...(await wantedBy(db, siteId)).slice(0, MAX_DOMAINS)];
  const { BASE_URL } = env();
  return Promise.all(
    domains.map(async (domain) => {
      const tried = await checkProofs(siteId, domain, BASE_URL, internet);
      return { domain, tried, contest: tried.some(proves) ? await contestDomain(domain, siteId, now, internet) : null };
    }),
  );
}

const PRIMARY_FIRST = [{ isPrimary: "desc" }, { id: "asc" }] as const;

/** Marks proven domains as verified, and moves wanted domains here from sites that have lost them. */
export async function recordChecks(tx: Db, site: SiteAccess, checks: DomainChecks, by: Prover): Promise<Verification> {
  const proven = checks.filter(({ tried }) => tried.some(proves)).map(({ domain }) => domain);
  for (const host of proven) await markVerified(tx, site.id, host, by);
  if (proven.length > 0) await changeSite(tx, site.id);
  const [current, wanted] = await Promise.all([
    tx.siteDomain.findMany({ where: { siteId: site.id }, include: { contest: true }, orderBy: [...PRIMARY_FIRST] }),
    wantedBy(tx, site.id),
  ]);
  const checkOf = (host: string) => checks.find(({ domain }) => domain === host);
  const row = (host: string, primary: boolean, standing: keyof typeof STANDINGS) => ({
    domain: host,
    primary,
    standing,
    about: t(STANDINGS[standing], { days: MISSING_DAYS }),
    moves_at: null as string | null,
    publish: publicationOf(site.id, host),
    tried: checkOf(host)?.tried ?? [],
  });
  const own = current.map(({ host, isPrimary, verifiedAt, contest }) => {
    if (isThisMachine(host)) return row(host, isPrimary, "local");
    if (verifiedAt && contest) {
      return { ...row(host, isPrimary, "contested"), moves_at: movesAt(contest.missingSince).toISOString() };
    }
    const tried = checkOf(host)?.tried ?? [];
    const installed = tried.some(({ method, outcome }) => method === "snippet" && outcome === "found");
    return row(host, isPrimary, verifiedAt ? "proven" : installed ? "installed" : "unproven");
  });
  const others = wanted.map((host) => {
    const contest = checkOf(host)?.contest;
    const about = contest && whatHappensNext(contest, "verify");
    return { ...row(host, false, "taken"), ...(about && { about, moves_at: contest.moves_at }) };
  });
  return {
    site_id: site.id,
    verified: current.some(({ isPrimary, verifiedAt }) => isPrimary && verifiedAt !== null),
    domains: [...own, ...others],
  };
}

/** Records a proven domain: the site's own one, or one that another site has lost. */
async function markVerified(tx: Db, siteId: number, host: string, by: Prover): Promise<void> {
  if (await tx.siteDomain.findFirst({ where: { siteId, host } })) {
    await tx.siteDomain.updateMany({ where: { siteId, host, verifiedAt: null }, data: { verifiedAt: by.now } });
    await tx.domainContest.deleteMany({ where: { host } });
    return;
  }
  const isMoved = await takeOverDomain(tx, host, by);
  if (await tx.siteDomain.findUnique({ where: { host } })) return;
  await assignDomain(tx, siteId, host, { isPrimary: false, provedAt: by.now });
  await ensurePrimary(tx, siteId);
  await tx.wantedDomain.deleteMany({ where: { siteId, host } });
  if (isMoved) await recordGain(tx, siteId, host, by);
}
