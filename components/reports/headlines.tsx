"use client";

import { useSearchParams } from "next/navigation";
import { useId } from "react";
import { Sparkline } from "@/components/charts/sparkline";
import { type Chart, HEADLINES, type Headline, headlineOf, outcomesOfChart } from "@/components/reports/answers";
import { Change } from "@/components/reports/change";
import { useLatestChart } from "@/components/reports/live-numbers";
import { useViewHref } from "@/components/reports/view-frame";
import { changeBetween } from "@/lib/contract/changes";
import { formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { MEASURES } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/**
 * The six headline metrics, and what visits led to, with their change and a sparkline; selecting one shows it in the chart.
 */
export function Headlines({ first }: { first: Chart }) {
  const chart = useLatestChart(first);
  const { metrics, previous } = chart;
  const chosen = headlineOf(chart, useSearchParams().get("metric"));
  const href = useViewHref();
  // The page already has all metrics: only the URL changes, nothing is fetched.
  const choose = (metric: Headline) =>
    window.history.pushState(null, "", href({ metric: metric === "visitors" ? null : metric }));
  const tileOf = (metric: Headline, index: number, place: TileProps["place"]) => (
    <Tile
      key={metric}
      metric={metric}
      index={index}
      place={place}
      currency={chart.currency}
      value={metrics[metric] ?? null}
      before={previous?.[metric]}
      compared={previous !== null}
      course={courseOf(chart, metric)}
      pressed={metric === chosen}
      onPress={() => choose(metric)}
    />
  );
  const outcomes = outcomesOfChart(chart);
  return (
    <>
      <div className="group/tiles grid grid-cols-2 gap-px rounded-t-xl border-b border-line bg-line last:rounded-b-xl last:border-b-0 sm:grid-cols-3 lg:grid-cols-6">
        {HEADLINES.map((metric, index) => tileOf(metric, index, "first"))}
      </div>
      {outcomes.length > 0 && (
        <div
          className={`group/tiles grid grid-cols-2 gap-px border-b border-line bg-line last:rounded-b-xl last:border-b-0 ${COLUMNS[outcomes.length]}`}
        >
          {outcomes.map((outcome, index) => tileOf(outcome, index, "second"))}
        </div>
      )}
    </>
  );
}

/** The columns of the outcomes, which are two or three of a goal, three of a shop, or both. */
const COLUMNS: Record<number, string> = {
  2: "sm:grid-cols-2",
  3: "sm:grid-cols-3",
  5: "sm:grid-cols-5",
  6: "sm:grid-cols-6",
};

interface TileProps {
  metric: Headline;
  index: number;
  /** Its row. */
  place: "first" | "second";
  /** The currency of money. */
  currency: string | null;
  value: number | null;
  before: number | null | undefined;
  /** Whether the view compares. */
  compared: boolean;
  course: Course;
  pressed: boolean;
  onPress: () => void;
}

function Tile({ metric, index, place, currency, value, before, compared, course, pressed, onPress }: TileProps) {
  const id = useId();
  const { label, unit, about } = MEASURES[metric];
  const format = (one: number | null) => formatMeasure(metric, one, currency);
  const change = changeBetween({ label, isRate: unit === "fraction" }, value, before, format);
  const exact = unit === "count" && value !== null ? formatExactly(value) : undefined;
  return (
    <div className={`group relative bg-surface ${place === "first" ? CORNERS : LOWER_CORNERS}`}>
      <button
        type="button"
        aria-pressed={pressed}
        aria-describedby={id}
        onClick={onPress}
        className="flex h-full w-full flex-col rounded-[inherit] border-t-2 border-transparent px-4 pt-3 pb-3.5 text-left -outline-offset-2 hover:bg-sunken/60 aria-pressed:border-accent"
      >
        <span className={`block text-sm ${pressed ? "font-semibold text-accent" : "text-muted"}`}>{t(label)}</span>
        <span className="mt-0.5 flex items-center justify-between gap-3">
          <span
            className={`font-semibold tracking-tight whitespace-nowrap tabular-nums ${unit === "money" ? "text-xl sm:text-2xl" : "text-2xl"}`}
            title={exact}
          >
            {format(value)}
          </span>
          <CourseLine {...course} />
        </span>
        {compared && (
          <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-[0.8125rem] tabular-nums">
            {change && <Change {...change} />}
            <span className="text-muted">
              {typeof before === "number" ? t("was {value}", { value: format(before) }) : t("no data before")}
            </span>
          </span>
        )}
      </button>
      <span
        id={id}
        role="tooltip"
        className={`pointer-events-none invisible absolute top-full z-20 mt-1 w-64 rounded-lg bg-ink px-3 py-2 text-[0.8125rem] leading-snug text-canvas opacity-0 shadow-lg transition-opacity delay-500 group-focus-within:group-has-focus-visible:visible group-focus-within:group-has-focus-visible:opacity-100 group-hover:visible group-hover:opacity-100 ${place === "first" ? sideOf(index) : lowerSideOf(index)}`}
      >
        {t(about)}
      </span>
    </div>
  );
}

/** Rounds the tiles in the corners of the card, which does not clip: that would cut off the definitions below it. */
const CORNERS = [
  "first:rounded-tl-xl max-sm:nth-2:rounded-tr-xl sm:max-lg:nth-3:rounded-tr-xl lg:nth-6:rounded-tr-xl",
  "group-last/tiles:last:rounded-br-xl max-sm:group-last/tiles:nth-5:rounded-bl-xl",
  "sm:max-lg:group-last/tiles:nth-4:rounded-bl-xl lg:group-last/tiles:first:rounded-bl-xl",
].join(" ");

/** Returns the classes that keep the definition of a tile within the card, with two, three and six tiles a row. */
const sideOf = (index: number): string =>
  [
    index % 2 === 1 ? "max-sm:right-2" : "max-sm:left-2",
    index % 3 === 2 ? "sm:max-lg:right-2" : "sm:max-lg:left-2",
    index >= 3 ? "lg:right-2" : "lg:left-2",
  ].join(" ");

/** The same of the second row, which has one line but on a phone; an odd last tile is as wide as the card there. */
const LOWER_CORNERS = [
  "max-sm:last:odd:col-span-2 group-last/tiles:last:rounded-br-xl",
  "sm:group-last/tiles:first:rounded-bl-xl max-sm:group-last/tiles:last:odd:rounded-bl-xl",
].join(" ");

const lowerSideOf = (index: number): string =>
  `${index % 2 === 1 ? "max-sm:right-2" : "max-sm:left-2"} ${index >= 2 ? "sm:right-2" : "sm:left-2"}`;

interface Course {
  /** The known values of the metric over the range. */
  values: number[];
  /** Whether the last value is still in progress. */
  growing: boolean;
}

/** Returns the values of a metric without future buckets. */
function courseOf({ meta, buckets }: Chart, metric: Headline): Course {
  const open = meta.partial ? buckets.findLastIndex(({ partial }) => partial) : -1;
  const past = open < 0 ? buckets : buckets.slice(0, open + 1);
  return { values: past.flatMap((bucket) => bucket[metric] ?? []), growing: open >= 0 };
}

/** Sparkline of a metric; renders nothing if all values are 0. */
function CourseLine({ values, growing }: Course) {
  if (values.length < 2 || values.every((value) => value === 0)) return null;
  return <Sparkline values={values} growing={growing} className="h-6 min-w-0 max-w-20 flex-1" />;
}
