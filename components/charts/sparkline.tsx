interface Props {
  values: number[];
  /** Whether the last value is still in progress; it is drawn dashed. */
  growing: boolean;
  className: string;
}

const WIDTH = 120;
const HEIGHT = 32;

/** A line chart without axes, hidden from screen readers: the numbers are next to it. */
export function Sparkline({ values, growing, className }: Props) {
  const most = Math.max(...values) || 1;
  const pointOf = (value: number, index: number) => {
    const x = 2 + (index / Math.max(1, values.length - 1)) * (WIDTH - 4);
    const y = HEIGHT - 3 - (value / most) * (HEIGHT - 6);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const points = values.map(pointOf);
  const solid = growing ? points.slice(0, -1) : points;
  const tail = growing ? points.slice(-2) : [];
  const line = { fill: "none", strokeWidth: 1.75, strokeLinejoin: "round", strokeLinecap: "round" } as const;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={className} aria-hidden="true">
      <path d={`M${points.join("L")}L${WIDTH - 2} ${HEIGHT}L2 ${HEIGHT}Z`} className="fill-accent/10" />
      <path d={`M${solid.join("L")}`} className="stroke-accent" vectorEffect="non-scaling-stroke" {...line} />
      {tail.length > 1 && (
        <path
          d={`M${tail.join("L")}`}
          className="stroke-accent"
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
          {...line}
        />
      )}
    </svg>
  );
}
