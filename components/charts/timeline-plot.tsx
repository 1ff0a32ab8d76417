"use client";

import { useId, useState } from "react";
import { TimelinePointer } from "@/components/charts/timeline-pointer";
import type { Row } from "@/components/charts/timeline-rows";

interface Props {
  rows: Row[];
  /** What is drawn. */
  label: string;
  /** All of it in words. */
  sentence: string;
  tick: (label: string) => string;
  name: (label: string) => string;
  value: (value: number | null) => string;
  /** Values of the horizontal lines, from 0 up. */
  ticks: number[];
}

/** The drawing's own units, which are stretched over the room there is; lines keep their width and words stand outside. */
const WIDE = 1000;
const HIGH = 1000;

/** The line over time. It needs no measuring, so the server draws it whole; scripts only tell what is pointed at. */
export function TimelinePlot({ rows, label, sentence, tick, name, value, ticks }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const top = ticks.at(-1) || 1;
  const last = Math.max(1, rows.length - 1);
  const x = (index: number) => index / last;
  const y = (number: number) => 1 - number / top;

  const pointed = at === null ? undefined : rows[at];
  const known = rows.flatMap((row, index) => (row.value === null ? [] : [index]));
  const dots = [...(known.length === 1 ? known : []), ...(at !== null && pointed?.value !== null ? [at] : [])];
  return (
    <div className="relative h-full text-xs text-muted tabular-nums">
      <div className="absolute inset-y-0 right-2.5 left-13 mt-2.5 mb-7.5">
        <div role="img" aria-label={sentence}>
          {ticks.map((number) => (
            <p
              key={number}
              style={{ top: `${y(number) * 100}%` }}
              className="absolute inset-x-0 border-t border-line first:border-line-strong"
            >
              <span className="absolute right-full mr-2 -translate-y-1/2">{value(number)}</span>
            </p>
          ))}
          <Lines rows={rows} x={x} y={y} />
          <Ticks rows={rows} tick={tick} x={x} />
        </div>
        <TimelinePointer {...{ rows, label, name, value, at }} onPoint={setAt} />
        {dots.map((index) => (
          <span
            key={index}
            style={{ left: `${x(index) * 100}%`, top: `${y(rows[index]?.value ?? 0) * 100}%` }}
            className="pointer-events-none absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-accent"
          />
        ))}
        {at !== null && pointed && <Pointed row={pointed} left={x(at)} name={name} value={value} />}
      </div>
    </div>
  );
}

interface Scales {
  /** A place on the axis as a share of the width. */
  x(index: number): number;
  /** A value as a share of the height, from the top. */
  y(number: number): number;
}

/** The comparison as dots, the metric above it, its last stretch dashed while it still grows. */
function Lines({ rows, x, y }: { rows: Row[] } & Scales) {
  const fill = useId();
  const pieces = (key: "before" | "whole" | "growing") => stretches(rows.map((row) => row[key]));
  const line = (piece: Stretch) =>
    piece.map(({ index, number }) => `${round(x(index) * WIDE)},${round(y(number) * HIGH)}`).join("L");
  const area = (piece: Stretch) =>
    `M${line(piece)}L${round(x(piece.at(-1)?.index ?? 0) * WIDE)},${HIGH}L${round(x(piece[0]?.index ?? 0) * WIDE)},${HIGH}Z`;
  const drawn = { fill: "none", vectorEffect: "non-scaling-stroke" } as const;
  return (
    <svg
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
      aria-hidden="true"
    >
      <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="var(--accent)" stopOpacity={0.2} />
        <stop offset="1" stopColor="var(--accent)" stopOpacity={0} />
      </linearGradient>
      {pieces("before").map((piece) => (
        <path
          key={piece[0]?.index}
          d={`M${line(piece)}`}
          {...drawn}
          stroke="var(--muted)"
          strokeWidth={1.5}
          strokeDasharray="1.5 4"
          strokeLinecap="round"
        />
      ))}
      {(["whole", "growing"] as const).map((key) =>
        pieces(key).map((piece) => (
          <g key={`${key} ${piece[0]?.index}`}>
            <path d={area(piece)} fill={`url(#${fill})`} fillOpacity={key === "growing" ? 0.5 : 1} />
            <path
              d={`M${line(piece)}`}
              {...drawn}
              stroke="var(--accent)"
              strokeWidth={2}
              strokeLinejoin="round"
              strokeDasharray={key === "growing" ? "5 4" : undefined}
            />
          </g>
        )),
      )}
    </svg>
  );
}

type Stretch = { index: number; number: number }[];

/** The parts of a line between what is unknown. */
function stretches(numbers: (number | null)[]): Stretch[] {
  const found: Stretch[] = [[]];
  for (const [index, number] of numbers.entries()) {
    if (number === null) found.push([]);
    else found.at(-1)?.push({ index, number });
  }
  return found.filter((one) => one.length > 0);
}

const round = (number: number) => Math.round(number * 10) / 10;

const MOST_TICKS = 8;
/** What people count time by: hours of a day, days of a week, months of a year. */
const STEPS = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 56, 72, 96, 168];
const LONG = 9;

/** The names of some buckets under the axis; on a phone every second or third of them. */
function Ticks({ rows, tick, x }: { rows: Row[] } & Pick<Props, "tick"> & Pick<Scales, "x">) {
  const step = STEPS.find((one) => rows.length / one <= MOST_TICKS) ?? Math.ceil(rows.length / MOST_TICKS);
  return rows.map(({ start, label }, index) => {
    if (index % step > 0) return null;
    const text = tick(label);
    const place = index / step;
    const rare = place % (text.length > LONG ? 3 : 2) > 0;
    return (
      <span
        key={start}
        style={{ left: `${x(index) * 100}%` }}
        className={`absolute top-full mt-2 whitespace-nowrap ${x(index) > 0.97 ? "-translate-x-full" : "-translate-x-1/2"} ${rare ? "max-sm:hidden" : ""}`}
      >
        {text}
      </span>
    );
  });
}

/** What stands where somebody points, on the side where there is more room. */
function Pointed({ row, left, name, value }: { row: Row; left: number } & Pick<Props, "name" | "value">) {
  return (
    <div
      aria-hidden="true"
      style={{ left: `${left * 100}%` }}
      className="pointer-events-none absolute inset-y-0 z-10 border-l border-line-strong"
    >
      <div
        className={`card absolute top-1 min-w-44 space-y-1 px-3 py-2 text-sm whitespace-nowrap shadow-lg ${left > 0.5 ? "right-3" : "left-3"}`}
      >
        <p className="flex items-baseline justify-between gap-5">
          <span>{name(row.label)}</span>
          <span className="font-semibold text-ink">{value(row.value)}</span>
        </p>
        {row.beforeLabel && (
          <p className="flex items-baseline justify-between gap-5">
            <span>{name(row.beforeLabel)}</span>
            <span>{value(row.before)}</span>
          </p>
        )}
        {row.note && <p className="text-xs first-letter:uppercase">{row.note}</p>}
      </div>
    </div>
  );
}
