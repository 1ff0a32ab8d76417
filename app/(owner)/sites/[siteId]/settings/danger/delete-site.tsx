"use client";

import { useAction } from "@/components/actions/actions";
import { Section } from "@/components/ui/section";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";

/** The end of a site. */
export function DeleteSite({ site }: { site: { siteId: number; domain: string } }) {
  const { perform, busy, problems } = useAction("sites.delete");

  async function end() {
    if (await perform({ site_id: site.siteId })) window.location.assign("/sites");
  }

  return (
    <Section
      title="Delete the site"
      about="It is gone at once with its settings, its people and everything it has counted. Nothing brings it back."
    >
      <TypedConfirmation name={site.domain} busy={busy} problem={problems.message} onConfirm={end} />
    </Section>
  );
}
