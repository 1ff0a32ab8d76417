import { Check, ExternalLink, Funnel } from "lucide-react";
import { type ReactNode, useState } from "react";
import { RowIcon } from "@/components/icons/row-icon";
import { type ListRow, OUTCOMES_SHOWN } from "@/components/reports/answers";
import { RowChange } from "@/components/reports/change";
import { DetailsLink } from "@/components/reports/details-link";
import { useSiteBasePath } from "@/components/reports/filtering";
import { type Filter, isChosen, toggledFilter, writeFilters } from "@/components/reports/filters";
import { useOutcomesShown } from "@/components/reports/lists";
import { OUTCOME_HEADS } from "@/components/reports/outcome-heads";
import { useFetched } from "@/components/reports/use-fetched";
import { useReportQuery } from "@/components/reports/use-report-query";
import { type Patch, ViewLink } from "@/components/reports/view-frame";
import { Boundary } from "@/components/ui/boundary";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { type Tab, Tabs } from "@/components/ui/tabs";
import { formatCount, formatExactly, formatMeasure, formatShare } from "@/lib/contract/numbers";
import { OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** A filter key and a value. */
interface RowFilter {
  dimension: string;
  value: string;
}

/** What a click on a row changes, and whether that is so already. */
interface Choice {
  patch: Patch;
  chosen: boolean;
  /** What the click does. */
  title: string;
  /** What the other link of the row does, which filters. */
  filterTitle: string;
}

export interface List {
  key: string;
  label: string;
  /** Heading of the first column. */
  column: string;
  /** The rows; null if they are fetched when the tab is opened, which needs a dimension. */
  rows: ListRow[] | null;
  /** The dimension that a click on a row filters by; without it rows are not links. */
  dimension?: string;
  /** Returns the filters of a row, if rows have other filter keys than the dimension. */
  filtersOf?: (row: ListRow) => RowFilter[];
  /** Returns what a row chooses, if it filters only by a link of its own. */
  choiceOf?: (row: ListRow) => Choice;
  /** Returns the URL of a row, such as a page of the site. */
  href?: (row: ListRow) => string | null;
}

interface Props {
  title: string;
  lists: List[];
  /** Number of visitors in the range, for the shares. */
  visitors: number;
  /** The currency of revenue. */
  currency?: string | null;
  /** The active filters. */
  filters?: readonly Filter[];
  /** An additional tab with a picture, such as a map. */
  picture?: { label: string; content: ReactNode };
  className?: string;
  /** Text below the lists. */
  footer?: ReactNode;
}

/** A card with the top ten values of one or more dimensions, in tabs. */
export function Panel({
  title,
  lists,
  visitors,
  currency = null,
  filters = [],
  picture,
  className = "",
  footer,
}: Props) {
  const heading = <h2 className="py-0.5 text-[0.9375rem] font-semibold">{title}</h2>;
  // As tall as the longest list, so that the layout does not shift between tabs.
  const tall = Math.max(5, ...lists.map(({ rows }) => rows?.length ?? 0));
  const shown = { visitors, currency, filters, tall };
  const tabs: Tab[] = lists.map((list) => ({
    key: list.key,
    label: list.label,
    content: (
      <>
        <Boundary what={t("this list")}>
          {list.rows ? (
            <ListRows list={{ ...list, rows: list.rows }} {...shown} />
          ) : (
            <FetchedRows list={list} {...shown} />
          )}
        </Boundary>
        {list.dimension && list.rows?.length !== 0 && (
          <p className="absolute right-3 bottom-2.5 print:hidden">
            <DetailsLink dimension={list.dimension} label={list.label} />
          </p>
        )}
      </>
    ),
  }));
  if (picture) {
    const content = (
      <div className="grid items-center" style={{ minHeight: heightOf(tall) }}>
        <Boundary what={t("the map")}>{picture.content}</Boundary>
      </div>
    );
    tabs.push({ key: "picture", label: picture.label, content });
  }
  return (
    <section
      className={`card @container relative flex min-w-0 flex-col px-4 pt-3.5 pb-12 [&>[role=tabpanel]]:flex [&>[role=tabpanel]]:grow [&>[role=tabpanel]]:flex-col ${className}`}
      aria-label={title}
    >
      {tabs.length > 1 ? (
        <Tabs tabs={tabs} heading={heading} name={title} />
      ) : (
        <>
          {heading}
          {tabs[0]?.content}
        </>
      )}
      {footer && <p className="absolute bottom-4 left-6 text-xs text-muted">{footer}</p>}
    </section>
  );
}

const heightOf = (rows: number) => `${rows * 2.125 + 1.5}rem`;

type ReadyList = List & { rows: ListRow[] };

interface Shown {
  list: ReadyList;
  visitors: number;
  currency: string | null;
  filters: readonly Filter[];
}

/** Up to so many rows fill the height of their card, each with its bar below. */
const FEW = 4;

/** The columns of what visits led to, in the order of the columns before visitors. */
const OUTCOME_COLUMNS = [
  { outcome: "conversion_value", width: "w-24" },
  { outcome: "revenue", width: "w-24" },
  { outcome: "conversions", width: "w-12 @max-md:hidden" },
  { outcome: "conversion_rate", width: "w-12" },
] as const satisfies readonly { outcome: Outcome; width: string }[];

/** A row has room for one amount: what goals are worth, otherwise revenue; both if a row has revenue of a goal without a value. */
const shownColumns = ({ rows }: ReadyList) => {
  const known = OUTCOME_COLUMNS.filter(({ outcome }) => rows.some((row) => row[outcome] !== undefined));
  const isValued = known.some(({ outcome }) => outcome === "conversion_value");
  const isOnlySold = rows.some(({ conversion_value, revenue }) => conversion_value === undefined && revenue);
  return isValued && !isOnlySold ? known.filter(({ outcome }) => outcome !== "revenue") : known;
};

/** A list that is fetched when its tab is opened. */
function FetchedRows({ list, tall, ...shown }: Omit<Shown, "list"> & { list: List; tall: number }) {
  const query = useReportQuery({ compared: true });
  query.set("list", list.dimension ?? "");
  const known = useOutcomesShown();
  // What is known later than the rows were asked for asks for them no second time.
  const [asked, setAsked] = useState({ query: `${query}`, known });
  if (asked.query !== `${query}`) setAsked({ query: `${query}`, known });
  if (asked.known !== null) query.set(OUTCOMES_SHOWN, asked.known);
  const { answer, problem, failed, waiting, retry } = useFetched<{ rows: ListRow[] }>(
    `${useSiteBasePath()}/data/list?${query}`,
    { pauseMs: 0 },
  );
  if (problem) return failed ? <Failed what={t("this list")} retry={retry} /> : <Notice>{problem}</Notice>;
  if (!answer) return <div aria-busy="true" style={{ minHeight: `calc(${heightOf(tall)} + 0.375rem)` }} />;
  return (
    <div className={`flex grow flex-col ${waiting ? "is-waiting" : ""}`} aria-busy={waiting}>
      <ListRows list={{ ...list, rows: answer.rows }} tall={tall} {...shown} />
    </div>
  );
}

function ListRows({ list, visitors, currency, filters, tall }: Shown & { tall: number }) {
  const columns = shownColumns(list);
  const most = Math.max(1, ...list.rows.map((row) => row.visitors));
  return (
    <table className="mt-1.5 flex w-full grow flex-col text-sm" style={{ minHeight: heightOf(tall) }}>
      <caption className="sr-only">{captionOf(list)}</caption>
      <thead className="block">
        <tr className="flex justify-between px-2 pb-1 text-xs text-muted">
          <th scope="col" className="font-normal">
            {list.column}
          </th>
          <th scope="col" className="ml-auto font-normal">
            {t("Visitors")}
          </th>
          {columns.map(({ outcome, width }) => (
            <th
              key={outcome}
              scope="col"
              className={`ml-3 text-right font-normal ${width}`}
              title={t(OUTCOMES[outcome].label)}
            >
              {t(OUTCOME_HEADS[outcome])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="flex grow flex-col gap-0.5">
        {list.rows.length === 0 && (
          <tr className="block px-2 py-6 text-center text-muted">
            <td className="block">{t("No data in this range.")}</td>
          </tr>
        )}
        {list.rows.map((row) => (
          <PanelLine
            key={`${row.hostname} ${row.value ?? ""}`}
            row={row}
            list={list}
            most={most}
            visitors={visitors}
            currency={currency}
            filters={filters}
          />
        ))}
      </tbody>
    </table>
  );
}

function captionOf({ label: list, choiceOf, dimension, filtersOf }: List): string {
  if (choiceOf) return t("{list} by visitors. Rows are links that show conversions in all lists.", { list });
  return (dimension ?? filtersOf)
    ? t("{list} by visitors. Rows are links that filter by the value.", { list })
    : t("{list} by visitors", { list });
}

function PanelLine({ row, list, most, visitors, currency, filters }: Shown & { row: ListRow; most: number }) {
  const { text } = row;
  const rowFilters = rowFiltersOf(list, row);
  const filter = rowFilters && filterLink(rowFilters, text, filters);
  const choice = list.choiceOf?.(row);
  const link = choice ?? filter;
  const href = list.href?.(row);
  const columns = shownColumns(list);
  const isRoomy = list.rows.length <= FEW;
  return (
    <tr
      className={`group relative flex justify-between gap-3 rounded-md px-2 hover:bg-sunken/60 ${isRoomy ? "max-h-16 min-h-10 grow items-end pb-4" : "h-8 items-center"}`}
    >
      <th scope="row" className="flex min-w-0 items-center gap-1.5 font-normal">
        <span
          aria-hidden="true"
          className={`absolute ${isRoomy ? "bottom-1.5 left-2 h-1.5 rounded-full bg-accent/45" : "inset-y-0.5 left-0 rounded-md bg-bar"}`}
          style={{ width: isRoomy ? `calc((100% - 1rem) * ${row.visitors / most})` : `${(row.visitors / most) * 72}%` }}
        />
        {row.icon && <RowIcon icon={row.icon} text={text} className="relative mr-1" />}
        {link ? (
          <PanelLink {...link} text={text} isUnknown={row.value === null} />
        ) : (
          <span dir="auto" className={`relative truncate ${row.value === null ? "text-muted" : ""}`} title={text}>
            {text}
          </span>
        )}
        {choice && filter && (
          <ViewLink
            patch={filter.patch}
            aria-current={filter.chosen}
            aria-label={choice.filterTitle}
            title={choice.filterTitle}
            className="relative z-20 shrink-0 rounded-md p-1 text-muted hover:text-accent aria-[current=true]:text-accent"
          >
            <Funnel className="size-3.5" />
          </ViewLink>
        )}
        {href && (
          <a
            href={href}
            target="_blank"
            rel="noreferrer"
            aria-label={t("Open {page} in a new tab", { page: text })}
            className="relative z-20 text-muted opacity-0 group-hover:opacity-100 hover:text-accent focus-visible:opacity-100"
          >
            <ExternalLink className="size-3.5" />
          </a>
        )}
      </th>
      <td className="relative ml-auto flex items-center gap-2.5 tabular-nums" title={visitorsInWords(row)}>
        {row.before !== undefined && <RowChange now={row.visitors} before={row.before} brief={columns.length > 0} />}
        <span className={`min-w-10 text-right text-xs text-muted ${columns.length > 0 ? "@max-lg:hidden" : ""}`}>
          {visitors > 0 && formatShare(Math.min(1, row.visitors / visitors))}
        </span>
        <span className="min-w-11 text-right font-medium">{formatCount(row.visitors)}</span>
      </td>
      {columns.map(({ outcome, width }) => (
        <td key={outcome} className={`relative shrink-0 text-right tabular-nums ${width}`}>
          {formatMeasure(outcome, row[outcome], currency)}
        </td>
      ))}
    </tr>
  );
}

const visitorsInWords = ({ visitors, before }: ListRow): string =>
  before === undefined
    ? formatExactly(visitors)
    : t("{now}, before {before}", { now: formatExactly(visitors), before: formatExactly(before) });

function rowFiltersOf({ dimension, filtersOf }: List, row: ListRow): RowFilter[] | undefined {
  return filtersOf?.(row) ?? (dimension === undefined ? undefined : [{ dimension, value: row.value ?? "" }]);
}

/** What toggles the filters of a row. */
function filterLink(of: RowFilter[], text: string, filters: readonly Filter[]) {
  const isActive = ({ dimension, value }: RowFilter) => isChosen(filters, dimension, value);
  const chosen = of.every(isActive);
  const changed = of
    .filter((one) => chosen || !isActive(one))
    .reduce<readonly Filter[]>((some, { dimension, value }) => toggledFilter(some, dimension, value), filters);
  const title = chosen ? t("Remove the filter {value}", { value: text }) : text;
  return { patch: { filters: writeFilters(changed) }, chosen, title };
}

type RowLinkProps = Pick<Choice, "patch" | "chosen" | "title"> & { text: string; isUnknown: boolean };

/** Link of a row; its click area is the whole row. */
function PanelLink({ patch, chosen, title, text, isUnknown }: RowLinkProps) {
  return (
    <ViewLink
      patch={patch}
      aria-current={chosen}
      title={title}
      className={`flex min-w-0 items-center gap-1.5 -outline-offset-2 after:absolute after:inset-0 after:z-10 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-[current=true]:font-semibold aria-[current=true]:text-accent ${isUnknown ? "text-muted" : ""}`}
    >
      <span dir="auto" className="relative truncate">
        {text}
      </span>
      {chosen && <Check className="relative size-3.5 shrink-0 @max-md:hidden" />}
    </ViewLink>
  );
}
