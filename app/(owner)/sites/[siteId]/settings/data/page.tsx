import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { Code } from "@/components/docs/code";
import { Section } from "@/components/ui/section";
import { manages } from "@/lib/contract/vocabulary";
import { readRetentionMonths } from "@/lib/sites/retention";
import { signedInOwner, siteOrNotFound } from "../../../../access";
import { SettingsFrame } from "../frame";
import { ExportForm } from "./export-form";
import { RetentionForm } from "./retention-form";

export const metadata: Metadata = { title: "Data" };

export default async function DataPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner(`/sites/${siteId}/settings/data`);
  const site = await siteOrNotFound(owner, siteId);
  if (!manages(site.role)) notFound();
  return (
    <SettingsFrame site={site} page="data">
      <RetentionForm
        site={{ siteId: site.site_id, domain: site.domain }}
        months={await readRetentionMonths(site.site_id)}
        mayChange={site.role === "owner"}
      />
      <Section
        title="Take everything along"
        about="Every event that is stored of this site, the oldest first, each with its visit in one line. IP addresses are not in it: none is kept. The site's log notes who exported."
      >
        <ExportForm action={`/sites/${site.site_id}/settings/data/export`} />
      </Section>
      <Section
        title="Bring data along"
        about="On the machine of this service, beside the running server. Importing a file twice changes nothing."
      >
        <Code text={`npm run import -- --site ${site.domain} events.ndjson`} what="the command" />
        <p className="mt-3 text-sm text-muted">
          An export of another Footfall gives the same reports here. Daily sums come from exports of Plausible, Umami
          and Google Analytics.{" "}
          <Link href="/docs/export" prefetch={false} className="text-accent underline">
            What is in a line, and what can be imported
          </Link>
        </p>
      </Section>
    </SettingsFrame>
  );
}
