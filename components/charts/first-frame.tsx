import { useId } from "react";
import { coloursOf, dashOf, type Kind, OPEN_DASH, placeOf, type Series } from "@/components/charts/series";

interface Props {
  kind: Kind;
  series: readonly Series[];
  buckets: number;
  /** The bucket that has not ended. */
  open: number | null;
  /** The lowest and the highest value of the axis of a series. */
  domainOf(series: Series): [number, number];
}

/** The drawing's own units, stretched over the room there is; lines keep their width. */
const SIZE = 1000;

/** The marks of a chart as the server draws them: recharts draws nothing without a browser. */
export function FirstFrame({ kind, series, buckets, open, domainOf }: Props) {
  const fill = useId();
  const colours = coloursOf(series);
  const below = new Array<number>(buckets).fill(0);
  const x = (index: number) => round(placeOf(kind, index, buckets) * SIZE);
  const marks = series.map((one, place) => {
    const [low, high] = domainOf(one);
    const y = (value: number) => round((1 - (value - low) / (high - low || 1)) * SIZE);
    const isStacked = kind === "stacked" && one.tone !== "comparison";
    const bases = below.slice();
    const points = one.values.map((value, index) => {
      if (value === null) return null;
      const [base, top] = isStacked ? [bases[index] ?? 0, (bases[index] ?? 0) + value] : [0, value];
      if (isStacked) below[index] = top;
      return { index, x: x(index), base: y(base), y: y(top) };
    });
    return { one, colour: colours[place] as string, points };
  });
  return (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
      aria-hidden="true"
    >
      {marks.map(({ one, colour, points }, place) => (
        <g key={one.key} style={{ color: colour }}>
          {kind === "bars" && one.tone !== "comparison" ? (
            <Bars points={points} buckets={buckets} />
          ) : (
            <Lines
              points={points}
              open={kind === "stacked" ? null : open}
              dash={dashOf(one)}
              fill={one.tone === "comparison" || kind === "line" ? null : `${fill}-${place}`}
              strength={kind === "stacked" ? 0.55 : 0.2}
            />
          )}
        </g>
      ))}
    </svg>
  );
}

type Point = { index: number; x: number; base: number; y: number } | null;

function Bars({ points, buckets }: { points: Point[]; buckets: number }) {
  const width = (SIZE / buckets) * 0.8;
  return points.map(
    (point) =>
      point && (
        <rect
          key={point.index}
          x={point.x - width / 2}
          y={Math.min(point.y, point.base)}
          width={width}
          height={Math.abs(point.base - point.y)}
          fill="currentColor"
        />
      ),
  );
}

interface LinesProps {
  points: Point[];
  open: number | null;
  dash: string | undefined;
  /** The name of the gradient below the line; null without one. */
  fill: string | null;
  strength: number;
}

/** A line, its last stretch dashed while the last bucket has not ended, with its area. */
function Lines({ points, open, dash, fill, strength }: LinesProps) {
  const stretches = stretchesOf(points);
  const drawn = {
    fill: "none",
    stroke: "currentColor",
    strokeWidth: dash ? 1.5 : 2,
    strokeLinejoin: "round",
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  } as const;
  const path = (some: NonNullable<Point>[]) => some.map(({ x, y }) => `${x},${y}`).join("L");
  return (
    <>
      {fill && (
        <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity={strength} />
          <stop offset="1" stopColor="currentColor" stopOpacity={strength > 0.5 ? strength : 0} />
        </linearGradient>
      )}
      {stretches.map((stretch) => {
        const closed = open === null || dash ? stretch : stretch.filter(({ index }) => index < open);
        const growing = open === null || dash ? [] : stretch.filter(({ index }) => index >= open - 1 && index <= open);
        const under = [...stretch].reverse().map(({ x, base }) => `${x},${base}`);
        return (
          <g key={stretch[0]?.index}>
            {fill && <path d={`M${path(stretch)}L${under.join("L")}Z`} fill={`url(#${fill})`} />}
            {closed.length > 1 && <path d={`M${path(closed)}`} {...drawn} strokeDasharray={dash} />}
            {growing.length > 1 && <path d={`M${path(growing)}`} {...drawn} strokeDasharray={OPEN_DASH} />}
          </g>
        );
      })}
    </>
  );
}

/** The parts of a line between what is unknown. */
function stretchesOf(points: Point[]): NonNullable<Point>[][] {
  const found: NonNullable<Point>[][] = [[]];
  for (const point of points) {
    if (point) found.at(-1)?.push(point);
    else found.push([]);
  }
  return found.filter((one) => one.length > 0);
}

const round = (number: number) => Math.round(number * 10) / 10;
