"use client";

import { Download } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useReportPath } from "@/components/reports/report-path";
import type { Sheet } from "@/components/reports/sheet";
import { DownloadLink } from "@/components/ui/download-link";
import { t } from "@/lib/texts/translate";

/** Download link for a table of the current view as CSV. */
export function CsvLink({ sheet }: { sheet: Sheet }) {
  const path = useReportPath();
  const query = new URLSearchParams(useSearchParams());
  query.set("table", sheet.key);
  return (
    <DownloadLink
      href={`${path}/download?${query}`}
      aria-label={t("Download {table} as CSV", { table: t(sheet.title) })}
      className="-mr-1.5 flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-[0.8125rem] font-medium text-muted hover:bg-sunken hover:text-ink"
    >
      <Download className="size-3.5" /> {t("CSV")}
    </DownloadLink>
  );
}
