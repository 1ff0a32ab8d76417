"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { Axes } from "@/components/charts/axes";
import { FirstFrame } from "@/components/charts/first-frame";
import {
  axisOf,
  axisTicks,
  type Bucket,
  bucketSentence,
  chartSentence,
  coloursOf,
  dashOf,
  formatValue,
  type Kind,
  type Marker,
  nameOf,
  noteOf,
  openBucket,
  type Series,
  timeTicks,
} from "@/components/charts/series";
import { SeriesTable } from "@/components/charts/series-table";
import { Table } from "@/components/ui/icons";
import { late } from "@/components/ui/late";
import type { Interval } from "@/lib/contract/fields";

const plot = late(() => import("@/components/charts/recharts-plot"));

export interface SeriesChartProps {
  /** What the chart is of; also the name of its keyboard control and of its table. */
  title: string;
  kind: Kind;
  interval: Interval;
  buckets: readonly Bucket[];
  series: readonly Series[];
  markers?: readonly Marker[];
  /** Stands beside the legend: pickers of what is charted. */
  controls?: ReactNode;
  /** A Tailwind height; it is fixed, so that nothing moves. */
  height?: string;
  /** Zooms into these buckets. */
  onZoom?: ((first: number, last: number) => void) | undefined;
  /** Shows what one bucket is made of. */
  onDrill?: ((index: number) => void) | undefined;
  /** Notes something on a bucket. */
  onAnnotate?: ((index: number) => void) | undefined;
}

const NO_MARKERS: readonly Marker[] = [];

/**
 * Series over time: a first frame from the server, replaced by recharts once that has loaded (never under Save-Data).
 * The legend hides series, the table holds the same numbers, and the keyboard reads, selects, zooms and drills.
 */
