import { type Filter, isReached, namedBy, OPERATOR_LABELS } from "@/components/reports/filters";
import { nameOfPattern } from "@/components/reports/purchase-steps";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import { valueName } from "@/lib/analytics/query/value-names";
import { stepIn } from "@/lib/contract/funnel-notation";
import { legiblePath } from "@/lib/platform/legible";
import { perLocale } from "@/lib/platform/locale";
import { currentLanguage, t } from "@/lib/texts/translate";

/** Display text of a filter, such as "Country", "is", "Germany or France". */
interface FilterText {
  subject: string;
  operator: string;
  value: string;
}

export function filterText(filter: Filter): FilterText {
  const { key, operator, values } = filter;
  const { kind, name } = namedBy(key);
  if (kind === "goal") {
    const reached = values.map((value) => (isReached(value) ? t("reached") : t("not reached")));
    return { subject: goalSubject(name), operator: t("was"), value: alternatives().format(reached) };
  }
  const sale = key === "event" && operator === "matches" ? nameOfPattern(values[0] ?? "") : null;
  if (sale !== null) return { subject: subjectOf(key), operator: t(OPERATOR_LABELS.is ?? "is"), value: sale };
  return {
    subject: kind === "prop" ? t("Property {name}", { name }) : subjectOf(key),
    operator: t(OPERATOR_LABELS[operator] ?? operator),
    value: alternatives().format(valueTexts(filter)),
  };
}

/** Returns the display text of each value. */
export const valueTexts = ({ key, operator, values, names }: Filter): string[] =>
  values.map(
    (value) => (operator === "matches" && nameOfPattern(value)) || (names?.get(value) ?? valueName(key, value)),
  );

export const describeFilter = (filter: Filter): string => {
  const { subject, operator, value } = filterText(filter);
  return `${subject} ${operator} ${value}`;
};

/** Steps of funnels are goals that are not saved. */
function goalSubject(name: string): string {
  const step = stepIn(name);
  if (!step) return t("Goal {name}", { name });
  const written = { name: legiblePath(step.pattern) };
  return step.kind === "page" ? t("Page {name}", written) : t("Event {name}", written);
}

function subjectOf(key: string): string {
  if (isDimension(key)) return t(DIMENSIONS[key].label);
  return key === "product" ? t("Product") : key;
}

/** British English has no comma before "or". */
const alternatives = perLocale(() => {
  const language = currentLanguage();
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "disjunction" });
});
