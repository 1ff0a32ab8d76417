import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { type Choice, Select } from "@/components/ui/select";
import type { LogQuery } from "./query";

/** Kinds of changes, by the beginning of their operations. */
const KINDS: readonly Choice[] = [
  { value: "", label: "Every change" },
  { value: "sites.settings", label: "General settings" },
  { value: "sites.privacy", label: "Privacy" },
  { value: "sites.domains", label: "Domains" },
  { value: "sites.members", label: "People" },
  { value: "sites.links", label: "Private links" },
  { value: "sites.goals", label: "Goals" },
  { value: "sites.funnels", label: "Funnels" },
  { value: "sites.segments", label: "Segments" },
  { value: "sites.dashboards", label: "Dashboards" },
  { value: "sites.exclusions", label: "Exclusions" },
  { value: "sites.keys", label: "Ingest keys" },
  { value: "sites.proxy", label: "Proxies" },
  { value: "sites.monitoring", label: "Monitoring" },
  { value: "sites.alerts", label: "Alerts" },
  { value: "sites.retention", label: "Data retention" },
  { value: "sites.imports", label: "Imports" },
  { value: "sites.export", label: "Exports by agents" },
  { value: "events.export", label: "Export files" },
];

/** The filter of a log. It works without JavaScript. */
export const LogFilter = ({ action, people, ...asked }: LogQuery & { action: string; people: readonly Choice[] }) => (
  <Form action={action} className="mb-4 flex flex-wrap items-end gap-3">
    <div className="flex-1 basis-48">
      <Select label="What" name="what" key={`what ${asked.what}`} defaultValue={asked.what} choices={KINDS} />
    </div>
    <div className="flex-1 basis-48">
      <Select
        label="Who"
        name="who"
        key={`who ${asked.who}`}
        defaultValue={asked.who}
        choices={[
          { value: "", label: "Everybody" },
          { value: "people", label: "People themselves" },
          { value: "agents", label: "Agents" },
          ...people.map((one) => ({ ...one, group: "A person and their agents" })),
        ]}
      />
    </div>
    <div className="flex w-full flex-wrap items-end gap-3">
      <Field label="From" type="date" name="from" key={`from ${asked.from}`} defaultValue={asked.from} />
      <Field label="To" type="date" name="to" key={`to ${asked.to}`} defaultValue={asked.to} />
      <Button type="submit" look="quiet">
        Show
      </Button>
    </div>
  </Form>
);
