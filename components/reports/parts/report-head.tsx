import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { DownloadLink } from "@/components/ui/download-link";
import { Download } from "@/components/ui/icons";

interface Props {
  title: string;
  /** Description of the operation; only its first sentence is shown. */
  about: string;
  /** The report as a curl command. */
  call: string;
  /** URL of the JSON download. */
  json: string;
  toolbar: ReactNode;
}

/** Header of a report: title, description, toolbar and export buttons. */
export function ReportHead({ title, about, call, json, toolbar }: Props) {
  const [sentence = about] = /^.*?\.(?=\s|$)/.exec(about) ?? [];
  return (
    // On narrow screens the description is below the title, although it follows the toolbar in tab order.
    <div className="mb-4 flex flex-col gap-x-6 gap-y-2 lg:grid lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-y-4.5">
      <h1 className="min-w-0 text-xl font-semibold">{title}</h1>
      <div className="max-lg:order-1 lg:justify-self-end">{toolbar}</div>
      <p className="min-w-0 max-w-[44rem] self-start text-sm text-muted max-lg:mb-1">{sentence}</p>
      <div className="flex flex-wrap gap-2 max-lg:order-2 max-lg:mt-2.5 lg:justify-end lg:self-start print:hidden">
        <CopyButton text={call} what="this report as an API call" label="Copy as API call" />
        <DownloadLink
          href={json}
          aria-label="Download the report as JSON"
          className="inline-flex h-8 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-sm font-medium hover:bg-sunken"
        >
          <Download /> JSON
        </DownloadLink>
      </div>
    </div>
  );
}
