import type { ReactNode } from "react";
import { type Name, placeOf } from "@/components/charts/scale";
import { type Drawn, formatTick, type Kind } from "@/components/charts/series";

/** Margins around the plot (px), the same for the server-rendered frame and recharts, so that nothing shifts. */
export const MARGIN = { top: 14, right: 12, bottom: 30, left: 54, rightAxis: 54 } as const;

/** Returns the insets of the plot area within the chart (px). */
export const insets = (hasRight: boolean) => ({
  top: MARGIN.top,
  bottom: MARGIN.bottom,
  left: MARGIN.left,
  right: hasRight ? MARGIN.rightAxis : MARGIN.right,
});

interface Props {
  kind: Kind;
  buckets: number;
  /** Tick values of each axis in ascending order; an empty right axis is not shown. */
  ticks: { left: number[]; right: number[] };
  /** A series of each axis, for the unit of its ticks. */
  of: { left: Drawn | undefined; right: Drawn | undefined };
  names: readonly Name[];
  children: ReactNode;
}

/** The value axes with grid lines and the time axis, as HTML around the plot. */
export function Axes({ kind, buckets, ticks, of, names, children }: Props) {
  return (
    <div className="@container relative h-full text-xs text-muted tabular-nums">
      <div className="absolute" style={insets(ticks.right.length > 0)}>
        {ticks.left.map((value, index) => (
          <p
            key={value}
            style={{ bottom: `${(index / (ticks.left.length - 1)) * 100}%` }}
            className={`absolute inset-x-0 border-b ${value === 0 ? "border-line-strong" : "border-line"}`}
          >
            {of.left && (
              <span className="absolute right-full mr-2 -translate-y-1/2 whitespace-nowrap">
                {formatTick(of.left, value)}
              </span>
            )}
          </p>
        ))}
        {ticks.right.map((value, index) => (
          <span
            key={value}
            style={{ bottom: `${(index / (ticks.right.length - 1)) * 100}%` }}
            className="absolute left-full ml-2 translate-y-1/2 whitespace-nowrap"
          >
            {of.right && formatTick(of.right, value)}
          </span>
        ))}
        {names.map(({ index, text, rare }) => (
          <span
            key={index}
            style={{ left: `${placeOf(kind, index, buckets) * 100}%` }}
            className={`absolute top-full mt-2 -translate-x-1/2 whitespace-nowrap ${rare ? "@max-[30rem]:hidden" : ""}`}
          >
            {text}
          </span>
        ))}
        {children}
      </div>
    </div>
  );
}
