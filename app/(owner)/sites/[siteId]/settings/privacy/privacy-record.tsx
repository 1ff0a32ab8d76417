import { buttonLook } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DownloadLink } from "@/components/ui/download-link";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";

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
      title={t("Record and privacy policy")}
      about={rich(
        "Written from the settings of this site: every stored field and how long it is kept. <facts>Facts about consent, with sources</facts>, and a <agreement>data processing agreement</agreement>, if you run this for others.",
        {
          facts: (text) => (
            <a href="/docs/privacy" className="text-accent underline">
              {text}
            </a>
          ),
          agreement: (text) => (
            <a href="/docs/data-processing" className="text-accent underline">
              {text}
            </a>
          ),
        },
      )}
    >
      <p className="text-sm font-medium">{t("Download the record for this site")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <DownloadLink href={file("markdown")} className={buttonLook({ look: "quiet", size: "small" })}>
          {t("Markdown")}
        </DownloadLink>
        <DownloadLink href={file("json")} className={buttonLook({ look: "quiet", size: "small" })}>
          {t("JSON")}
        </DownloadLink>
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm font-medium">{t("Text for your privacy policy")}</p>
        <CopyButton text={policy} what={t("the text for your privacy policy")} />
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-accent">{t("Read it")}</summary>
        <p className="mt-2 rounded-lg bg-sunken px-3.5 py-3 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {policy}
        </p>
      </details>
      <p className="mt-2 text-sm text-muted">
        {t("What only you know is in square brackets. This is not legal advice.")}
      </p>
    </Section>
  );
}
