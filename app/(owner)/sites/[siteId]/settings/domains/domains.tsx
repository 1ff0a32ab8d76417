"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction, useButtonAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Section } from "@/components/ui/section";
import type { SiteShape } from "@/lib/contract/fields";

type Domain = SiteShape["domains"][number];

/** Domains of the site, the primary one first. */
export function Domains({ siteId, domains }: { siteId: number; domains: Domain[] }) {
  const { perform, busy } = useButtonAction("sites.domains.primary");
  const [removing, setRemoving] = useState<Domain>();
  const router = useRouter();

  async function makePrimary(domain: Domain) {
    await perform({ site_id: siteId, domain_id: domain.domain_id }, () => makePrimary(domain));
    router.refresh();
  }

  return (
    <Section title="Domains" about="Events from pages of these domains and their subdomains are counted.">
      <ul className="-my-2.5 divide-y divide-line">
        {domains.map((domain) => (
          <li
            key={domain.domain_id}
            className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5"
          >
            <p className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
              <span className="min-w-0 break-all">{domain.domain}</span>
              {domain.primary && <Badge tone="accent">Primary</Badge>}
              <Badge tone={domain.verified ? "good" : "plain"}>{domain.verified ? "Verified" : "Not verified"}</Badge>
            </p>
            {!domain.primary && (
              <div className="flex gap-2">
                <Button
                  look="quiet"
                  size="small"
                  disabled={busy}
                  aria-label={`Make ${domain.domain} primary`}
                  onClick={() => makePrimary(domain)}
                >
                  Make primary
                </Button>
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`Remove ${domain.domain}`}
                  onClick={() => setRemoving(domain)}
                >
                  Remove
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {removing && <ConfirmRemoval siteId={siteId} domain={removing} onDone={() => setRemoving(undefined)} />}
    </Section>
  );
}

/** Confirms the removal of a domain. */
function ConfirmRemoval({ siteId, domain, onDone }: { siteId: number; domain: Domain; onDone(): void }) {
  const { perform, busy, problems } = useAction("sites.domains.delete");
  const router = useRouter();

  async function remove() {
    if (!(await perform({ site_id: siteId, domain_id: domain.domain_id }))) return;
    onDone();
    router.refresh();
  }

  return (
    <Confirm
      title={`Remove ${domain.domain}?`}
      action="Remove"
      busy={busy}
      problem={problems.message ?? problems.fields.domain_id}
      onYes={remove}
      onNo={onDone}
    >
      <p>Within ten seconds its events are refused, and another site can add it. Its past data stays.</p>
    </Confirm>
  );
}
