import type { ReactNode } from "react";
import { formatValue, type Kind, placeOf, type Series } from "@/components/charts/series";

/** The room around the marks, the same for the server's frame and for recharts: nothing moves when one replaces the other. */
export const MARGIN = { top: 10, right: 12, bottom: 30, left: 54, rightAxis: 54 } as const;

interface Props {
  kind: Kind;
  buckets: number;
  /** Round values of each axis, from the bottom up; an empty right axis is not shown. */
  ticks: { left: number[]; right: number[] };
  /** A series of each axis, whose unit its ticks have. */
  of: { left: Series | undefined; right: Series | undefined };
  /** The names of some buckets. */
  names: { index: number; text: string }[];
  children: ReactNode;
}

const LONG = 9;

/** Both value axes with their lines and the time axis, as text over the marks. */
export function Axes({ kind, buckets, ticks, of, names, children }: Props) {
  const hasRight = ticks.right.length > 0;
  return (
    <div className="relative h-full text-xs text-muted tabular-nums">
      <div
        className="absolute"
        style={{
          top: MARGIN.top,
          bottom: MARGIN.bottom,
          left: MARGIN.left,
          right: hasRight ? MARGIN.rightAxis : MARGIN.right,
        }}
      >
        {ticks.left.map((value, index) => (
          <p
            key={value}
            style={{ bottom: `${(index / (ticks.left.length - 1)) * 100}%` }}
            className={`absolute inset-x-0 border-t ${value === 0 ? "border-line-strong" : "border-line"}`}
          >
            {of.left && (
              <span className="absolute right-full mr-2 -translate-y-1/2 whitespace-nowrap">
                {formatValue(of.left, value)}
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
            {of.right && formatValue(of.right, value)}
          </span>
        ))}
        {names.map(({ index, text }, place) => {
          const x = placeOf(kind, index, buckets);
          const rare = place % (text.length > LONG ? 3 : 2) > 0;
          return (
            <span
              key={index}
              style={{ left: `${x * 100}%` }}
              className={`absolute top-full mt-2 whitespace-nowrap ${x > 0.97 ? "-translate-x-full" : "-translate-x-1/2"} ${rare ? "max-sm:hidden" : ""}`}
            >
              {text}
            </span>
          );
        })}
        {children}
      </div>
    </div>
  );
}
