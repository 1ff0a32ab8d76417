import type { Metadata } from "next";
import { Section } from "@/components/ui/section";
import { legibleHost } from "@/lib/platform/legible-host";
import { msg, t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { AddDomain } from "./add-domain";
import { Domains } from "./domains";

export const generateMetadata = (): Metadata => ({ title: t("Domains") });

export default async function DomainsPage(props: SettingsProps) {
  const { site } = await openSettings("domains", props);
  return (
    <SettingsFrame site={site} page="domains">
      <Domains siteId={site.site_id} domains={site.domains.map((one) => ({ ...one, name: legibleHost(one.domain) }))} />
      <AddDomain siteId={site.site_id} />
      <Section title={t("Domain status")}>
        <dl className="-my-2 divide-y divide-line text-sm">
          {MARKS.map(([mark, about]) => (
            <div key={mark} className="grid gap-x-4 py-2 sm:grid-cols-[6rem_1fr]">
              <dt className="font-medium">{t(mark)}</dt>
              <dd className="text-muted">{t(about)}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </SettingsFrame>
  );
}

const MARKS = [
  [msg("Primary"), msg("Names the site and its public dashboard. It cannot be removed.")],
  [
    msg("Verified"),
    msg(
      "A DNS record, a file or a meta tag has proven that you control it. It stays with this site while that proof is published.",
    ),
  ],
  [
    msg("Local trial"),
    msg("It is this machine, for everybody another one: pages opened here are counted, and nobody can verify it."),
  ],
  [
    msg("Not verified"),
    msg("It is counted too. If someone else verifies it, it moves to their site, and owners get an email."),
  ],
] as const;
