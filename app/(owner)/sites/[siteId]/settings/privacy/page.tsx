import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { Section } from "@/components/ui/section";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { SCRUBBED } from "@/lib/ingest/event/scrub";
import sitesPrivacyGet from "@/lib/operations/sites.privacy.get";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { PrivacyForm } from "./privacy-form";

export const metadata: Metadata = { title: "Privacy" };

export default async function PrivacyPage(props: SettingsProps) {
  const { owner, site } = await openSettings("privacy", props);
  return (
    <SettingsFrame site={site} page="privacy">
      <PrivacyForm privacy={await query(sitesPrivacyGet, owner, { site_id: site.site_id })} />
      <Section
        title="Always"
        about="IP addresses and user agents are not stored, and no cookies are set. Personal data is replaced before storage:"
      >
        <ul className="-my-1 list-disc space-y-1 pl-5 text-sm text-muted">
          {Object.entries(SCRUBBED).map(([kind, about]) => (
            <li key={kind} className="first-letter:uppercase">
              {about} becomes <span className="font-mono">({kind})</span>
            </li>
          ))}
        </ul>
        {isDbIp() && (
          <p className="mt-4 text-sm text-muted">
            Locations:{" "}
            <a href="https://db-ip.com/" className="text-accent underline">
              IP Geolocation by DB-IP
            </a>
          </p>
        )}
      </Section>
    </SettingsFrame>
  );
}
