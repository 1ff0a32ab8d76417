"use client";

import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Row } from "@/components/charts/timeline-rows";

interface Props {
  rows: Row[];
  tick: (label: string) => string;
  name: (label: string) => string;
  value: (value: number | null) => string;
  /** Values of the horizontal lines, from 0 up. */
  ticks: number[];
}

const words = { fontSize: 12, fill: "var(--muted)" };
const xAxis = {
  dataKey: "label",
  tick: words,
  tickLine: false,
  tickMargin: 8,
  axisLine: { stroke: "var(--line-strong)" },
  minTickGap: 36,
  interval: "equidistantPreserveStart",
} as const;
const yAxis = { tick: words, tickLine: false, axisLine: false, width: 52, interval: 0 } as const;

const still = { isAnimationActive: false, connectNulls: false } as const;
const now = {
  stroke: "var(--accent)",
  strokeWidth: 2,
  fill: "url(#timeline-fill)",
  activeDot: { r: 4.5, fill: "var(--accent)", stroke: "var(--surface)", strokeWidth: 2 },
  ...still,
};
const earlier = {
  stroke: "var(--muted)",
  strokeWidth: 1.5,
  strokeDasharray: "1.5 4",
  strokeLinecap: "round",
  dot: false,
  activeDot: false,
  ...still,
} as const;

/** The drawing itself; recharts is imported here and nowhere else. */
export default function TimelinePlot({ rows, tick, name, value, ticks }: Props) {
  const lonely = rows.filter((row) => row.value !== null).length === 1;
  const dot = lonely ? { r: 4, fill: "var(--accent)", strokeWidth: 0 } : false;
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 800, height: 288 }}>
      <ComposedChart data={rows} margin={{ top: 10, right: 10, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <defs>
          <linearGradient id="timeline-fill" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="var(--accent)" stopOpacity={0.2} />
            <stop offset="1" stopColor="var(--accent)" stopOpacity={0} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis {...xAxis} tickFormatter={tick} />
        <YAxis {...yAxis} tickFormatter={value} ticks={ticks} domain={[0, ticks.at(-1) ?? 1]} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--line-strong)" }}
          content={({ active, payload }) => {
            const row = payload?.[0]?.payload as Row | undefined;
            return active && row ? <Card row={row} name={name} value={value} /> : null;
          }}
        />
        <Line dataKey="before" {...earlier} />
        <Area dataKey="whole" dot={dot} {...now} />
        <Area dataKey="growing" dot={dot} strokeDasharray="5 4" fillOpacity={0.5} {...now} />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function Card({ row, name, value }: { row: Row } & Pick<Props, "name" | "value">) {
  return (
    <div className="card min-w-44 space-y-1 px-3 py-2 text-sm tabular-nums shadow-lg">
      <p className="flex items-baseline justify-between gap-5">
        <span className="text-muted">{name(row.label)}</span>
        <span className="font-semibold">{value(row.value)}</span>
      </p>
      {row.beforeLabel && (
        <p className="flex items-baseline justify-between gap-5 text-muted">
          <span>{name(row.beforeLabel)}</span>
          <span>{value(row.before)}</span>
        </p>
      )}
      {row.partial && <p className="text-xs text-muted">Still counting</p>}
    </div>
  );
}
