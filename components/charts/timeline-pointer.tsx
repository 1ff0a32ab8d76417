"use client";

import type { KeyboardEvent, PointerEvent } from "react";
import { pointSentence, type Row } from "@/components/charts/timeline-rows";

interface Props {
  rows: Row[];
  /** What the rows are of. */
  label: string;
  name: (label: string) => string;
  value: (value: number | null) => string;
  /** The row that is pointed at. */
  at: number | null;
  onPoint(at: number | null): void;
}

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * The room over the drawing in which rows are pointed at: by mouse, finger or key. To a screen reader it is a slider, of
 * which each place has its words.
 */
export function TimelinePointer({ rows, label, name, value, at, onPoint }: Props) {
  const end = rows.length - 1;
  const latest = rows.findLastIndex((row) => row.value !== null);
  const now = Math.min(at ?? Math.max(0, latest), end);
  const row = rows[now];
  if (!row) return null;

  function point(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    onPoint(Math.round(share * end));
  }
  function press(event: KeyboardEvent) {
    const step = STEPS[event.key];
    const closes = event.key === "Escape" && at !== null;
    if ((step === undefined && !closes) || event.ctrlKey || event.metaKey || event.altKey) return;
    // What the page does at Escape waits for the next one.
    event.preventDefault();
    onPoint(step === undefined ? null : Math.min(end, Math.max(0, now + step)));
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}, point by point`}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={now}
      aria-valuetext={pointSentence(row, { name, value })}
      className="absolute inset-0 touch-pan-y rounded-sm"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={({ currentTarget }) => !byKey(currentTarget) && onPoint(null)}
      onFocus={({ currentTarget }) => byKey(currentTarget) && onPoint(now)}
      onBlur={() => onPoint(null)}
      onKeyDown={press}
    />
  );
}

/** Whether keys are what it is used with, and not a mouse that came and goes. */
const byKey = (element: Element): boolean => element.matches(":focus-visible");
