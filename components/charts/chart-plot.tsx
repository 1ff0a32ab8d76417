import { type ComponentType, useCallback, useState } from "react";
import { Axes, insets } from "@/components/charts/axes";
import { ChartPointer, NOWHERE } from "@/components/charts/chart-pointer";
import { FirstFrame } from "@/components/charts/first-frame";
import type { PlotProps } from "@/components/charts/recharts-plot";
import { axisTicks, timeTicks } from "@/components/charts/scale";
import {
  axisOf,
  type Band,
  bucketNameAt,
  type Content,
  chartSentence,
  type Drawn,
  type Kind,
} from "@/components/charts/series";
import { Button } from "@/components/ui/button";
import type { Interval } from "@/lib/contract/fields";
import { msg, t } from "@/lib/texts/translate";

export interface ChartActions {
  /** Zooms into a range of buckets. */
  onZoom?: ((first: number, last: number) => void) | undefined;
  /** Opens one bucket in finer intervals. */
  onDrill?: ((index: number) => void) | undefined;
  /** Adds an annotation to a bucket. */
  onAnnotate?: ((index: number) => void) | undefined;
}

interface Props extends ChartActions {
  title: string;
  kind: Kind;
  content: Content;
  /** Tailwind height class. */
  height: string;
  bands?: readonly Band[] | undefined;
  /** The recharts plot; null until it is loaded. */
  Plot: ComponentType<PlotProps> | null;
}

/** The plot with the pointer layer and the actions for the selected bucket or range. */
export function ChartPlot({ title, kind, content, height, bands, Plot, onZoom, onDrill, onAnnotate }: Props) {
  const [pointed, point] = useState(NOWHERE);
  const [isReady, setReady] = useState(false);
  const ready = useCallback(() => setReady(true), []);
  const { buckets, series, interval, open } = content;
  // After a change of the view there may be fewer buckets.
  const isValid = [pointed.at, ...(pointed.selected ?? [])].every((index) => index === null || index < buckets.length);
  const pointing = isValid ? pointed : NOWHERE;
  const onSide = (side: "left" | "right") => series.filter((one) => axisOf(one) === side);
  const ticks = {
    left: axisTicks(onSide("left"), kind),
    right: onSide("right").length > 0 ? axisTicks(onSide("right"), "line") : [],
  };
  const domainOf = (one: Drawn): [number, number] => [ticks[axisOf(one)][0] ?? 0, ticks[axisOf(one)].at(-1) ?? 1];
  const shared = { kind, series, open, ticks, buckets: buckets.length, names: timeTicks(buckets, interval) };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens for the focus leaving the chart.
    <div
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) point(NOWHERE);
      }}
    >
      <div className={`relative ${height}`}>
        {bands && <PlotBands bands={bands} ticks={ticks.left} hasRight={ticks.right.length > 0} />}
        <div
          role="img"
          aria-label={`${title}. ${chartSentence(buckets, series, interval)}`}
          className="absolute inset-0"
          data-drawn={isReady ? "by recharts" : "by the server"}
        >
          {!isReady && (
            <Axes {...shared} of={{ left: onSide("left")[0], right: onSide("right")[0] }}>
              <FirstFrame {...shared} domainOf={domainOf} />
            </Axes>
          )}
          {Plot && <Plot {...shared} onReady={ready} />}
        </div>
        <ChartPointer
          title={title}
          kind={kind}
          content={content}
          pointing={pointing}
          point={point}
          domainOf={domainOf}
          onZoom={onZoom}
          onDrill={onDrill}
          onAnnotate={onAnnotate}
        />
      </div>
      {(onZoom || onDrill || onAnnotate) && (
        <BucketActions
          content={content}
          onZoom={onZoom}
          onDrill={onDrill}
          onAnnotate={onAnnotate}
          {...pointing}
          onCancel={() => point(NOWHERE)}
        />
      )}
    </div>
  );
}

interface BandsProps {
  bands: readonly Band[];
  /** Ticks of the left axis. */
  ticks: readonly number[];
  hasRight: boolean;
}

