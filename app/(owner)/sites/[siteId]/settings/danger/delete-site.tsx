"use client";

import { useAction } from "@/components/actions/actions";
import { describeLoss } from "@/components/agents/loss-text";
import { Section } from "@/components/ui/section";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";
import type { Loss } from "@/lib/agents/loss";
import { t } from "@/lib/texts/translate";

interface Props {
  site: { siteId: number; domain: string };
  loss: Loss | null;
}

/** Deletes a site after its domain was typed. */
export function DeleteSite({ site, loss }: Props) {
  const { perform, busy, problems } = useAction("sites.delete");

  async function end() {
    if (await perform({ site_id: site.siteId })) window.location.assign("/sites");
  }

  return (
    <Section
      title={t("Delete the site")}
      about={[
        t("Deleted immediately and permanently, with its settings, members and analytics data."),
        ...(loss ? [describeLoss(loss)] : []),
      ].join(" ")}
    >
      <TypedConfirmation name={site.domain} busy={busy} problem={problems.message} onConfirm={end} />
    </Section>
  );
}
