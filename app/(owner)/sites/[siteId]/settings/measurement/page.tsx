import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import { env } from "@/lib/platform/env";
import { batchCurl } from "@/lib/publish/reference";
import { listKeys } from "@/lib/sites/ingest-keys";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Keys } from "./keys";

export const metadata: Metadata = { title: "Measurement Protocol" };

export default async function MeasurementPage(props: SettingsProps) {
  const { site } = await openSettings("measurement", props);
  const now = new Date();
  const keys = await listKeys(site.site_id);
  const first = { events: [{ type: "page", context: { page: { url: `https://${site.domain}/`, title: "Home" } } }] };
  return (
    <SettingsFrame site={site} page="measurement">
      <Keys
        siteId={site.site_id}
        keys={keys.map(({ id, name, hint, expiresAt, lastUsedAt }) => ({
          id,
          name,
          hint,
          ended: expiresAt !== null && expiresAt <= now,
          expires: expiresAt && <When at={expiresAt} now={now} />,
          lastUsed: lastUsedAt && <When at={lastUsedAt} now={now} />,
        }))}
      />
      <Section
        title="Send an event"
        about={
          <>
            From your server, with a key in <span className="font-mono">INGEST_KEY</span>. See the{" "}
            <TextLink href="/docs/measurement-protocol">Measurement Protocol docs</TextLink>.
          </>
        }
      >
        <Code text={batchCurl(env().BASE_URL, first)} what="the call" />
      </Section>
    </SettingsFrame>
  );
}
