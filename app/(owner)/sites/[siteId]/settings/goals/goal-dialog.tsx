"use client";

import { useState } from "react";
import type { EditProps } from "@/components/actions/saved-list";
import { Suggested } from "@/components/reports/suggestions";
import { Field, InputFrame, inputLook } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Select } from "@/components/ui/select";
import { legiblePath } from "@/lib/platform/legible";
import { msg, t } from "@/lib/texts/translate";
import { type Goal, type GoalValue, OPERATOR_WORDS, type PropertyOperator, type Way } from "./goals";

const KINDS = [
  { value: "event", label: msg("Event") },
  { value: "page", label: msg("Page") },
];
const HINTS = {
  event: msg("Its exact name."),
  page: msg("A path. * matches one segment, ** any number of segments: /shop/**."),
};

/** A goal to save; the id of a new one is null. */
export type GoalDraft = Omit<Goal, "id" | "maker" | "href"> & { id: number | null };

interface Props extends EditProps<GoalDraft> {
  siteId: number;
  /** The reporting currency of the site. */
  currency: string;
}

const lineOf = ({ pattern }: Way): string => legiblePath(pattern);

/** Reads one page or event from each line: a path begins with a slash. */
const waysIn = (text: string): Way[] =>
  text.split("\n").flatMap((line) => {
    const pattern = line.trim();
    return pattern ? [{ kind: pattern.startsWith("/") ? ("page" as const) : ("event" as const), pattern }] : [];
  });

const valuesIn = (text: string): string[] => text.split(",").flatMap((value) => value.trim() || []);

type Worth = GoalValue["of"] | "none";

const valueAs = (of: GoalValue["of"], amount: string, property: string): GoalValue => ({
  of,
  amount: of === "amount" ? amount.replace(",", ".") : null,
  property: of === "property" ? property : null,
});

/** What reaching a goal can be worth. */
const worths = (): { value: Worth; label: string }[] => [
  { value: "none", label: t("Nothing") },
  { value: "amount", label: t("A fixed amount") },
  { value: "property", label: t("A property of the event") },
  { value: "revenue", label: t("The revenue of the event") },
];

/** Dialog to create or edit a goal. */
export function GoalDialog({ siteId, currency, draft, problems, busy, onSave, onCancel }: Props) {
  const [kind, setKind] = useState(draft.kind);
  const [pattern, setPattern] = useState(legiblePath(draft.pattern));
  const [name, setName] = useState(draft.name);
  const [also, setAlso] = useState(() => draft.also.map(lineOf).join("\n"));
  const [first, ...others] = draft.properties;
  const [property, setProperty] = useState(first?.property ?? "");
  const [operator, setOperator] = useState<PropertyOperator>(first?.operator ?? "is");
  const [value, setValue] = useState(first?.values.join(", ") ?? "");
  const [worth, setWorth] = useState<Worth>(draft.value?.of ?? "none");
  const [amount, setAmount] = useState(draft.value?.amount ?? "");
  const [worthProperty, setWorthProperty] = useState(draft.value?.property ?? "");
  const patternProblem = problems.fields["reached_by.pattern"];

  const submit = () =>
    onSave({
      ...{ id: draft.id, name: name.trim() || pattern, kind, pattern, also: waysIn(also) },
      properties: [...(property.trim() ? [{ property, operator, values: valuesIn(value) }] : []), ...others],
      value: worth === "none" ? null : valueAs(worth, amount.trim(), worthProperty.trim()),
    });

  return (
    <FormDialog
      title={draft.id === null ? t("New goal") : t("Edit {name}", { name: draft.name })}
      problems={problems}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-3">
        <Select
          label={t("Reached by")}
          choices={KINDS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={kind}
          onChange={({ target }) => setKind(target.value as Goal["kind"])}
        />
        <InputFrame
          label={kind === "event" ? t("Name of the event") : t("Path")}
          hint={t(HINTS[kind])}
          problem={patternProblem}
        >
          {(tied) => (
            <Suggested
              {...tied}
              siteId={siteId}
              field={kind}
              value={pattern}
              onChange={({ target }) => setPattern(target.value)}
              placeholder={kind === "event" ? t("Signup") : "/thanks"}
              className={inputLook}
            />
          )}
        </InputFrame>
      </div>
      <InputFrame label={t("Also reached by")} optional hint={t("One path or name of an event on each line.")}>
        {(tied) => (
          <textarea
            {...tied}
            rows={2}
            value={also}
            onChange={({ target }) => setAlso(target.value)}
            className={`${inputLook} h-auto py-2`}
          />
        )}
      </InputFrame>
      <div className="grid grid-cols-3 gap-3">
        <Field
          label={t("Only if")}
          optional
          value={property}
          onChange={({ target }) => setProperty(target.value)}
          placeholder="plan"
          maxLength={255}
          autoComplete="off"
        />
        <Select
          label={t("Compared")}
          choices={Object.entries(OPERATOR_WORDS).map(([key, label]) => ({ value: key, label: t(label) }))}
          value={operator}
          onChange={({ target }) => setOperator(target.value as PropertyOperator)}
        />
        <Field
          label={t("Values")}
          value={value}
          onChange={({ target }) => setValue(target.value)}
          placeholder="pro, team"
          autoComplete="off"
        />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Select
          label={t("Worth")}
          choices={worths()}
          value={worth}
          onChange={({ target }) => setWorth(target.value as Worth)}
        />
        {worth === "amount" && (
          <Field
            label={t("Amount in {currency}", { currency })}
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
            inputMode="decimal"
            placeholder="12.50"
            autoComplete="off"
            problem={problems.fields["value.amount"]}
          />
        )}
        {worth === "property" && (
          <Field
            label={t("Property, a number in {currency}", { currency })}
            value={worthProperty}
            onChange={({ target }) => setWorthProperty(target.value)}
            placeholder="price"
            maxLength={255}
            autoComplete="off"
            problem={problems.fields["value.property"]}
          />
        )}
      </div>
      <Field
        label={t("Name")}
        optional
        value={name}
        onChange={({ target }) => setName(target.value)}
        placeholder={pattern}
        autoComplete="off"
        maxLength={191}
        problem={problems.fields.name}
      />
    </FormDialog>
  );
}
