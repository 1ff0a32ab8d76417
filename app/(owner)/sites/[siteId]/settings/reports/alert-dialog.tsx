"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { Suggested } from "@/components/reports/suggestions";
import { Button } from "@/components/ui/button";
import { Field, InputFrame, inputLook } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { type Choice, Select } from "@/components/ui/select";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import { msg, t } from "@/lib/texts/translate";
import type { Rule } from "./alert-rules";
import { CHANNEL_NAMES } from "./channel-names";
import { translated } from "./choices";

interface Props {
  siteId: number;
  /** Null for a new one. */
  rule: Rule | null;
  segments: Choice[];
  emails: string[];
  /** Names of the site's goals. */
  goals: string[];
  /** Of the site's money. */
  currency: string;
  onDone(): void;
  onCancel(): void;
}

type Kind = keyof typeof CHANNEL_NAMES;
type Condition = Rule["condition"];

/** A channel in the form. `id` is that of a chat whose address stays. */
interface Draft {
  key: number;
  kind: Kind;
  text: string;
  id: number | null;
  masked: string | null;
}

const METRIC_CHOICES = (Object.keys(MEASURES) as Measure[])
  .filter((metric) => metric !== "scroll_depth")
  .map((metric) => ({ value: metric, label: MEASURES[metric].label }));
const OF_GOALS: readonly Measure[] = ["conversions", "conversion_rate", "conversion_value"];
const CONDITIONS = [
  { value: "above", label: msg("is above") },
  { value: "below", label: msg("is below") },
  { value: "unusual", label: msg("is unusual") },
];
const SPANS = [
  { value: "hour", label: msg("in an hour") },
  { value: "day", label: msg("in a day") },
];
const FILTERS = [
  { value: "", label: msg("Everything") },
  { value: "event", label: msg("Event") },
  { value: "page", label: msg("Page") },
  { value: "source", label: msg("Source") },
  { value: "country", label: msg("Country code") },
  { value: "utm_campaign", label: msg("Campaign") },
];
const COOLDOWN_HOURS = [1, 3, 6, 12, 24, 48, 168];
const cooldowns = () =>
  COOLDOWN_HOURS.map((hours) => ({
    value: `${hours}`,
    label:
      hours < 48
        ? t("{count, plural, one {# hour} other {# hours}}", { count: hours })
        : t("{count, plural, one {# day} other {# days}}", { count: hours / 24 }),
  }));
const KINDS = (Object.keys(CHANNEL_NAMES) as Kind[]).map((kind) => ({ value: kind, label: CHANNEL_NAMES[kind] }));

/** What the form can show: one filter with one value. Others, which agents saved, stay as they are. */
function simpleFilter(rule: Rule | null): { key: string; value: string } | null {
  const entries = Object.entries(rule?.filters ?? {});
  if (entries.length === 0) return { key: "", value: "" };
  const [[key, value] = ["", null]] = entries;
  const isShown = entries.length === 1 && typeof value === "string" && FILTERS.some((one) => one.value === key);
  return isShown ? { key, value } : null;
}

