import { type Filter, isReached, namedBy, OPERATOR_LABELS } from "@/components/reports/filters";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import { valueName } from "@/lib/analytics/query/value-names";
import { perLocale } from "@/lib/platform/locale";
import { currentLanguage, t } from "@/lib/texts/translate";

/** Display text of a filter, such as "Country", "is", "Germany or France". */
interface FilterText {
  subject: string;
  operator: string;
  value: string;
}

export function filterText({ key, operator, values }: Filter): FilterText {
  const { kind, name } = namedBy(key);
  if (kind === "goal") {
    const reached = values.map((value) => (isReached(value) ? t("reached") : t("not reached")));
    return { subject: t("Goal {name}", { name }), operator: t("was"), value: alternatives().format(reached) };
  }
  return {
    subject: kind === "prop" ? t("Property {name}", { name }) : subjectOf(key),
    operator: t(OPERATOR_LABELS[operator] ?? operator),
    value: alternatives().format(values.map((value) => valueName(key, value))),
  };
}

export const describeFilter = (filter: Filter): string => {
  const { subject, operator, value } = filterText(filter);
  return `${subject} ${operator} ${value}`;
};

function subjectOf(key: string): string {
  if (isDimension(key)) return t(DIMENSIONS[key].label);
  return key === "product" ? t("Product") : key;
}

/** British English has no comma before "or". */
const alternatives = perLocale(() => {
  const language = currentLanguage();
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "disjunction" });
});
