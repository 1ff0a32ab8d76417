"use client";

import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Area, Bar, CartesianGrid, ComposedChart, Line, type LineProps, XAxis, YAxis } from "recharts";
import { MARGIN } from "@/components/charts/axes";
import type { Name } from "@/components/charts/scale";
import {
  axisOf,
  type Drawn,
  dashOf,
  formatTick,
  isComparison,
  type Kind,
  OPEN_DASH,
  strengthOf,
} from "@/components/charts/series";

export interface PlotProps {
  kind: Kind;
  series: readonly Drawn[];
  buckets: number;
  open: number | null;
  ticks: { left: number[]; right: number[] };
  names: readonly Name[];
  /** Called after the first render with a known size. */
  onReady(): void;
}

const NARROW_PX = 480;

/** Axes and marks of a chart, drawn by recharts for the measured size. Loaded after the page: see ADR 7. */
export default function RechartsPlot(props: PlotProps) {
  const { kind, series, buckets, ticks, names, onReady } = props;
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const size = useSize(container);
  const hasSize = size !== null;
  useEffect(() => {
    if (hasSize) onReady();
  }, [hasSize, onReady]);
  const shown = names.filter(({ rare }) => !rare || (size && size.width >= NARROW_PX));

  return (
    <div ref={container} className="pointer-events-none absolute inset-0 text-xs tabular-nums" aria-hidden="true">
      {size && (
        <ComposedChart
          {...size}
          data={rowsOf(props)}
          margin={{ top: MARGIN.top, right: ticks.right.length > 0 ? 0 : MARGIN.right, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          barCategoryGap="10%"
          barGap={0}
        >
          <CartesianGrid yAxisId="left" vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="index"
            scale={kind === "bars" || buckets === 1 ? "band" : "point"}
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
                tickFormatter={(value: number) => formatTick(of, value)}
                tickLine={false}
                axisLine={false}
                tickMargin={8}
                tickSize={0}
                tick={{ fill: "var(--muted)" }}
              />
            );
          })}
          {series.flatMap((one, place) => marksOf(one, kind, `${id}-${place}`))}
        </ComposedChart>
      )}
    </div>
  );
}

/** Data key of the last segment of a series while its bucket is in progress. */
const openKey = (key: string) => `${key} open`;

/** Returns a row per bucket with the value of each series; the segment in progress has a data key of its own. */
function rowsOf({ series, buckets, open, kind }: PlotProps): Record<string, number | null>[] {
  // The last segment of a line starts at the point before it; bars have no such point.
  const since = (open ?? buckets) - (kind === "bars" ? 0 : 1);
  return Array.from({ length: buckets }, (_, index) => {
    const values = series.flatMap((one): [string, number | null][] => {
      const value = one.values[index] ?? null;
      if (open === null || isComparison(one)) return [[one.key, value]];
      return [
        [one.key, index < open ? value : null],
        [openKey(one.key), index >= since ? value : null],
      ];
    });
    return { index, ...Object.fromEntries(values) };
  });
}

function marksOf(one: Drawn, kind: Kind, gradient: string): ReactNode[] {
  const { key, colour, values } = one;
  const shared = { yAxisId: axisOf(one), isAnimationActive: false } as const;
  const line = { ...shared, stroke: colour, strokeWidth: 2, strokeLinejoin: "round", activeDot: false } as const;
  const dot = isolatedDots(values, colour);
  const open = { ...line, dot, dataKey: openKey(key), strokeDasharray: OPEN_DASH } as const;
  if (isComparison(one)) {
    const dotted = { ...line, strokeWidth: 1.5, strokeDasharray: dashOf(one), strokeLinecap: "round" } as const;
    return [<Line key={key} dataKey={key} dot={dot} {...dotted} />];
  }
  if (kind === "bars") {
    const bar = { ...shared, stackId: key, fill: colour } as const;
    return [
      <Bar key={key} dataKey={key} {...bar} radius={[2, 2, 0, 0]} />,
      <Bar key={openKey(key)} dataKey={openKey(key)} {...bar} radius={[2, 2, 0, 0]} fillOpacity={0.4} />,
    ];
  }
  const strength = strengthOf(one, kind);
  if (!strength) {
    return [<Line key={key} dataKey={key} dot={dot} {...line} />, <Line key={openKey(key)} {...open} />];
  }
  const fill = { fill: `url(#${gradient})`, fillOpacity: 1 };
  const stack = (name: string) => kind === "stacked" && { stackId: name };
  return [
    <defs key={gradient}>
      <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor={colour} stopOpacity={strength[0]} />
        <stop offset="1" stopColor={colour} stopOpacity={strength[1]} />
      </linearGradient>
    </defs>,
    <Area key={key} dataKey={key} dot={dot} {...line} {...fill} {...stack("closed")} />,
    <Area key={openKey(key)} {...open} {...fill} {...stack("open")} />,
  ];
}

/** Draws a dot for a value whose neighbours are unknown, because no line reaches it. */
function isolatedDots(values: readonly (number | null)[], colour: string): LineProps["dot"] {
  const known = (index: number) => typeof values[index] === "number";
  const isolated = values.flatMap((_, index) =>
    known(index) && !known(index - 1) && !known(index + 1) ? [index] : [],
  );
  if (isolated.length === 0) return false;
  return ({ index, cx, cy }: { index?: number; cx?: number; cy?: number }) =>
    // An unknown value has no y position.
    index !== undefined && isolated.includes(index) && typeof cy === "number" ? (
      <circle key={index} cx={cx} cy={cy} r={4} fill={colour} />
    ) : (
      <g key={index} />
    );
}

/** Returns the size of an element (px), updated when it changes; null before it is measured. */
function useSize(container: RefObject<HTMLElement | null>): { width: number; height: number } | null {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return size;
}
