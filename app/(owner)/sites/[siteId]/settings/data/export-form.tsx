"use client";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { useDownload } from "@/components/ui/use-download";
import { msg, t } from "@/lib/texts/translate";

const FORMATS = [
  { value: "ndjson", label: msg("JSON, one line per event") },
  { value: "csv", label: msg("CSV, for spreadsheets") },
  { value: "parquet", label: msg("Parquet, for data tools") },
];

/** The browser saves the file while it is streamed; a refusal is shown in the form, which keeps what was typed. */
export function ExportForm({ action }: { action: string }) {
  const { download, problem, busy } = useDownload();

  function submit(form: HTMLFormElement) {
    const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    if (!busy) void download(`${action}?${query}`, { checkFirst: true });
  }

  return (
    <form
      method="get"
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
      className="space-y-4"
    >
      {problem && <Notice>{problem}</Notice>}
      <Select
        name="format"
        label={t("Format")}
        choices={FORMATS.map(({ value, label }) => ({ value, label: t(label) }))}
      />
      <Field
        name="after"
        label={t("Continue after")}
        optional
        autoComplete="off"
        spellCheck={false}
        pattern="\d{1,17}\.-?\d{1,19}\.\d{1,9}"
        title={t("The event_id of a line of an earlier export")}
        hint={t(
          "To resume an interrupted download: the event_id of its last complete line. The rest of JSON and CSV is appended to the file; that of Parquet is a file of its own.",
        )}
      />
      <Button type="submit" disabled={busy}>
        {t("Download")}
      </Button>
    </form>
  );
}

/** Downloads the totals that imports brought. */
export function ExportTotals({ action }: { action: string }) {
  const { download, problem, busy } = useDownload();
  return (
    <div className="space-y-4">
      {problem && <Notice>{problem}</Notice>}
      <Button look="quiet" disabled={busy} onClick={() => void download(action, { checkFirst: true })}>
        {t("Download imported totals")}
      </Button>
    </div>
  );
}
