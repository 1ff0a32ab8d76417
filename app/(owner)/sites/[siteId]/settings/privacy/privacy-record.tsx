import { buttonLook } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DownloadLink } from "@/components/ui/download-link";
import { Section } from "@/components/ui/section";
import type { Answer } from "@/lib/operations/index";

/** The record of what the site stores, to download, and the text for its privacy policy, to copy. */
export function PrivacyRecord({
  siteId,
  policy,
}: {
  siteId: number;
  policy: Answer<"sites.privacy.record">["policy"];
}) {
  const file = (format: string) => `/sites/${siteId}/settings/privacy/record?format=${format}`;
  return (
    <Section
      title="Record and privacy policy"
      about={
        <>
          Written from the settings of this site: every stored field and how long it is kept.{" "}
          <a href="/docs/privacy" className="text-accent underline">
            Facts about consent, with sources
          </a>
          , and a{" "}
          <a href="/docs/data-processing" className="text-accent underline">
            data processing agreement
          </a>
          , if you run this for others.
        </>
      }
    >
      <p className="text-sm font-medium">Download the record for this site</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <DownloadLink href={file("markdown")} className={buttonLook({ look: "quiet", size: "small" })}>
          Markdown
        </DownloadLink>
        <DownloadLink href={file("json")} className={buttonLook({ look: "quiet", size: "small" })}>
          JSON
        </DownloadLink>
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm font-medium">Text for your privacy policy</p>
        <CopyButton text={policy} what="the text for your privacy policy" />
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-accent">Read it</summary>
        <p className="mt-2 rounded-lg bg-sunken px-3.5 py-3 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {policy}
        </p>
      </details>
      <p className="mt-2 text-sm text-muted">What only you know is in square brackets. This is not legal advice.</p>
    </Section>
  );
}
