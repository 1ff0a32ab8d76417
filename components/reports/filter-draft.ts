import { type Filter, isReached, namedBy, OPERATOR_WORDS } from "@/components/reports/filters";
import type { Option } from "@/components/ui/combobox-list";

/** A filter as it is put together in the dialog. */
export interface Draft {
  /** A dimension, `prop` or `goal`. */
  field: string;
  /** The name of the property. */
  name: string;
  operator: string;
  /** The values; for a goal, its name. */
  chosen: Option[];
}

export const EMPTY_DRAFT: Draft = { field: "page", name: "", operator: "is", chosen: [] };

const OPERATORS: Record<string, string> = { ...OPERATOR_WORDS, matches: "matches (regular expression)" };
const REACHED: Record<string, string> = { yes: "was reached", no: "was not reached" };

/**
 * The ways to compare what a field holds. A country is its code, whose parts mean nothing.
 *
 * @param onlyIs whether values can only be chosen as they are, as on a public dashboard.
 */
export function operatorsOf(field: string, onlyIs = false): { value: string; label: string }[] {
  const all = Object.entries(field === "goal" ? REACHED : OPERATORS).map(([value, label]) => ({ value, label }));
  if (onlyIs) return all.filter(({ value }) => value === "is");
  return field === "country" ? all.filter(({ value }) => WHOLE.includes(value)) : all;
}

const WHOLE = ["is", "is_not"];

/** What is to be chosen of a draft: the name of a property before its values. */
export interface Asked {
  /** The field of analytics.filter_options whose values are offered. */
  field: string;
  label: string;
  placeholder: string;
  /** Values are offered as they are; otherwise parts of them are typed. */
  whole: boolean;
  single: boolean;
  /** A value may be typed that was never seen. */
  free: boolean;
}

export function askedOf({ field, name, operator }: Draft): Asked {
  if (field === "prop" && name === "") {
    return { field, label: "Property", placeholder: "Its name", whole: true, single: true, free: true };
  }
  const isGoal = field === "goal";
  const whole = isGoal || WHOLE.includes(operator);
  return {
    field: field === "prop" ? `prop:${name}` : field,
    label: isGoal ? "Goal" : field === "prop" ? `Value of ${name}` : "Value",
    placeholder: whole ? "Type or choose" : "Type, then press Enter",
    whole,
    single: isGoal || operator === "matches",
    free: !isGoal && field !== "country",
  };
}

/** A draft in which something more is chosen, or less. */
export function withChosen(draft: Draft, chosen: Option[]): Draft {
  if (draft.field === "prop" && draft.name === "") return { ...draft, name: chosen[0]?.value ?? "" };
  return { ...draft, chosen };
}

/** What was typed and not taken from the list is meant too. */
export function withTyped(draft: Draft, typed: string): Draft {
  const value = typed.trim();
  const { free, single } = askedOf(draft);
  if (value === "" || !free) return draft;
  return withChosen(draft, [...(single ? [] : draft.chosen), { value, text: value }]);
}

/** The same draft with another operator; a pattern is only one. */
export const ofOperator = (draft: Draft, operator: string): Draft => ({
  ...draft,
  operator,
  chosen: operator === "matches" ? draft.chosen.slice(0, 1) : draft.chosen,
});

/** The same draft of another field: what was chosen before means nothing there. */
export function ofField({ operator }: Draft, field: string): Draft {
  const known = operatorsOf(field).map(({ value }) => value);
  return { field, name: "", operator: known.includes(operator) ? operator : (known[0] as string), chosen: [] };
}

/** What is to be changed, as a draft; `texts` are its values in words. */
export function draftOf({ key, operator, values }: Filter, texts: readonly string[]): Draft {
  const { kind, name } = namedBy(key);
  if (kind === "goal") {
    const answer = isReached(values[0] ?? "") ? "yes" : "no";
    return { field: "goal", name: "", operator: answer, chosen: [{ value: name, text: name }] };
  }
  const chosen = values.map((value, index) => ({ value, text: texts[index] ?? value }));
  return { field: kind ?? key, name, operator, chosen };
}

/** The filter that a draft comes to; null while something is missing. */
export function filterOf({ field, name, operator, chosen }: Draft): Filter | null {
  const [first] = chosen;
  if (!first || (field === "prop" && name === "")) return null;
  if (field === "goal") return { key: `goal:${first.value}`, operator: "is", values: [operator] };
  return { key: field === "prop" ? `prop:${name}` : field, operator, values: chosen.map(({ value }) => value) };
}
