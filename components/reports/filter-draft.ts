import { type Filter, isReached, namedBy, OPERATOR_LABELS } from "@/components/reports/filters";
import type { Option } from "@/components/ui/combobox-list";
import { msg, t } from "@/lib/texts/translate";

/** A filter while it is edited in the dialog. */
export interface Draft {
  /** A dimension, `prop` or `goal`. */
  field: string;
  /** Name of the property; empty for other fields. */
  name: string;
  operator: string;
  /** The selected values; for a goal, the goal's name. */
  chosen: Option[];
}

export const EMPTY_DRAFT: Draft = { field: "page", name: "", operator: "is", chosen: [] };

const OPERATORS: Record<string, string> = { ...OPERATOR_LABELS, matches: msg("matches (regular expression)") };
const REACHED: Record<string, string> = { yes: msg("was reached"), no: msg("was not reached") };

/**
 * Returns the operators of a field. Countries have no text operators, because their values are ISO codes.
 *
 * @param onlyIs allow only `is`, as on a public dashboard.
 */
export function operatorsOf(field: string, onlyIs = false): { value: string; label: string }[] {
  const all = Object.entries(field === "goal" ? REACHED : OPERATORS).map(([value, label]) => ({
    value,
    label: t(label),
  }));
  if (onlyIs) return all.filter(({ value }) => value === "is");
  return field === "country" ? all.filter(({ value }) => WHOLE.includes(value)) : all;
}

const WHOLE = ["is", "is_not"];

/** The value field of the dialog. For properties it first asks for the name, then for the values. */
export interface ValueInput {
  /** Field of analytics.filter_options that supplies the suggestions. */
  field: string;
  label: string;
  placeholder: string;
  /** Whether whole values are compared, so that suggestions make sense; otherwise parts of values are typed. */
  whole: boolean;
  single: boolean;
  /** Whether any text can be entered, not only suggested values. */
  free: boolean;
}

export function valueInputOf({ field, name, operator }: Draft): ValueInput {
  if (field === "prop" && name === "") {
    return { field, label: t("Property"), placeholder: t("Property name"), whole: true, single: true, free: true };
  }
  const isGoal = field === "goal";
  const whole = isGoal || WHOLE.includes(operator);
  return {
    field: field === "prop" ? `prop:${name}` : field,
    label: isGoal ? t("Goal") : field === "prop" ? t("Value of {name}", { name }) : t("Value"),
    placeholder: whole ? t("Type or select") : t("Type, then press Enter"),
    whole,
    single: isGoal || operator === "matches",
    free: !isGoal && field !== "country",
  };
}

/** Returns the draft with another selection. */
export function withChosen(draft: Draft, chosen: Option[]): Draft {
  if (draft.field === "prop" && draft.name === "") return { ...draft, name: chosen[0]?.value ?? "" };
  return { ...draft, chosen };
}

/** Returns the draft with the typed text as an additional value. */
export function withTyped(draft: Draft, typed: string): Draft {
  const value = typed.trim();
  const { free, single } = valueInputOf(draft);
  if (value === "" || !free) return draft;
  return withChosen(draft, [...(single ? [] : draft.chosen), { value, text: value }]);
}

/** Returns the draft with another operator. `matches` takes only one value. */
export const ofOperator = (draft: Draft, operator: string): Draft => ({
  ...draft,
  operator,
  chosen: operator === "matches" ? draft.chosen.slice(0, 1) : draft.chosen,
});

/** Returns an empty draft for another field, with the same operator if the field has it. */
export function ofField({ operator }: Draft, field: string): Draft {
  const known = operatorsOf(field).map(({ value }) => value);
  return { field, name: "", operator: known.includes(operator) ? operator : (known[0] as string), chosen: [] };
}

/** Converts a filter to a draft. @param texts display text of each value */
export function draftOf({ key, operator, values }: Filter, texts: readonly string[]): Draft {
  const { kind, name } = namedBy(key);
  if (kind === "goal") {
    const reached = isReached(values[0] ?? "") ? "yes" : "no";
    return { field: "goal", name: "", operator: reached, chosen: [{ value: name, text: name }] };
  }
  const chosen = values.map((value, index) => ({ value, text: texts[index] ?? value }));
  return { field: kind ?? key, name, operator, chosen };
}

/** Converts a draft to a filter; null if it is incomplete. */
export function filterOf({ field, name, operator, chosen }: Draft): Filter | null {
  const [first] = chosen;
  if (!first || (field === "prop" && name === "")) return null;
  if (field === "goal") return { key: `goal:${first.value}`, operator: "is", values: [operator] };
  return { key: field === "prop" ? `prop:${name}` : field, operator, values: chosen.map(({ value }) => value) };
}
