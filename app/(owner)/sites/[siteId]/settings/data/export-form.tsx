"use client";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { useDownload } from "@/components/ui/use-download";

const FORMATS = [
  { value: "ndjson", label: "JSON, one line per event" },
  { value: "csv", label: "CSV, for spreadsheets" },
  { value: "parquet", label: "Parquet, for data tools" },
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
      <Select name="format" label="Format" choices={FORMATS} />
      <Field
        name="after"
        label="Continue after"
        optional
        autoComplete="off"
        spellCheck={false}
        pattern="\d{1,17}\.-?\d{1,19}\.\d{1,9}"
        title="The event_id of a line of an earlier export"
        hint="To resume an interrupted download: the event_id of its last complete line. The rest of JSON and CSV is appended to the file; that of Parquet is a file of its own."
      />
      <Button type="submit" disabled={busy}>
        Download
      </Button>
    </form>
  );
}
