import { DataTable } from "@/components/reports/pages/data-table";
import { ExploreForm } from "@/components/reports/pages/explore-form";
import { RowBars } from "@/components/reports/pages/row-bars";
import type { Sheet } from "@/components/reports/pages/sheet";
import type { ExploreAnswer } from "@/components/reports/pages/sheets/explore";
import { Tiles } from "@/components/reports/pages/tiles";
import { ViewLink } from "@/components/reports/view-frame";
import { DIMENSIONS } from "@/lib/analytics/dimensions";
import { METRICS } from "@/lib/contract/vocabulary";

const choicesOf = (table: Record<string, { label: string; about: string }>) =>
  Object.entries(table).map(([value, { label, about }]) => ({ value, label, about }));

interface ChosenProps {
  metrics: readonly string[];
  dimensions: readonly string[];
}

/** What may be asked, with what is. */
export const ExploreChoices = ({ metrics, dimensions }: ChosenProps) => (
  <ExploreForm
    key={`${metrics} ${dimensions}`}
    metrics={choicesOf(METRICS)}
    dimensions={choicesOf(DIMENSIONS)}
    chosenMetrics={[...metrics]}
    chosenDimensions={[...dimensions]}
  />
);

/** Any numbers by any dimensions. */
export function ExploreReport({ answer, sheets }: { answer: ExploreAnswer; sheets: Map<string, Sheet> }) {
  const { dimensions, page, meta, rows, comparison } = answer;
  const sheet = sheets.get("rows");
  if (!sheet) return null;
  if (dimensions.length === 0) {
    const [now, before] = [sheet.rows[0], comparison ? (sheet.before?.[0] ?? []) : null];
    return (
      <Tiles
        tiles={sheet.columns.map((column, index) => ({
          ...column,
          value: now?.[index] ?? null,
          before: before ? (before[index] ?? null) : undefined,
        }))}
      />
    );
  }
  return (
    <>
      {rows.length > 0 && <RowBars sheet={sheet} />}
      <DataTable sheet={sheet} empty="Nothing of the kind was counted in these days." />
      <Pages page={page} more={meta.truncated === true} />
    </>
  );
}

function Pages({ page, more }: { page: number; more: boolean }) {
  if (page === 1 && !more) return null;
  const look = "rounded-lg border border-line bg-surface px-3 py-1.5 text-sm font-medium hover:bg-sunken";
  return (
    <nav aria-label="Pages of rows" className="flex items-center gap-3">
      {page > 1 && (
        <ViewLink patch={{ page: page > 2 ? `${page - 1}` : null }} className={look}>
          Earlier rows
        </ViewLink>
      )}
      <span className="text-sm text-muted tabular-nums">Page {page}</span>
      {more && (
        <ViewLink patch={{ page: `${page + 1}` }} className={look}>
          More rows
        </ViewLink>
      )}
    </nav>
  );
}
