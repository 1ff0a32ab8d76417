import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { signedInOwner } from "@/app/(owner)/access";
import { AgentName } from "@/components/agents/agent-name";
import { ScopeList } from "@/components/agents/scope-list";
import { Message } from "@/components/shell/message";
import { ButtonLink } from "@/components/ui/button-link";
import { Fact, Facts } from "@/components/ui/facts";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { type Claim, type ClaimSite, readClaim } from "@/lib/identity/claims";
import { legibleHost } from "@/lib/platform/legible-host";
import { perLocale } from "@/lib/platform/locale";
import { currentLanguage, t } from "@/lib/texts/translate";
import { Proof } from "./proof";

export const generateMetadata = (): Metadata => ({ title: t("Take over an agent") });

/** Page of `interactive_url`: a person proves domains of an agent and becomes the owner of their sites. */
export default async function ClaimPage({ params }: { params: Promise<{ clientId: string }> }) {
  const { clientId } = await params;
  const owner = await signedInOwner();
  const claim = await readClaim(clientId, owner.personId, new Date());
  if (!claim) notFound();
  if (claim.standing === "taken") return <Taken />;
  return claim.standing === "yours" ? <Yours claim={claim} /> : <Open claim={claim} />;
}

function Open({ claim }: { claim: Claim }) {
  const waiting = claim.sites.filter(({ yours }) => !yours);
  const domains = waiting.flatMap(({ proofs }) => proofs).map((host) => ({ value: host, label: legibleHost(host) }));
  return (
    <div className="mx-auto max-w-2xl py-2 sm:py-6">
      <h1 className="text-2xl font-semibold">{t("Take over an agent")}</h1>
      <p className="mt-1 mb-6 text-muted">
        {t(
          "It registered by itself. Prove that a domain is yours to become the owner of the agent's site of this domain. The agent then needs your approval for risky changes of the site.",
        )}
      </p>
      <div className="space-y-4">
        <AboutClaim claim={claim} />
        <Sites claim={claim} />
        {domains.length > 0 && (
          <Proof clientId={claim.clientId} domains={domains} takesKey={waiting.length > 1} records={claim.records} />
        )}
      </div>
    </div>
  );
}

const AboutClaim = ({ claim }: { claim: Claim }) => (
  <section className="card px-5 py-2.5" aria-label={t("Agent")}>
    <Facts>
      <Fact name={t("Name")}>
        <AgentName name={claim.name} />
        <span className="block text-muted">{t("Chosen by the agent, not verified")}</span>
      </Fact>
      <Fact name={t("Client")}>
        <span className="font-mono text-[0.8125rem] break-all">{claim.clientId}</span>
      </Fact>
      <Fact name={t("Verified domain")}>{claim.domain}</Fact>
      <Fact name={t("Permissions")}>
        <ScopeList scopes={claim.scopes} />
      </Fact>
    </Facts>
  </section>
);

/** Says which sites are handed over by which proofs, and why the others are not. */
const Sites = ({ claim: { sites, otherSites } }: { claim: Claim }) => (
  <section className="card p-5" aria-label={t("Its sites")}>
    <h2 className="text-[0.9375rem] font-semibold">{t("Its sites")}</h2>
    {sites.length === 0 && otherSites === 0 && <p className="mt-1 text-sm text-muted">{t("None so far.")}</p>}
    <ul className="mt-1 divide-y divide-line text-sm">
      {sites.map((site) => (
        <li key={site.siteId} className="py-2.5">
          <p className="font-medium break-words">{legibleHost(site.domain) || t("Site {id}", { id: site.siteId })}</p>
          <p className="break-words text-muted">{howToGet(site)}</p>
        </li>
      ))}
    </ul>
    {otherSites > 0 && (
      <p className="mt-1 text-sm text-muted">
        {t("{count, plural, one {# more site has} other {# more sites have}} another owner, who stays.", {
          count: otherSites,
        })}
      </p>
    )}
  </section>
);

const list = perLocale(() => new Intl.ListFormat(currentLanguage() === "en" ? "en-GB" : currentLanguage()));

function howToGet({ yours, proofs }: ClaimSite): string {
  if (yours) return t("Yours: its approvals go to you.");
  if (proofs.length === 0) return t("It has no domain to prove. The agent must first add one.");
  return t("Handed over when you have proven {domains}.", { domains: list().format(proofs.map(legibleHost)) });
}

function Yours({ claim }: { claim: Claim }) {
  const sites = claim.sites.filter(({ yours }) => yours);
  return (
    <Message title={t("This agent is yours")}>
      <p>
        {rich(
          "{agent} now acts for you. Find its approval requests under <approvals>Approvals</approvals>, and its access under <access>Agents</access>.",
          {
            agent: <AgentName name={claim.name} />,
            approvals: (text) => <TextLink href="/approvals">{text}</TextLink>,
            access: (text) => <TextLink href={`/agents/${claim.clientId}`}>{text}</TextLink>,
          },
        )}
        {sites.length > 0 && ` ${t("These sites are now yours too:")}`}
      </p>
      {sites.length > 0 && (
        <ul className="card divide-y divide-line text-left" aria-label={t("Your new sites")}>
          {sites.map(({ siteId, domain }) => (
            <li key={siteId}>
              <Link
                href={`/sites/${siteId}`}
                prefetch={false}
                className="block px-4 py-3 font-medium break-words text-accent underline hover:bg-sunken/60"
              >
                {legibleHost(domain)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Message>
  );
}

const Taken = () => (
  <Message title={t("Someone else has taken over this agent")}>
    <p>
      {t(
        "They proved its domain before you. If that domain is yours, check who can change its DNS records or its pages.",
      )}
    </p>
    <ButtonLink href="/sites">{t("Your sites")}</ButtonLink>
  </Message>
);
