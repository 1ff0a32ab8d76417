import { X } from "lucide-react";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { describeFilter, filterText, valueTexts } from "@/components/reports/filter-text";
import { ChangeFilter } from "@/components/reports/filtering";
import { type Filter, oppositeOf, replaced, without, writeFilters } from "@/components/reports/filters";
import { ViewLink } from "@/components/reports/view-frame";
import { t } from "@/lib/texts/translate";

interface Props {
  filters: readonly Filter[];
  /** Allow only the operator `is`, as on a public dashboard: filters cannot be inverted. */
  onlyIs: boolean;
}

/** The active filters as chips; each can be inverted, edited and removed. */
export function FilterChips({ filters, onlyIs }: Props) {
  return filters.map((filter) => (
    <li key={`${filter.key} ${filter.operator}`} className="min-w-0 max-w-full">
      <Chip filter={filter} filters={filters} onlyIs={onlyIs} />
    </li>
  ));
}

function Chip({ filter, filters, onlyIs }: Props & { filter: Filter }) {
  const { subject, operator, value } = filterText(filter);
  const opposite = onlyIs ? null : oppositeOf(filter);
  const inverted = opposite && filterText(opposite).operator;
  return (
    <div className="flex h-8 max-w-full items-center rounded-lg border border-accent/30 bg-accent-soft pl-2.5 text-sm">
      <span className="shrink-0 text-muted">{subject}</span>{" "}
      {opposite ? (
        <ViewLink
          patch={{ filters: writeFilters(replaced(filters, filter, opposite)) }}
          aria-label={t("{operator}, invert", { operator })}
          title={inverted === operator ? t("Invert") : t("Change to “{operator}”", { operator: `${inverted}` })}
          className="mx-0.5 grid h-6 min-w-6 shrink-0 place-items-center rounded px-1 font-medium text-accent underline decoration-dotted underline-offset-3 hover:bg-surface"
        >
          {operator}
        </ViewLink>
      ) : (
        <span className="mx-1.5 shrink-0 text-muted">{operator}</span>
      )}{" "}
      {isOffered(filter) ? (
        <ChangeFilter filter={filter} texts={valueTexts(filter)} value={value} />
      ) : (
        <span className="truncate font-medium" title={value}>
          {value}
        </span>
      )}
      <ViewLink
        patch={{ filters: writeFilters(without(filters, filter)) }}
        title={t("Remove")}
        aria-label={t("Remove {filter}", { filter: describeFilter(filter) })}
        className="ml-1 grid size-[1.875rem] shrink-0 place-items-center rounded-lg text-muted hover:bg-surface hover:text-ink"
      >
        <X className="size-3.5" />
      </ViewLink>
    </div>
  );
}

/** Returns whether the dialog can edit the filter. A URL may contain other or unknown filters. */
const isOffered = ({ key }: Filter) =>
  FILTER_FIELDS.some(
    ({ value }) => value === key || ((value === "prop" || value === "goal") && key.startsWith(`${value}:`)),
  );
