import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { CodeBlock } from "@/components/docs/code";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import sitesKeysList from "@/lib/operations/sites.keys.list";
import { env } from "@/lib/platform/env";
import { batchCurl } from "@/lib/publish/reference";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Keys } from "./keys";

export const generateMetadata = (): Metadata => ({ title: t("Measurement Protocol") });

export default async function MeasurementPage(props: SettingsProps) {
  const { owner, site } = await openSettings("measurement", props);
  const now = new Date();
  const { keys } = await query(sitesKeysList, owner, { site_id: site.site_id }, now);
  const first = { events: [{ type: "page", context: { page: { url: `https://${site.domain}/`, title: t("Home") } } }] };
  return (
    <SettingsFrame site={site} page="measurement">
      <Keys
        siteId={site.site_id}
        keys={keys.map(({ key_id, name, hint, expires_at, last_used_at }) => ({
          id: key_id,
          name,
          hint,
          ended: expires_at !== null && new Date(expires_at) <= now,
          expires: expires_at && <When at={new Date(expires_at)} now={now} />,
          lastUsed: last_used_at && <When at={new Date(last_used_at)} now={now} />,
        }))}
      />
      <Section
        title={t("Send an event")}
        about={rich("From your server, with a key in {name}. See the <link>Measurement Protocol docs</link>.", {
          name: <code className="font-mono">INGEST_KEY</code>,
          link: (text) => <TextLink href="/docs/measurement-protocol">{text}</TextLink>,
        })}
      >
        <CodeBlock text={batchCurl(env().BASE_URL, first)} what={t("the call")} />
      </Section>
    </SettingsFrame>
  );
}
