"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import { useRemoval } from "@/components/actions/removal";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import type { SiteShape } from "@/lib/contract/fields";
import { isThisMachine } from "@/lib/platform/local-trial";
import { t } from "@/lib/texts/translate";

/** A domain with its name for people. */
type Domain = SiteShape["domains"][number] & { name: string };

const markOf = ({ domain, verified }: Domain) =>
  isThisMachine(domain) ? t("Local trial") : verified ? t("Verified") : t("Not verified");

/** Domains of the site, the primary one first. */
export function Domains({ siteId, domains }: { siteId: number; domains: Domain[] }) {
  const { perform, busy } = useButtonAction("sites.domains.primary");
  const { shown, remove } = useRemoval(
    "sites.domains.delete",
    domains,
    ({ domain_id }) => domain_id,
    ({ domain_id }) => ({ site_id: siteId, domain_id }),
  );
  const [removing, setRemoving] = useState<Domain>();
  const router = useRouter();

  async function makePrimary(domain: Domain) {
    await perform({ site_id: siteId, domain_id: domain.domain_id }, () => makePrimary(domain));
    router.refresh();
  }

  return (
    <Section title={t("Domains")} about={t("Events from pages of these domains and their subdomains are counted.")}>
      <ul className="-my-2.5 divide-y divide-line">
        {shown.map((domain) => (
          <li
            key={domain.domain_id}
            className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5"
          >
            <p className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
              <span className="min-w-0 break-all">{domain.name}</span>
              {domain.primary && <Badge tone="accent">{t("Primary")}</Badge>}
              <Badge tone={domain.verified ? "good" : "plain"}>{markOf(domain)}</Badge>
            </p>
            {!domain.primary && (
              <div className="flex gap-2">
                <Button
                  look="quiet"
                  size="small"
                  disabled={busy}
                  aria-label={t("Make {domain} primary", { domain: domain.name })}
                  onClick={() => makePrimary(domain)}
                >
                  {t("Make primary")}
                </Button>
                <RowButton action={t("Remove")} name={domain.name} onClick={() => setRemoving(domain)} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title={t("Remove {name}?", { name: removing.name })}
          action={t("Remove")}
          busy={false}
          onYes={() => {
            setRemoving(undefined);
            remove(removing);
          }}
          onCancel={() => setRemoving(undefined)}
        >
          <p>{t("Within ten seconds its events are refused, and another site can add it. Its past data stays.")}</p>
        </Confirm>
      )}
    </Section>
  );
}
