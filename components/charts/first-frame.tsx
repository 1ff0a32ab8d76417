import { useId } from "react";
import { placeOf } from "@/components/charts/scale";
import { type Drawn, dashOf, isComparison, type Kind, OPEN_DASH, strengthOf } from "@/components/charts/series";

interface Props {
  kind: Kind;
  series: readonly Drawn[];
  buckets: number;
  /** Index of the bucket that is still in progress. */
  open: number | null;
  /** Returns the lowest and the highest value of a series' axis. */
  domainOf(series: Drawn): [number, number];
}

/** Size of the viewBox, stretched over the plot area; line widths do not scale. */
const SIZE = 1000;

interface Point {
  index: number;
  x: number;
  base: number;
  y: number;
}

/** The marks of a chart as SVG for the server-rendered page, because recharts only renders in a browser. */
export function FirstFrame({ kind, series, buckets, open, domainOf }: Props) {
  const id = useId();
  const below = new Array<number>(buckets).fill(0);
  const bars = kind === "bars" ? series.filter((one) => !isComparison(one)) : [];
  const marks = series.map((one) => {
    const [low, high] = domainOf(one);
    const y = (value: number) => round((1 - (value - low) / (high - low || 1)) * SIZE);
    const isStacked = kind === "stacked" && !isComparison(one);
    const points = one.values.map((value, index): Point | null => {
      if (value === null) return null;
      const base = isStacked ? (below[index] ?? 0) : 0;
      if (isStacked) below[index] = base + value;
      return { index, x: round(placeOf(kind, index, buckets) * SIZE), base: y(base), y: y(base + value) };
    });
    return { one, points };
  });
  return (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
      aria-hidden="true"
    >
      {marks.map(({ one, points }, place) => (
        <g key={one.key} style={{ color: one.colour }}>
          {bars.includes(one) ? (
            <Bars points={points} buckets={buckets} open={open} place={bars.indexOf(one)} of={bars.length} />
          ) : (
            <FrameLines
              points={points}
              open={open}
              one={one}
              gradient={`${id}-${place}`}
              strength={strengthOf(one, kind)}
            />
          )}
        </g>
      ))}
    </svg>
  );
}

/** Share of a band that its bars fill. */
const BARS = 0.8;

interface BarsProps {
  points: (Point | null)[];
  buckets: number;
  open: number | null;
  /** Position of these bars within a bucket, and the number of bars per bucket. */
  place: number;
  of: number;
}

function Bars({ points, buckets, open, place, of }: BarsProps) {
  const width = ((SIZE / buckets) * BARS) / of;
  return points.map(
    (point) =>
      point && (
        <rect
          key={point.index}
          x={point.x + (place - of / 2) * width}
          y={Math.min(point.y, point.base)}
          width={width}
          height={Math.abs(point.base - point.y)}
          fill="currentColor"
          fillOpacity={point.index === open ? 0.4 : 1}
        />
      ),
  );
}

interface LinesProps {
  one: Drawn;
  points: (Point | null)[];
  open: number | null;
  gradient: string;
  /** Opacity of the area at its top and bottom; null without an area. */
  strength: [number, number] | null;
}

/** A line with its area. The last segment is dashed while its bucket is in progress. */
function FrameLines({ one, points, open, gradient, strength }: LinesProps) {
  const dash = dashOf(one);
  const drawn = {
    fill: "none",
    stroke: "currentColor",
    strokeWidth: dash ? 1.5 : 2,
    strokeLinejoin: "round",
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  } as const;
  const path = (some: Point[]) => some.map(({ x, y }) => `${x},${y}`).join("L");
  return (
    <>
      {strength && (
        <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity={strength[0]} />
          <stop offset="1" stopColor="currentColor" stopOpacity={strength[1]} />
        </linearGradient>
      )}
      {stretchesOf(points).map((stretch) => {
        const isDashed = open !== null && !dash;
        const closed = isDashed ? stretch.filter(({ index }) => index < open) : stretch;
        const growing = isDashed ? stretch.filter(({ index }) => index >= open - 1) : [];
        const under = stretch.toReversed().map(({ x, base }) => `${x},${base}`);
        return (
          <g key={stretch[0]?.index}>
            {strength && <path d={`M${path(stretch)}L${under.join("L")}Z`} fill={`url(#${gradient})`} />}
            {closed.length > 1 && <path d={`M${path(closed)}`} {...drawn} strokeDasharray={dash} />}
            {growing.length > 1 && <path d={`M${path(growing)}`} {...drawn} strokeDasharray={OPEN_DASH} />}
            {stretch.length === 1 && <path d={`M${path(stretch)}h0`} {...drawn} strokeWidth={8} />}
          </g>
        );
      })}
    </>
  );
}

/** Splits a line at unknown values. */
function stretchesOf(points: (Point | null)[]): Point[][] {
  const found: Point[][] = [[]];
  for (const point of points) {
    if (point) found.at(-1)?.push(point);
    else found.push([]);
  }
  return found.filter((one) => one.length > 0);
}

const round = (number: number) => Math.round(number * 10) / 10;
