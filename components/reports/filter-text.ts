import { type Filter, isReached, namedBy, OPERATOR_LABELS } from "@/components/reports/filters";
import { valueName } from "@/components/reports/values";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";

/** Display text of a filter, such as "Country", "is", "Germany or France". */
interface FilterText {
  subject: string;
  operator: string;
  value: string;
}

export function filterText({ key, operator, values }: Filter): FilterText {
  const { kind, name } = namedBy(key);
  if (kind === "goal") {
    const reached = values.map((value) => (isReached(value) ? "reached" : "not reached"));
    return { subject: `Goal ${name}`, operator: "was", value: listed(reached) };
  }
  return {
    subject: kind === "prop" ? `Property ${name}` : subjectOf(key),
    operator: OPERATOR_LABELS[operator] ?? operator,
    value: listed(values.map((value) => valueName(key, value))),
  };
}

export const describeFilter = (filter: Filter): string => {
  const { subject, operator, value } = filterText(filter);
  return `${subject} ${operator} ${value}`;
};

const subjectOf = (key: string) => (isDimension(key) ? DIMENSIONS[key].label : key);

const listed = (words: string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
