import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const FORMATS = [
  { value: "ndjson", label: "JSON, one line per event" },
  { value: "csv", label: "CSV, for spreadsheets" },
];

/** Plain GET form, so that the browser saves the file while it is streamed. */
export function ExportForm({ action }: { action: string }) {
  return (
    <form method="get" action={action} className="space-y-4">
      <Select name="format" label="Format" choices={FORMATS} />
      <Field
        name="after"
        label="Continue after"
        optional
        autoComplete="off"
        spellCheck={false}
        pattern="\d{1,17}\.-?\d{1,19}\.\d{1,9}"
        title="The event_id of a line of an earlier export"
        hint="To resume an interrupted download: the event_id of its last complete line. Append the rest to the file."
      />
      <Button type="submit">Download</Button>
    </form>
  );
}