/** The bands behind the plot, as far as the axis reaches. */
function PlotBands({ bands, ticks, hasRight }: BandsProps) {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const heightOf = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
  return (
    <div aria-hidden="true" className="absolute" style={insets(hasRight)}>
      {bands.map(({ upTo, fill }, index) => {
        const bottom = heightOf(bands[index - 1]?.upTo ?? low);
        const top = upTo === null ? 1 : heightOf(upTo);
        return (
          top > bottom && (
            <div
              key={fill}
              className={`absolute inset-x-0 opacity-10 ${fill}`}
              style={{ bottom: `${bottom * 100}%`, height: `${(top - bottom) * 100}%` }}
            />
          )
        );
      })}
    </div>
  );
}

interface BucketActionsProps extends ChartActions {
  content: Content;
  at: number | null;
  selected: [number, number] | null;
  pinned: boolean;
  onCancel(): void;
}

/** Buttons for the bucket or range selected by keyboard or touch, otherwise a hint. The height is fixed. */
function BucketActions({ content, at, selected, pinned, onZoom, onDrill, onAnnotate, onCancel }: BucketActionsProps) {
  const { interval } = content;
  const name = (index: number) => bucketNameAt(index, content);
  const isPinned = pinned && at !== null;
  const range =
    selected && selected[0] !== selected[1] ? ([Math.min(...selected), Math.max(...selected)] as const) : null;
  const hint = [
    onZoom && t("drag to zoom"),
    onDrill && t(OPENS[interval]),
    onAnnotate && t("press + on the time axis to annotate"),
  ];
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-2 px-2 text-[0.8125rem] text-muted tabular-nums">
      <p aria-live="polite" className={range ? "" : "sr-only"}>
        {range && t(SELECTED[interval], { count: range[1] - range[0] + 1, from: name(range[0]), to: name(range[1]) })}
      </p>
      {isPinned && range && onZoom && (
        <>
          <Button look="bare" size="small" onClick={() => onZoom(...range)}>
            {t("Zoom in")}
          </Button>
          <Button look="bare" size="small" onClick={onCancel}>
            {t("Cancel")}
          </Button>
        </>
      )}
      {isPinned && !range && (
        <span className="-mx-3 flex flex-wrap">
          {onDrill && (
            <Button look="bare" size="small" onClick={() => onDrill(at)}>
              {t("Open {name}", { name: name(at) })}
            </Button>
          )}
          {onAnnotate && (
            <Button look="bare" size="small" onClick={() => onAnnotate(at)}>
              {t("Annotate")}
            </Button>
          )}
        </span>
      )}
      {!isPinned && !range && (
        <p aria-hidden="true">
          <span className="pointer-coarse:hidden first-letter:uppercase inline-block">
            {hint.filter(Boolean).join(", ")}
          </span>
          <span className="pointer-fine:hidden">{t(TAP[interval])}</span>
        </p>
      )}
    </div>
  );
}

const SELECTED: Record<Interval, string> = {
  minute: msg("{count, plural, one {# minute} other {# minutes}} selected: {from} to {to}."),
  hour: msg("{count, plural, one {# hour} other {# hours}} selected: {from} to {to}."),
  day: msg("{count, plural, one {# day} other {# days}} selected: {from} to {to}."),
  week: msg("{count, plural, one {# week} other {# weeks}} selected: {from} to {to}."),
  month: msg("{count, plural, one {# month} other {# months}} selected: {from} to {to}."),
};
const TAP: Record<Interval, string> = {
  minute: msg("Tap a minute to see its values"),
  hour: msg("Tap an hour to see its values"),
  day: msg("Tap a day to see its values"),
  week: msg("Tap a week to see its values"),
  month: msg("Tap a month to see its values"),
};
const OPENS: Record<Interval, string> = {
  minute: msg("click to open the day"),
  hour: msg("click to open the day"),
  day: msg("click a day to see its hours"),
  week: msg("click a week to see its days"),
  month: msg("click a month to see its days"),
};
