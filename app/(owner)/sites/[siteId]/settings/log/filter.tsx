import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { type Choice, Select } from "@/components/ui/select";
import { msg, t } from "@/lib/texts/translate";
import type { LogQuery } from "./query";

/** Kinds of changes, by the beginning of their operations. */
const KINDS: readonly Choice[] = [
  { value: "", label: msg("Every change") },
  { value: "sites.settings", label: msg("General settings") },
  { value: "sites.privacy", label: msg("Privacy") },
  { value: "sites.domains", label: msg("Domains") },
  { value: "sites.members", label: msg("People") },
  { value: "sites.links", label: msg("Private links") },
  { value: "sites.goals", label: msg("Goals") },
  { value: "sites.funnels", label: msg("Funnels") },
  { value: "sites.segments", label: msg("Segments") },
  { value: "sites.dashboards", label: msg("Dashboards") },
  { value: "sites.exclusions", label: msg("Exclusions") },
  { value: "sites.keys", label: msg("Ingest keys") },
  { value: "sites.proxy", label: msg("Proxies") },
  { value: "sites.monitoring", label: msg("Monitoring") },
  { value: "sites.alerts", label: msg("Alerts") },
  { value: "sites.retention", label: msg("Data retention") },
  { value: "sites.imports", label: msg("Imports") },
  { value: "sites.export", label: msg("Exports by agents") },
  { value: "events.export", label: msg("Export files") },
];

/** The filter of a log. It works without JavaScript. */
export const LogFilter = ({ action, people, ...asked }: LogQuery & { action: string; people: readonly Choice[] }) => (
  <Form action={action} className="mb-4 flex flex-wrap items-end gap-3">
    <div className="flex-1 basis-48">
      <Select
        label={t("What")}
        name="what"
        key={`what ${asked.what}`}
        defaultValue={asked.what}
        choices={KINDS.map(({ value, label }) => ({ value, label: t(label) }))}
      />
    </div>
    <div className="flex-1 basis-48">
      <Select
        label={t("Who")}
        name="who"
        key={`who ${asked.who}`}
        defaultValue={asked.who}
        choices={[
          { value: "", label: t("Everybody") },
          { value: "people", label: t("People themselves") },
          { value: "agents", label: t("Agents") },
          ...people.map((one) => ({ ...one, group: t("A person and their agents") })),
        ]}
      />
    </div>
    <div className="flex w-full flex-wrap items-end gap-3">
      <Field label={t("From")} type="date" name="from" key={`from ${asked.from}`} defaultValue={asked.from} />
      <Field label={t("To")} type="date" name="to" key={`to ${asked.to}`} defaultValue={asked.to} />
      <Button type="submit" look="quiet">
        {t("Show")}
      </Button>
    </div>
  </Form>
);
