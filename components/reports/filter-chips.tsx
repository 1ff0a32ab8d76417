import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { sentenceOf, wordsOf } from "@/components/reports/filter-words";
import { ChangeFilter } from "@/components/reports/filtering";
import { type Filter, oppositeOf, replaced, without, writeFilters } from "@/components/reports/filters";
import { valueName } from "@/components/reports/values";
import { ViewLink } from "@/components/reports/view-frame";
import { Cross } from "@/components/ui/icons";

interface Props {
  filters: readonly Filter[];
  /** Whether a condition cannot be turned round, as on a public dashboard. */
  onlyIs?: boolean | undefined;
}

/** What a report is narrowed to, each condition with a way to turn it round and to drop it. */
export function FilterChips({ filters, onlyIs = false }: Props) {
  return filters.map((filter) => (
    <li key={`${filter.key} ${filter.operator}`} className="min-w-0 max-w-full">
      <Chip filter={filter} filters={filters} onlyIs={onlyIs} />
    </li>
  ));
}

function Chip({ filter, filters, onlyIs }: Props & { filter: Filter }) {
  const { subject, operator, value } = wordsOf(filter);
  const opposite = onlyIs ? null : oppositeOf(filter);
  const turned = opposite && wordsOf(opposite).operator;
  return (
    <div className="flex h-8 max-w-full items-center rounded-lg border border-accent/30 bg-accent-soft pl-2.5 text-sm">
      <span className="shrink-0 text-muted">{subject}</span>{" "}
      {opposite ? (
        <ViewLink
          patch={{ filters: writeFilters(replaced(filters, filter, opposite)) }}
          aria-label={`${operator}, turn round`}
          title={turned === operator ? "Turn round" : `Change to “${turned}”`}
          className="mx-0.5 shrink-0 rounded px-1 font-medium text-accent underline decoration-dotted underline-offset-3 hover:bg-surface"
        >
          {operator}
        </ViewLink>
      ) : (
        <span className="mx-1.5 shrink-0 text-muted">{operator}</span>
      )}{" "}
      {isOffered(filter) ? (
        <ChangeFilter filter={filter} texts={filter.values.map((one) => valueName(filter.key, one))} value={value} />
      ) : (
        <span className="truncate font-medium" title={value}>
          {value}
        </span>
      )}
      <ViewLink
        patch={{ filters: writeFilters(without(filters, filter)) }}
        title="Remove"
        aria-label={`Remove ${sentenceOf(filter)}`}
        className="ml-1 grid size-[1.875rem] shrink-0 place-items-center rounded-lg text-muted hover:bg-surface hover:text-ink"
      >
        <Cross className="size-3.5" />
      </ViewLink>
    </div>
  );
}

/** Whether the dialog knows it: an address may say more, and what does not exist. */
const isOffered = ({ key }: Filter) =>
  FILTER_FIELDS.some(
    ({ value }) => value === key || ((value === "prop" || value === "goal") && key.startsWith(`${value}:`)),
  );
