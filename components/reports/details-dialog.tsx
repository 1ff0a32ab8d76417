"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useId, useState } from "react";
import { OUTCOMES_SHOWN } from "@/components/reports/answers";
import { DEFAULT_SORT, DETAILS, type DetailsAnswer } from "@/components/reports/details";
import { DetailsTable } from "@/components/reports/details-table";
import { type Filter, isChosen } from "@/components/reports/filters";
import { useFetched } from "@/components/reports/use-fetched";
import { useReportQuery } from "@/components/reports/use-report-query";
import { type Patch, useViewHref } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { MEASURES } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

interface Props {
  /** Path of the dashboard, below which its JSON routes are. */
  basePath: string;
  dimension: string;
  title: string;
  filters: readonly Filter[];
  onChoose(value: string): void;
  onClose(): void;
}

/** Table of all values of a dimension with search, sorting and paging; selecting a value filters by it. */
export default function DetailsDialog({ basePath, dimension, title, filters, onChoose, onClose }: Props) {
  const searchParams = useSearchParams();
  const href = useViewHref();
  const query = useReportQuery({ compared: true, details: true });
  // The page that opened the dialog knows it; one that was opened by URL does not.
  const [known] = useState<string | null>(window.history.state?.outcomes ?? null);
  const asked = new URLSearchParams(query);
  if (known !== null) asked.set(OUTCOMES_SHOWN, known);
  const { answer, problem, failed, waiting, retry } = useFetched<DetailsAnswer>(`${basePath}/data/details?${asked}`);
  const update = (patch: Patch) =>
    window.history.replaceState({ details: window.history.state?.details, outcomes: known }, "", href(patch));
  const sort = searchParams.get(DETAILS.sort) ?? DEFAULT_SORT;
  const onSort = (by: string) => update({ [DETAILS.sort]: by === DEFAULT_SORT ? null : by, [DETAILS.page]: null });
  const chosen = (value: string) => isChosen(filters, dimension, value);
  return (
    <Dialog
      title={title}
      wide={searchParams.has("goal") ? "most" : true}
      light
      problems={{ fields: {} }}
      onCancel={onClose}
    >
      <CloseButton onClose={onClose} />
      <div className="flex gap-2">
        <ValueSearch
          title={title}
          first={searchParams.get(DETAILS.q) ?? ""}
          onType={(q) => update({ [DETAILS.q]: q || null, [DETAILS.page]: null })}
        />
        {answer && <MetricSelect answer={answer} onChoose={onSort} />}
      </div>
      <section
        aria-label={t("{title}, all values", { title })}
        aria-busy={waiting}
        className={`mt-3 h-[min(32rem,60dvh)] overflow-y-auto ${waiting && answer ? "is-waiting" : ""}`}
      >
        {problem && (failed ? <Failed what={t("the list")} retry={retry} /> : <Notice>{problem}</Notice>)}
        {answer && (
          <DetailsTable
            answer={answer}
            sort={sort}
            dimension={dimension}
            title={title}
            onChoose={onChoose}
            isChosen={chosen}
            onSort={onSort}
          />
        )}
        {!answer && !problem && <p className="py-10 text-center text-sm text-muted">{t("Loading…")}</p>}
      </section>
      <div className="mt-3 flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm">
        {/* A public dashboard has no reports. */}
        {answer && basePath.startsWith("/sites/") ? (
          <Link
            href={`${basePath}/reports/explore?${exploreQuery(query, dimension, sort, answer)}`}
            className="text-accent underline"
          >
            {t("Explore and export")}
          </Link>
        ) : (
          <span />
        )}
        <Paging answer={answer} onTurn={(page) => update({ [DETAILS.page]: page > 1 ? `${page}` : null })} />
      </div>
    </Dialog>
  );
}

const CloseButton = ({ onClose }: Pick<Props, "onClose">) => (
  <button
    type="button"
    aria-label={t("Close")}
    onClick={onClose}
    className="absolute top-3.5 right-3.5 grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
  >
    <X />
  </button>
);

function ValueSearch({ title, first, onType }: { title: string; first: string; onType(q: string): void }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {t("Search {title}", { title })}
      </label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder={t("Search")}
        defaultValue={first}
        onChange={(event) => onType(event.target.value)}
        className="h-9 w-full rounded-lg border border-line-strong bg-surface px-3 text-sm placeholder:text-muted"
      />
    </>
  );
}

/** Returns the search parameters of the explore report for the same list. */
function exploreQuery(
  query: URLSearchParams,
  dimension: string,
  sort: string,
  { metrics }: DetailsAnswer,
): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of Object.values(DETAILS)) next.delete(name);
  next.set("dimensions", dimension);
  next.set("metrics", metrics.join(","));
  next.set("sort", sort);
  return next;
}

/** On phones: the metric that is shown and sorted by. */
const MetricSelect = ({
  answer: { metrics, sorted },
  onChoose,
}: {
  answer: DetailsAnswer;
  onChoose(sort: string): void;
}) => (
  <div className="w-36 shrink-0 sm:hidden">
    <Select
      label={t("Metric")}
      quiet
      className="h-9"
      value={metrics.find((metric) => metric === sorted.by) ?? metrics[0] ?? ""}
      choices={metrics.map((metric) => ({ value: metric, label: t(MEASURES[metric].label) }))}
      onChange={(event) => onChoose(`-${event.target.value}`)}
    />
  </div>
);

function Paging({ answer, onTurn }: { answer: DetailsAnswer | null; onTurn(page: number): void }) {
  const { page = 1, more = false } = answer ?? {};
  return (
    <nav aria-label={t("Pages of the list")} className="flex items-center gap-2 text-muted">
      {(page > 1 || more) && (
        <>
          <span>{t("Page {page}", { page })}</span>
          <Button look="quiet" size="small" disabled={page === 1} onClick={() => onTurn(page - 1)}>
            {t("Previous")}
          </Button>
          <Button look="quiet" size="small" disabled={!more} onClick={() => onTurn(page + 1)}>
            {t("Next")}
          </Button>
        </>
      )}
    </nav>
  );
}
