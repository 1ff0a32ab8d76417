"use client";

import { type PointerEvent, useState } from "react";
import { formatExactly, formatShare } from "@/lib/contract/numbers";
import world from "./world.json";

export interface CountryRow {
  /** ISO 3166-1 alpha-2 code. */
  value: string;
  text: string;
  visitors: number;
}

interface Props {
  rows: readonly CountryRow[];
  onChoose(value: string): void;
}

const SHAPES = Object.entries(world.shapes);
const POINTS = Object.entries(world.points as unknown as Record<string, [number, number]>);

/**
 * World map of visitors by country; a click selects a country. It works with a pointer only: the country list next to
 * it has the same data and is accessible.
 */
export default function WorldMap({ rows, onChoose }: Props) {
  const [pointed, setPointed] = useState<string | null>(null);
  const known = new Map(rows.map((row) => [row.value, row]));
  const total = rows.reduce((sum, { visitors }) => sum + visitors, 0);
  const most = Math.max(1, ...rows.map(({ visitors }) => visitors));
  const fillOf = (code: string) => shade((known.get(code)?.visitors ?? 0) / most);
  const named = known.get(pointed ?? "");
  const codeAt = ({ target }: { target: EventTarget }) => (target as SVGElement).dataset.code ?? null;
  return (
    <figure className="w-full">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the country list does the same by keyboard */}
      <svg
        role="img"
        aria-label={`Visitors by country. ${rows.slice(0, 3).map(inWords).join(", ")}. See the country list for all.`}
        viewBox={`0 -4 ${world.width} ${world.height + 8}`}
        className="w-full stroke-surface"
        strokeWidth={0.8}
        onPointerOver={(event: PointerEvent) => setPointed(codeAt(event))}
        onPointerLeave={() => setPointed(null)}
        onClick={(event) => {
          const code = codeAt(event);
          if (code && known.has(code)) onChoose(code);
        }}
      >
        {SHAPES.map(([code, shape]) => (
          <path key={code} d={shape} data-code={code} fill={fillOf(code)} className={lookOf(known.has(code))} />
        ))}
        {POINTS.map(
          ([code, [x, y]]) =>
            known.has(code) && (
              <circle key={code} cx={x} cy={y} r={5} data-code={code} fill={fillOf(code)} className={lookOf(true)} />
            ),
        )}
      </svg>
      <figcaption aria-hidden="true" className="mt-1 h-5 truncate text-center text-sm text-muted tabular-nums">
        {named ? (
          <>
            <span className="font-medium text-ink">{named.text}</span> {formatExactly(named.visitors)} ·{" "}
            {formatShare(named.visitors / total)}
          </>
        ) : (
          rows.length > 0 && `${formatExactly(rows.length)} ${rows.length === 1 ? "country" : "countries"}`
        )}
      </figcaption>
    </figure>
  );
}

const inWords = ({ text, visitors }: CountryRow) => `${text} ${formatExactly(visitors)}`;

const lookOf = (isKnown: boolean) => (isKnown ? "cursor-pointer hover:stroke-ink" : "");

/** Returns the fill of a country. It scales with the square root, so that countries with few visitors stay visible. */
const shade = (share: number): string =>
  share === 0
    ? "var(--line)"
    : `color-mix(in oklab, var(--accent) ${Math.round(18 + 82 * Math.sqrt(share))}%, var(--line))`;
