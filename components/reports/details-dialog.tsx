"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useId } from "react";
import { DETAILS, type DetailsAnswer, USUAL_SORT } from "@/components/reports/details";
import { DetailsTable } from "@/components/reports/details-table";
import { type Filter, isChosen } from "@/components/reports/filters";
import { useFetched } from "@/components/reports/use-fetched";
import { useQuestion } from "@/components/reports/use-question";
import { type Patch, useViewHref } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failed } from "@/components/ui/failed";
import { Cross } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { METRICS } from "@/lib/contract/vocabulary";

interface Props {
  /** Where the site's own answers are: the address of its dashboard. */
  at: string;
  dimension: string;
  title: string;
  filters: readonly Filter[];
  onChoose(value: string): void;
  onClose(): void;
}

/** All values of a dimension with their numbers, searched, sorted and paged; a press on one filters by it. */
export default function DetailsDialog({ at, dimension, title, filters, onChoose, onClose }: Props) {
  const asked = useSearchParams();
  const href = useViewHref();
  const query = useQuestion({ compared: true, details: true });
  const { answer, problem, failed, waiting, retry } = useFetched<DetailsAnswer>(`${at}/details?${query}`);
  const turn = (patch: Patch) =>
    window.history.replaceState({ details: window.history.state?.details }, "", href(patch));
  const sort = asked.get(DETAILS.sort) ?? USUAL_SORT;
  const onSort = (by: string) => turn({ [DETAILS.sort]: by === USUAL_SORT ? null : by, [DETAILS.page]: null });
  const chosen = (value: string) => isChosen(filters, dimension, value);
  return (
    <Dialog title={title} wide light problems={{ fields: {} }} onCancel={onClose}>
      <CloseButton onClose={onClose} />
      <div className="flex gap-2">
        <Search
          title={title}
          first={asked.get(DETAILS.q) ?? ""}
          onType={(q) => turn({ [DETAILS.q]: q || null, [DETAILS.page]: null })}
        />
        {answer && <Shown answer={answer} onChoose={onSort} />}
      </div>
      <section
        aria-label={`${title}, all values`}
        aria-busy={waiting}
        className={`mt-3 h-[min(32rem,60dvh)] overflow-y-auto ${waiting && answer ? "is-waiting" : ""}`}
      >
        {problem && (failed ? <Failed what="the list" retry={retry} /> : <Notice>{problem}</Notice>)}
        {answer && (
          <DetailsTable answer={answer} {...{ sort, dimension, title, onChoose }} isChosen={chosen} onSort={onSort} />
        )}
        {!answer && !problem && <p className="py-10 text-center text-sm text-muted">One moment…</p>}
      </section>
      <div className="mt-3 flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm">
        {/* A public dashboard has no reports. */}
        {answer && at.startsWith("/sites/") ? (
          <Link
            href={`${at}/reports/explore?${exploring(query, dimension, sort, answer)}`}
            className="text-accent underline"
          >
            Explore, and as a file
          </Link>
        ) : (
          <span />
        )}
        <Paging answer={answer} onTurn={(page) => turn({ [DETAILS.page]: page > 1 ? `${page}` : null })} />
      </div>
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

/** The same list as the report that takes it further: other numbers, CSV and JSON, the call of an agent. */
function exploring(
  query: URLSearchParams,
  dimension: string,
  sort: string,
  { metrics }: DetailsAnswer,
): URLSearchParams {
  const question = new URLSearchParams(query);
  for (const name of Object.values(DETAILS)) question.delete(name);
  question.set("dimensions", dimension);
  question.set("metrics", metrics.join(","));
  question.set("sort", sort);
  return question;
}

/** On a phone: which number is shown, and sorted by. */
const Shown = ({ answer: { metrics, sorted }, onChoose }: { answer: DetailsAnswer; onChoose(sort: string): void }) => (
  <div className="w-36 shrink-0 sm:hidden">
    <Select
      label="Number"
      quiet
      className="h-9"
      value={metrics.find((metric) => metric === sorted.by) ?? metrics[0] ?? ""}
      choices={metrics.map((metric) => ({ value: metric, label: METRICS[metric].label }))}
      onChange={(event) => onChoose(`-${event.target.value}`)}
    />
  </div>
);

function Paging({ answer, onTurn }: { answer: DetailsAnswer | null; onTurn(page: number): void }) {
  const { page = 1, more = false } = answer ?? {};
  return (
    <nav aria-label="Pages of the list" className="flex items-center gap-2 text-muted">
      {(page > 1 || more) && (
        <>
          <span>Page {page}</span>
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
