"use client";

import { useSearchParams } from "next/navigation";
import { useId } from "react";
import { DETAILS, type DetailsAnswer } from "@/components/reports/details";
import { type Filter, isChosen } from "@/components/reports/filters";
import { formatExactly, formatMetric } from "@/components/reports/format";
import { useFetched } from "@/components/reports/use-fetched";
import { useQuestion } from "@/components/reports/use-question";
import { type Patch, useViewHref } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Check, Cross } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

interface Props {
  /** Where the site's own answers are: the address of its dashboard. */
  at: string;
  dimension: string;
  title: string;
  filters: readonly Filter[];
  onChoose(value: string): void;
  onClose(): void;
}

/** All values of a dimension with their numbers, searched and paged; a press on one filters by it. */
export default function DetailsDialog({ at, dimension, title, filters, onChoose, onClose }: Props) {
  const asked = useSearchParams();
  const href = useViewHref();
  const query = useQuestion();
  const { answer, problem, waiting } = useFetched<DetailsAnswer>(`${at}/details?${query}`);
  const turn = (patch: Patch) =>
    window.history.replaceState({ details: window.history.state?.details }, "", href(patch));
  const chosen = (value: string) => isChosen(filters, dimension, value);
  return (
    <Dialog title={title} wide problems={{ fields: {} }} onCancel={onClose}>
      <CloseButton onClose={onClose} />
      <Search
        title={title}
        first={asked.get(DETAILS.q) ?? ""}
        onType={(q) => turn({ [DETAILS.q]: q || null, [DETAILS.page]: null })}
      />
      <section
        aria-label={`${title}, all values`}
        aria-busy={waiting}
        className={`mt-3 h-[min(32rem,60dvh)] overflow-y-auto ${waiting && answer ? "is-waiting" : ""}`}
      >
        {problem && <Notice>{problem}</Notice>}
        {answer && <Values answer={answer} title={title} isChosen={chosen} onChoose={onChoose} />}
        {!answer && !problem && <p className="py-10 text-center text-sm text-muted">One moment…</p>}
      </section>
      <Paging answer={answer} onTurn={(page) => turn({ [DETAILS.page]: page > 1 ? `${page}` : null })} />
    </Dialog>
  );
}

const CloseButton = ({ onClose }: Pick<Props, "onClose">) => (
  <button
    type="button"
    aria-label="Close"
    onClick={onClose}
    className="absolute top-3.5 right-3.5 grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
  >
    <Cross />
  </button>
);

function Search({ title, first, onType }: { title: string; first: string; onType(q: string): void }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="sr-only">
        Search {title}
      </label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder="Search"
        defaultValue={first}
        onChange={(event) => onType(event.target.value)}
        className="h-9 w-full rounded-lg border border-line-strong bg-surface px-3 text-sm placeholder:text-muted"
      />
    </>
  );
}

interface ValuesProps {
  answer: DetailsAnswer;
  title: string;
  isChosen(value: string): boolean;
  onChoose(value: string): void;
}

/** On a phone there is room for the numbers that say the most. */
const ROOMY: readonly Metric[] = ["visits", "pageviews", "visit_duration", "time_on_page", "scroll_depth"];
const hiding = (metric: Metric) => (ROOMY.includes(metric) ? "max-sm:hidden" : "");

function Values({ answer: { metrics, rows }, title, isChosen, onChoose }: ValuesProps) {
  if (rows.length === 0) return <p className="py-10 text-center text-sm text-muted">Nothing like this in this view.</p>;
  return (
    <table className="w-full table-fixed text-sm tabular-nums">
      <caption className="sr-only">{title}, all values. A row filters by it.</caption>
      <thead className="sticky top-0 z-20 bg-surface text-muted">
        <tr>
          <th scope="col" className="py-1.5 pl-2 text-left font-medium">
            {title}
          </th>
          {metrics.map((metric) => (
            <th
              key={metric}
              scope="col"
              title={METRICS[metric].about}
              className={`w-20 py-1.5 pr-2 text-right align-bottom font-medium sm:w-28 ${hiding(metric)}`}
            >
              {METRICS[metric].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ value, text, numbers }) => (
          <tr key={value} className="relative border-t border-line hover:bg-sunken/60">
            <th scope="row" className="py-1.5 pl-2 text-left font-normal">
              <button
                type="button"
                aria-pressed={isChosen(value)}
                title={text}
                onClick={() => onChoose(value)}
                className="flex max-w-full items-center gap-1.5 text-left after:absolute after:inset-0 after:z-10 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-pressed:font-semibold aria-pressed:text-accent"
              >
                <span className={`truncate ${value === "" ? "text-muted" : ""}`}>{text}</span>
                {isChosen(value) && <Check className="size-3.5" />}
              </button>
            </th>
            {metrics.map((metric, index) => (
              <td key={metric} className={`py-1.5 pr-2 text-right ${hiding(metric)}`}>
                {written(metric, numbers[index] ?? null)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** There is room for every digit. */
const written = (metric: Metric, number: number | null): string =>
  number !== null && METRICS[metric].unit === "count" ? formatExactly(number) : formatMetric(metric, number);

function Paging({ answer, onTurn }: { answer: DetailsAnswer | null; onTurn(page: number): void }) {
  const { page = 1, more = false } = answer ?? {};
  return (
    <nav aria-label="Pages of the list" className="mt-3 flex min-h-8 items-center gap-2 text-sm text-muted">
      {(page > 1 || more) && (
        <>
          <span className="mr-auto">Page {page}</span>
          <Button look="quiet" size="small" disabled={page === 1} onClick={() => onTurn(page - 1)}>
            Previous
          </Button>
          <Button look="quiet" size="small" disabled={!more} onClick={() => onTurn(page + 1)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
