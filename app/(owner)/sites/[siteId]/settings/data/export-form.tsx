import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const FORMS = [
  { value: "ndjson", label: "JSON, a line for each event" },
  { value: "csv", label: "CSV, for spreadsheets" },
];

/** Asks for the file as any link would, so that the browser saves it while it comes. */
export function ExportForm({ action }: { action: string }) {
  return (
    <form method="get" action={action} className="space-y-4">
      <Select name="format" label="Format" choices={FORMS} />
      <Field
        name="after"
        label="Go on behind"
        optional
        autoComplete="off"
        spellCheck={false}
        pattern="\d{1,17}\.-?\d{1,19}\.\d{1,9}"
        title="The event_id of a line of your export"
        hint="If a download broke off: the event_id of its last complete line. What comes is the rest, to be appended."
      />
      <Button type="submit">Download</Button>
    </form>
  );
}
