import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";
import { msg, t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Proxies } from "./proxies";

export const generateMetadata = (): Metadata => ({ title: t("Proxies") });

export default async function ProxyPage(props: SettingsProps) {
  const { owner, site } = await openSettings("proxy", props);
  const now = new Date();
  const { has_signing_key, previous_key_valid_until: until } = await query(
    sitesSettingsGet,
    owner,
    { site_id: site.site_id },
    now,
  );
  return (
    <SettingsFrame site={site} page="proxy">
      <Proxies
        siteId={site.site_id}
        addresses={site.trusted_proxy_ips ?? []}
        mustSign={site.require_signature ?? false}
        hasKey={has_signing_key}
        previousEnds={until && <When at={new Date(until)} now={now} />}
        mayChange={site.role === "owner"}
      />
      <Section title={t("How to forward")}>
        <ul className="-my-1 list-disc space-y-1 pl-5 text-sm text-muted">
          {DOCS.map(([href, label, about]) => (
            <li key={href}>
              <TextLink href={href}>{t(label)}</TextLink>: {t(about)}
            </li>
          ))}
        </ul>
      </Section>
    </SettingsFrame>
  );
}

const DOCS = [
  ["/docs/proxies", msg("Proxies"), msg("headers, and signing functions for Node, Python and PHP")],
  ["/docs/own-domain", msg("Own domain"), msg("configuration for nginx, Caddy, Next.js and Cloudflare")],
  ["/docs/measurement-protocol", msg("Measurement Protocol"), msg("servers that send their own events need no proxy")],
] as const;
