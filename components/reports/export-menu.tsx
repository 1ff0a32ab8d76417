"use client";

import { useState } from "react";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useDownload } from "@/components/ui/use-download";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  /** The report as a curl command. */
  call: string;
  /** URLs of the report as a PDF, where there is one, and as the answer of its operation. */
  pdf?: string;
  json: string;
}

const COPIED = { idle: null, done: msg("The API call was copied."), failed: msg("The browser did not allow to copy.") };

/** Menu of what a report can be saved as. A refusal is shown beside it. */
export function ExportMenu({ call, pdf, json }: Props) {
  const { download, problem } = useDownload();
  const [copied, setCopied] = useState<keyof typeof COPIED>("idle");
  const copy = () =>
    navigator.clipboard.writeText(call).then(
      () => setCopied("done"),
      () => setCopied("failed"),
    );
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <span role="status" className={copied === "idle" ? "sr-only" : "text-sm text-muted"}>
        {COPIED[copied] && t(COPIED[copied])}
      </span>
      {problem && (
        <span role="alert" className="max-w-72 text-sm text-bad">
          {problem}
        </span>
      )}
      <Menu name={t("Report")} label={t("Export")} look="boxed" align="end">
        {pdf && (
          <MenuItem>
            <button type="button" onClick={() => void download(pdf)}>
              {t("Download as PDF")}
            </button>
          </MenuItem>
        )}
        <MenuItem>
          <button type="button" onClick={() => void download(json)}>
            {t("Download as JSON")}
          </button>
        </MenuItem>
        <MenuItem>
          <button type="button" onClick={copy}>
            {t("Copy as API call")}
          </button>
        </MenuItem>
      </Menu>
    </div>
  );
}