export function AlertDialog({ siteId, rule, segments, emails, goals, currency, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.alerts.save", {
    fields: ["name", "threshold", "filters"],
  });
  const [metric, setMetric] = useState<Measure>(rule?.metric ?? "visitors");
  const [condition, setCondition] = useState<Condition>(rule?.condition ?? "unusual");
  const [drafts, setDrafts] = useState<Draft[]>(() => draftsOf(rule, emails));
  const known = simpleFilter(rule);
  const [filter, setFilter] = useState(known?.key ?? "");
  const [value, setValue] = useState(known?.value ?? "");
  const { unit } = MEASURES[metric];
  const isShare = unit === "fraction";
  const hasGoal = OF_GOALS.includes(metric);

  async function submit(form: FormData) {
    const typed = String(form.get("threshold") ?? "").trim();
    const threshold = condition === "unusual" || typed === "" ? null : Number(typed) / (isShare ? 100 : 1);
    const input: ActionInput<"sites.alerts.save"> = {
      site_id: siteId,
      id: rule?.id ?? null,
      name: String(form.get("name")),
      metric,
      goal: hasGoal ? String(form.get("goal") ?? "") || null : null,
      filters: known === null ? rule?.filters : filter && value.trim() ? { [filter]: value.trim() } : {},
      segment: String(form.get("segment") ?? "") || null,
      condition,
      threshold,
      span: form.get("span") as "hour" | "day",
      cooldown_hours: Number(form.get("cooldown")),
      channels: drafts.map(({ kind, text, id }) => {
        if (kind === "webhook") return { kind };
        if (kind === "email") return { kind, email: text };
        return text === "" && id !== null ? { kind, channel_id: id } : { kind, url: text };
      }),
    };
    if (await perform(input)) onDone();
  }

  return (
    <FormDialog
      title={rule ? t("Change the rule") : t("Add a rule")}
      busyAction={t("Saving…")}
      busy={busy}
      problems={problems}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label={t("Name")}
        name="name"
        defaultValue={rule?.name ?? ""}
        placeholder={t("Signups stopped")}
        autoComplete="off"
        problem={problems.fields.name}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={t("Metric")}
          name="metric"
          choices={translated(METRIC_CHOICES)}
          value={metric}
          onChange={(event) => setMetric(event.target.value as Measure)}
        />
        {hasGoal && (
          <Select
            label={t("Conversions of")}
            name="goal"
            choices={[
              { value: "", label: t("Any goal") },
              ...[...new Set([...goals, rule?.goal ?? ""])]
                .filter(Boolean)
                .map((name) => ({ value: name, label: name })),
            ]}
            defaultValue={rule?.goal ?? ""}
          />
        )}
        <Select
          label={t("Condition")}
          name="condition"
          choices={translated(CONDITIONS)}
          value={condition}
          onChange={(event) => setCondition(event.target.value as Condition)}
        />
        {condition !== "unusual" && (
          <Field
            label={t(
              "{unit, select, fraction {Threshold, in %} seconds {Threshold, in seconds} money {Threshold, in {currency}} other {Threshold}}",
              { unit, currency },
            )}
            name="threshold"
            type="number"
            min={0}
            step="any"
            defaultValue={rule?.threshold === null || rule === null ? "" : rule.threshold * (isShare ? 100 : 1)}
            problem={problems.fields.threshold}
          />
        )}
        <Select label={t("Time")} name="span" choices={translated(SPANS)} defaultValue={rule?.span ?? "day"} />
      </div>
      {condition === "unusual" && (
        <p className="text-sm text-muted">
          {t(
            "Compared with the same time of the last four weeks. Quiet sites and the first three weeks are never unusual.",
          )}
        </p>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {known === null ? (
          <p className="text-sm text-muted [overflow-wrap:anywhere] sm:col-span-2">
            {t("Filters: {filters}", { filters: rule?.sentences.join("; ") ?? "" })}
          </p>
        ) : (
          <>
            <Select
              label={t("Only")}
              name="filter"
              choices={translated(FILTERS)}
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
            {filter && (
              <InputFrame label={t("Value")} problem={problems.fields.filters}>
                {(attributes) => (
                  <Suggested
                    {...attributes}
                    key={filter}
                    siteId={siteId}
                    field={filter}
                    value={value}
                    onChange={({ target }) => setValue(target.value)}
                    className={inputLook}
                  />
                )}
              </InputFrame>
            )}
          </>
        )}
        {segments.length > 0 && (
          <Select
            label={t("Segment")}
            name="segment"
            choices={[{ value: "", label: t("None") }, ...segments]}
            defaultValue={rule?.segment ?? ""}
          />
        )}
        <Select
          label={t("At most one alert in")}
          name="cooldown"
          choices={cooldowns()}
          defaultValue={`${rule?.cooldown_hours ?? 24}`}
        />
      </div>
      <Channels drafts={drafts} emails={emails} onChange={setDrafts} />
    </FormDialog>
  );
}

function draftsOf(rule: Rule | null, emails: string[]): Draft[] {
  if (!rule) return emails[0] ? [{ key: 0, kind: "email", text: emails[0], id: null, masked: null }] : [];
  return rule.channels.map(({ channel_id, kind, email, url }, key) => ({
    key,
    kind,
    text: email ?? "",
    id: channel_id,
    masked: url,
  }));
}

interface ChannelsProps {
  drafts: Draft[];
  emails: string[];
  onChange(drafts: Draft[]): void;
}

/** Where the alerts go. */
function Channels({ drafts, emails, onChange }: ChannelsProps) {
  const change = (key: number, part: Partial<Draft>) =>
    onChange(drafts.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)));
  const next = Math.max(-1, ...drafts.map(({ key }) => key)) + 1;
  return (
    <fieldset className="space-y-3">
      <legend className="text-sm font-medium">{t("Tell")}</legend>
      {drafts.map(({ key, kind, text, masked }, index) => (
        <div key={key} className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-3">
          <Select
            quiet
            label={t("Channel {number}", { number: index + 1 })}
            choices={translated(KINDS)}
            value={kind}
            onChange={(event) => change(key, { kind: event.target.value as Kind, text: "", id: null, masked: null })}
            className="w-36"
          />
          <Button
            look="quiet"
            size="small"
            aria-label={t("Remove channel {number}", { number: index + 1 })}
            onClick={() => onChange(drafts.filter((draft) => draft.key !== key))}
          >
            {t("Remove")}
          </Button>
          {kind === "email" && (
            <div className="basis-full">
              <Select
                quiet
                label={t("Address {number}", { number: index + 1 })}
                choices={[
                  ...(emails.includes(text) ? [] : [{ value: text, label: text || t("Choose") }]),
                  ...emails.map((email) => ({ value: email, label: email })),
                ]}
                value={text}
                onChange={(event) => change(key, { text: event.target.value })}
              />
            </div>
          )}
          {kind !== "email" && kind !== "webhook" && (
            <input
              aria-label={t("Webhook URL {number}", { number: index + 1 })}
              type="url"
              value={text}
              onChange={(event) => change(key, { text: event.target.value })}
              placeholder={masked ?? "https://"}
              autoComplete="off"
              spellCheck={false}
              className="h-8 min-w-0 basis-full rounded-lg border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-muted"
            />
          )}
          {kind === "webhook" && (
            <span className="basis-full text-sm text-muted">{t("The one that Monitoring has.")}</span>
          )}
        </div>
      ))}
      <Button
        look="quiet"
        size="small"
        onClick={() =>
          onChange([...drafts, { key: next, kind: "email", text: emails[0] ?? "", id: null, masked: null }])
        }
      >
        {t("Add a channel")}
      </Button>
    </fieldset>
  );
}
