"use client";

import { useAction } from "@/components/actions/actions";
import { Section } from "@/components/ui/section";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";

/** Deletes a site after its domain was typed. */
export function DeleteSite({ site }: { site: { siteId: number; domain: string } }) {
  const { perform, busy, problems } = useAction("sites.delete");

  async function end() {
    if (await perform({ site_id: site.siteId })) window.location.assign("/sites");
  }

  return (
    <Section
      title="Delete the site"
      about="Deleted immediately and permanently, with its settings, members and analytics data."
    >
      <TypedConfirmation name={site.domain} busy={busy} problem={problems.message} onConfirm={end} />
    </Section>
  );
}
