"use client";

import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { MARGIN } from "@/components/charts/axes";
import {
  axisOf,
  coloursOf,
  dashOf,
  formatValue,
  type Kind,
  type Marker,
  OPEN_DASH,
  type Series,
} from "@/components/charts/series";

export interface PlotProps {
  kind: Kind;
  series: readonly Series[];
  buckets: number;
  open: number | null;
  ticks: { left: number[]; right: number[] };
  names: { index: number; text: string }[];
  markers: readonly Marker[];
  /** The bucket that keys point at. */
  at: number | null;
  /** The first and last bucket of what is being selected. */
  selected: [number, number] | null;
  /** What stands beside the pointer. */
  describe(index: number): ReactNode;
  onPoint(index: number | null): void;
  /** Buckets were dragged over, or one was clicked (both ends the same). */
  onSelect?: ((first: number, last: number) => void) | undefined;
  onDrag(selected: [number, number] | null): void;
  /** It has drawn itself. */
  onReady(): void;
}

const PHONE_PX = 480;

/** A chart that answers to mouse and finger. Loaded once the page is there: see ADR 7. */
export default function RechartsPlot(props: PlotProps) {
  const { kind, series, ticks, names, markers, at, selected, describe, onPoint, onSelect, onDrag, onReady } = props;
  const id = useId();
  const room = useRef<HTMLDivElement>(null);
  const size = useSize(room);
  const dragged = useRef<number | null>(null);
  const rows = rowsOf(props);
  const colours = coloursOf(series);
  const shown = size && size.width < PHONE_PX ? names.filter((_, place) => place % 2 === 0) : names;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has a size and has drawn.
  useEffect(() => {
    if (!size) return;
    const frame = requestAnimationFrame(() => requestAnimationFrame(onReady));
    return () => cancelAnimationFrame(frame);
  }, [size !== null]);

  const indexOf = (state: { activeTooltipIndex?: unknown }) => {
    const index = Number(state.activeTooltipIndex ?? Number.NaN);
    return Number.isInteger(index) ? index : null;
  };
  function move(state: object) {
    const index = indexOf(state);
    onPoint(index);
    if (dragged.current !== null && index !== null) onDrag(index === dragged.current ? null : [dragged.current, index]);
  }
  function finish(state: object) {
    const [first, last] = [dragged.current, indexOf(state)];
    dragged.current = null;
    onDrag(null);
    if (first !== null && last !== null) onSelect?.(Math.min(first, last), Math.max(first, last));
  }

  return (
    <div ref={room} className={`absolute inset-0 select-none ${onSelect ? "cursor-crosshair" : ""}`}>
      {size && (
        <ComposedChart
          {...size}
          data={rows}
          margin={{ top: MARGIN.top, right: ticks.right.length > 0 ? 0 : MARGIN.right, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          barCategoryGap="10%"
          onMouseMove={move}
          onMouseDown={(state) => {
            dragged.current = indexOf(state);
          }}
          onMouseUp={finish}
          onMouseLeave={() => {
            dragged.current = null;
            onDrag(null);
            onPoint(null);
          }}
          onTouchStart={move}
          onTouchMove={move}
          className="text-xs tabular-nums"
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="index"
            height={MARGIN.bottom}
            ticks={shown.map(({ index }) => index)}
            tickFormatter={(index: number) => names.find((one) => one.index === index)?.text ?? ""}
            interval={0}
            tickLine={false}
            axisLine={{ stroke: "var(--line-strong)" }}
            tick={{ fill: "var(--muted)" }}
            tickMargin={8}
          />
          {(["left", "right"] as const).map((side) => {
            const [own, of] = [ticks[side], series.find((one) => axisOf(one) === side)];
            if (!of || own.length === 0) return null;
            return (
              <YAxis
                key={side}
                yAxisId={side}
                orientation={side}
                width={side === "left" ? MARGIN.left : MARGIN.rightAxis}
                ticks={own}
                domain={[own[0] as number, own.at(-1) as number]}
                interval={0}
                tickFormatter={(value: number) => formatValue(of, value)}
                tickLine={false}
                axisLine={false}
                tick={{ fill: "var(--muted)" }}
              />
            );
          })}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--line-strong)", fill: "var(--sunken)", fillOpacity: 0.6 }}
            {...(at !== null && { defaultIndex: at })}
            content={({ active, label }: TooltipContentProps) =>
              active && typeof label === "number" ? describe(label) : null
            }
          />
          {series.flatMap((one, place) => marksOf(one, colours[place] as string, kind, `${id}-${place}`))}
          {markers.map((marker) => (
            <ReferenceLine
              key={marker.id}
              yAxisId="left"
              x={marker.at}
              stroke="var(--warn)"
              strokeDasharray="3 3"
              label={{ value: "▾", position: "top", fill: "var(--warn)", fontSize: 14, offset: -2 }}
            />
          ))}
          {selected && (
            <ReferenceArea
              yAxisId="left"
              x1={Math.min(...selected)}
              x2={Math.max(...selected)}
              fill="var(--accent)"
              fillOpacity={0.15}
            />
          )}
        </ComposedChart>
      )}
    </div>
  );
}

/** A row for each bucket: values by their series, and those of the last stretch while its bucket has not ended. */
function rowsOf({ series, buckets, open, kind }: PlotProps): Record<string, number | null>[] {
  return Array.from({ length: buckets }, (_, index) => {
    const values = series.flatMap((one): [string, number | null][] => {
      const value = one.values[index] ?? null;
      if (open === null || !isDashed(one, kind)) return [[one.key, value]];
      return [
        [one.key, index < open ? value : null],
        [`${one.key} open`, index >= open - 1 && index <= open ? value : null],
      ];
    });
    return { index, ...Object.fromEntries(values) };
  });
}

/** Whether the stretch of a bucket that has not ended is dashed: of a single line, which is no comparison. */
const isDashed = ({ tone }: Series, kind: Kind): boolean =>
  tone !== "comparison" && (kind === "line" || kind === "area");

function marksOf(one: Series, colour: string, kind: Kind, gradient: string): ReactNode[] {
  const shared = {
    dataKey: one.key,
    yAxisId: axisOf(one),
    stroke: colour,
    strokeWidth: 2,
    isAnimationActive: false,
    connectNulls: false,
    dot: false,
    activeDot: { r: 4, stroke: "var(--surface)", strokeWidth: 2, fill: colour },
  } as const;
  if (one.tone === "comparison")
    return [<Line key={one.key} {...shared} strokeWidth={1.5} strokeLinecap="round" strokeDasharray={dashOf(one)} />];
  if (kind === "bars") {
    return [
      <Bar
        key={one.key}
        dataKey={one.key}
        yAxisId={axisOf(one)}
        fill={colour}
        isAnimationActive={false}
        radius={[2, 2, 0, 0]}
      />,
    ];
  }
  if (kind === "stacked") {
    return [<Area key={one.key} {...shared} strokeWidth={1} stackId="stack" fill={colour} fillOpacity={0.55} />];
  }
  const open = { ...shared, dataKey: `${one.key} open`, strokeDasharray: OPEN_DASH };
  if (kind === "line" || axisOf(one) === "right") {
    return [<Line key={one.key} {...shared} />, <Line key={`${one.key} open`} {...open} />];
  }
  const fill = `url(#${gradient})`;
  return [
    <defs key={gradient}>
      <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor={colour} stopOpacity={0.2} />
        <stop offset="1" stopColor={colour} stopOpacity={0} />
      </linearGradient>
    </defs>,
    <Area key={one.key} {...shared} fill={fill} />,
    <Area key={`${one.key} open`} {...open} fill={fill} fillOpacity={0.5} />,
  ];
}

/** The size of an element in pixels, followed as it changes; null before it is known. */
function useSize(room: React.RefObject<HTMLElement | null>): { width: number; height: number } | null {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [room]);
  return size;
}
