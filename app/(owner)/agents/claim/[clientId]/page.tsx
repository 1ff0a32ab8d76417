import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AgentName } from "@/components/agents/agent-name";
import { ScopeList } from "@/components/agents/scope-list";
import { Message } from "@/components/shell/message";
import { ButtonLink } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/text-link";
import { type Claim, readClaim } from "@/lib/identity/claims";
import { signedInOwner } from "../../../access";
import { Proof } from "./proof";

export const metadata: Metadata = { title: "Take over an agent" };

/** Page of `interactive_url`: a person proves the domain of an agent without an owner and becomes its owner. */
export default async function ClaimPage({ params }: { params: Promise<{ clientId: string }> }) {
  const { clientId } = await params;
  const owner = await signedInOwner();
  const claim = await readClaim(clientId, owner.personId, new Date());
  if (!claim) notFound();
  if (claim.standing === "taken") return <Taken />;
  return claim.standing === "yours" ? <Yours claim={claim} /> : <Open claim={claim} />;
}

const Open = ({ claim }: { claim: Claim }) => (
  <div className="mx-auto max-w-2xl py-2 sm:py-6">
    <h1 className="text-2xl font-semibold">Take over an agent</h1>
    <p className="mt-1 mb-6 text-muted">
      It registered by itself and has no owner yet. Prove that{" "}
      <strong className="font-semibold break-words text-ink">{claim.domain}</strong> is yours to become the owner of the
      agent and its sites. It then needs your approval for risky changes.
    </p>
    <div className="space-y-4">
      <About claim={claim} />
      <Proof clientId={claim.clientId} domain={claim.domain} records={claim.records} />
    </div>
  </div>
);

const About = ({ claim }: { claim: Claim }) => (
  <section className="card px-5 py-2.5" aria-label="Agent">
    <Facts>
      <Fact name="Name">
        <AgentName name={claim.name} />
        <span className="block text-muted">Chosen by the agent, not verified</span>
      </Fact>
      <Fact name="Client">
        <span className="font-mono text-[0.8125rem] break-all">{claim.clientId}</span>
      </Fact>
      <Fact name="Verified domain">{claim.domain}</Fact>
      <Fact name="Permissions">
        <ScopeList scopes={claim.scopes} />
      </Fact>
      <Fact name="Its sites">
        {claim.sites.length === 0 && "None so far"}
        <ul>
          {claim.sites.map(({ siteId, domain, owned }) => (
            <li key={siteId}>
              {domain}
              {owned && <span className="text-muted"> (already has an owner, who stays)</span>}
            </li>
          ))}
        </ul>
      </Fact>
    </Facts>
  </section>
);

function Yours({ claim }: { claim: Claim }) {
  const sites = claim.sites.filter(({ yours }) => yours);
  return (
    <Message title="This agent is yours">
      <p>
        <AgentName name={claim.name} /> now acts for you. Find its approval requests under{" "}
        <TextLink href="/approvals">Approvals</TextLink>, and its access under{" "}
        <TextLink href={`/agents/${claim.clientId}`}>Agents</TextLink>.
        {sites.length > 0 && " These sites are now yours too:"}
      </p>
      {sites.length > 0 && (
        <ul className="card divide-y divide-line text-left" aria-label="Your new sites">
          {sites.map(({ siteId, domain }) => (
            <li key={siteId}>
              <Link
                href={`/sites/${siteId}`}
                prefetch={false}
                className="block px-4 py-3 font-medium break-words text-accent underline hover:bg-sunken/60"
              >
                {domain}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Message>
  );
}

const Taken = () => (
  <Message title="Someone else has taken over this agent">
    <p>
      They proved its domain before you. If that domain is yours, check who can change its DNS records or its pages.
    </p>
    <ButtonLink href="/sites">Your sites</ButtonLink>
  </Message>
);
