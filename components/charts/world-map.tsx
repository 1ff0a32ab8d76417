"use client";

import { type PointerEvent, useState } from "react";
import { formatExactly, formatShare } from "@/components/ui/format";
import world from "./world.json";

export interface CountryRow {
  /** ISO 3166-1, two letters. */
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
 * Countries by visitors, the darker the more; a press on one chooses it. For the pointer alone: the list of countries
 * beside it says the same, and is there for everybody else.
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
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of countries does the same by keyboard */}
      <svg
        role="img"
        aria-label={`Visitors by country. ${rows.slice(0, 3).map(inWords).join(", ")}. The list of countries tells all.`}
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

/** By the square root of its share of the most: few countries have nearly all visitors, and the others should be seen too. */
const shade = (share: number): string =>
  share === 0
    ? "var(--line)"
    : `color-mix(in oklab, var(--accent) ${Math.round(18 + 82 * Math.sqrt(share))}%, var(--line))`;