export function SeriesChart(props: SeriesChartProps) {
  const { title, kind, interval, buckets, markers = NO_MARKERS, controls, height = "h-72" } = props;
  const { onZoom, onDrill, onAnnotate } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [asTable, setAsTable] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [selected, setSelected] = useState<[number, number] | null>(null);
  const [isReady, setReady] = useState(false);
  const Plot = usePlot();

  const series = props.series.filter(({ key }) => !hidden.has(key));
  const colours = coloursOf(props.series);
  const open = openBucket(buckets, series);
  const onSide = (side: "left" | "right") => series.filter((one) => axisOf(one) === side);
  const ticks = {
    left: axisTicks(onSide("left"), kind),
    right: onSide("right").length > 0 ? axisTicks(onSide("right"), "line") : [],
  };
  const names = timeTicks(buckets, interval);
  const shared = { kind, series, buckets: buckets.length, open };

  function select(first: number, last: number) {
    setSelected(null);
    if (first === last) onDrill?.(first);
    else onZoom?.(first, last);
  }
  const describe = (index: number) => (
    <Card {...{ index, buckets, series, interval, open, markers }} colours={coloursOf(series)} />
  );
  const pointed = hovered ?? at;
  return (
    <div className="px-2 pt-3 pb-3 sm:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-2 text-[0.8125rem]">
        <Legend
          series={props.series}
          colours={colours}
          hidden={hidden}
          onToggle={(key) => setHidden(toggled(hidden, key))}
        />
        <div className="flex flex-wrap items-center">
          {controls}
          <button
            type="button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className="flex h-8 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-sunken hover:text-ink aria-pressed:text-accent"
          >
            <Table /> {asTable ? "Show as chart" : "Show as table"}
          </button>
        </div>
      </div>
      <div className={`relative mt-1 ${height}`}>
        {asTable ? (
          <SeriesTable {...{ title, buckets, interval }} series={props.series} />
        ) : (
          <>
            <div
              role="img"
              aria-label={`${title}. ${chartSentence(buckets, series, interval)}`}
              className="absolute inset-0"
            >
              {!isReady && (
                <Axes
                  {...{ kind, ticks, names }}
                  buckets={buckets.length}
                  of={{ left: onSide("left")[0], right: onSide("right")[0] }}
                >
                  <FirstFrame {...shared} domainOf={(one) => domainOf(ticks[axisOf(one)])} />
                </Axes>
              )}
            </div>
            {Plot && (
              <Plot
                {...{ ...shared, ticks, names, markers, selected, describe, at: hovered === null ? at : null }}
                onPoint={setHovered}
                onDrag={setSelected}
                onSelect={onZoom || onDrill ? select : undefined}
                onReady={() => setReady(true)}
              />
            )}
            <Keys
              {...{ title, buckets, series, markers, interval, at, selected, setAt, setSelected }}
              {...{ onDrill, onAnnotate }}
              onZoom={onZoom && select}
            />
            {onAnnotate && pointed !== null && (
              <p className="pointer-events-none absolute right-3 bottom-8 rounded bg-surface/80 px-1.5 text-xs text-muted max-sm:hidden">
                Press A to annotate {nameOf(buckets[pointed]?.label ?? "", interval)}
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
}

const domainOf = (ticks: readonly number[]): [number, number] => [ticks[0] ?? 0, ticks.at(-1) ?? 1];

function toggled(hidden: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(hidden);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** recharts, fetched when the browser has nothing else to do; null until then, and always under Save-Data. */
function usePlot() {
  const [there, setThere] = useState(() => plot.there);
  useEffect(() => {
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (plot.there || connection?.saveData) return;
    let left = false;
    // Where it cannot be loaded, the chart stays as it is.
    const load = () =>
      plot.fetch().then(
        (found) => left || setThere(() => found),
        () => {},
      );
    const whenIdle = window.requestIdleCallback ?? ((work: () => void) => window.setTimeout(work, 200));
    whenIdle(load);
    return () => {
      left = true;
    };
  }, []);
  return there;
}

interface LegendProps {
  series: readonly Series[];
  colours: readonly string[];
  hidden: ReadonlySet<string>;
  onToggle(key: string): void;
}

/** The series by their names; pressing one hides it, as long as another is shown. */
function Legend({ series, colours, hidden, onToggle }: LegendProps) {
  const shown = series.length - hidden.size;
  return (
    <ul className="flex flex-wrap items-center gap-x-1" aria-label="Series">
      {series.map((one, index) => {
        const isHidden = hidden.has(one.key);
        const look = "flex h-8 items-center gap-2 rounded-md px-1.5";
        const name = (
          <>
            <svg className="h-2 w-5 shrink-0" aria-hidden="true">
              <line
                x1="1"
                x2="19"
                y1="4"
                y2="4"
                stroke={colours[index]}
                strokeWidth={one.tone === "comparison" ? 1.5 : 2}
                strokeDasharray={dashOf(one)}
                strokeLinecap="round"
              />
            </svg>
            <span className={isHidden ? "line-through" : ""}>{one.label}</span>
          </>
        );
        return (
          <li key={one.key} className={one.tone === "comparison" || isHidden ? "text-muted" : "font-medium"}>
            {series.length === 1 ? (
              <span className={look}>{name}</span>
            ) : (
              <button
                type="button"
                aria-pressed={!isHidden}
                disabled={!isHidden && shown === 1}
                onClick={() => onToggle(one.key)}
                className={`${look} enabled:hover:bg-sunken`}
              >
                {name}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface CardProps {
  index: number;
  buckets: readonly Bucket[];
  series: readonly Series[];
  colours: readonly string[];
  interval: Interval;
  open: number | null;
  markers: readonly Marker[];
}

/** What a bucket holds, beside the pointer. */
function Card({ index, buckets, series, colours, interval, open, markers }: CardProps) {
  const note = noteOf(buckets, index, open, interval);
  const noted = markers.filter((marker) => marker.at === index);
  return (
    <div className="card min-w-44 max-w-72 space-y-1 px-3 py-2 text-sm text-muted shadow-lg tabular-nums">
      <p className="font-medium text-ink">{nameOf(buckets[index]?.label ?? "", interval)}</p>
      {series.map((one, place) => {
        const own = one.labels?.[index];
        if (one.labels && own === null) return null;
        return (
          <p key={one.key} className="flex items-center justify-between gap-5">
            <span className="flex items-center gap-2">
              <span className="size-2 rounded-full" style={{ background: colours[place] }} aria-hidden="true" />
              {own ? nameOf(own, interval) : one.label}
            </span>
            <span className={one.tone === "comparison" ? "" : "font-semibold text-ink"}>
              {formatValue(one, one.values[index] ?? null)}
            </span>
          </p>
        );
      })}
      {note && <p className="text-xs first-letter:uppercase">{note}</p>}
      {noted.map(({ id, text }) => (
        <p key={id} className="border-l-2 border-warn pl-2 text-xs break-words text-ink">
          {text}
        </p>
      ))}
    </div>
  );
}

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface KeysProps {
  title: string;
  buckets: readonly Bucket[];
  series: readonly Series[];
  markers: readonly Marker[];
  interval: Interval;
  at: number | null;
  selected: [number, number] | null;
  setAt(at: number | null): void;
  setSelected(selected: [number, number] | null): void;
  onZoom: ((first: number, last: number) => void) | undefined;
  onDrill: ((index: number) => void) | undefined;
  onAnnotate: ((index: number) => void) | undefined;
}

/**
 * The chart under the keyboard, to a screen reader a slider with a sentence for each bucket: arrows move, Shift and arrows
 * select, Enter zooms into what is selected or drills into the bucket, A annotates it.
 */
function Keys(props: KeysProps) {
  const { title, buckets, series, markers, interval, at, selected, setAt, setSelected, onZoom, onDrill } = props;
  const end = buckets.length - 1;
  const latest = buckets.findLastIndex((_, index) => series.some(({ values }) => typeof values[index] === "number"));
  const now = Math.min(at ?? Math.max(0, latest), end);
  if (end < 0) return null;

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const next = step === undefined ? now : Math.min(end, Math.max(0, now + step));
    if (step !== undefined) {
      if (event.shiftKey && onZoom) setSelected([selected?.[0] ?? now, next]);
      else setSelected(null);
      setAt(next);
    } else if (event.key === "Enter" && selected && onZoom) onZoom(Math.min(...selected), Math.max(...selected));
    else if (event.key === "Enter" && onDrill) onDrill(now);
    else if (event.key.toLowerCase() === "a" && props.onAnnotate) props.onAnnotate(now);
    else if (event.key === "Escape" && at !== null) {
      setSelected(null);
      setAt(null);
    } else return;
    // The page has keys of its own.
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={title}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={now}
      aria-valuetext={bucketSentence(now, { buckets, series, markers, interval })}
      className="pointer-events-none absolute inset-0 rounded-sm"
      onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setAt(now)}
      onBlur={() => {
        setAt(null);
        setSelected(null);
      }}
      onKeyDown={press}
    />
  );
}
