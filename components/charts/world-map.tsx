"use client";

import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { formatExactly, formatShare } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";
import world from "./world.json";

export interface CountryRow {
  /** ISO 3166-1 alpha-2 code. */
  value: string;
  text: string;
  visitors: number;
}

interface Props {
  /** Countries with visitors, most visitors first. */
  rows: readonly CountryRow[];
  /** The countries that the view is filtered by. */
  chosen: readonly string[];
  onChoose(value: string): void;
}

const SHAPES = Object.entries(world.shapes);
const POINTS = Object.entries(world.points as unknown as Record<string, [number, number]>);
const DRAWN = new Set([...SHAPES, ...POINTS].map(([code]) => code));

/**
 * World map of visitors by country. Each country with visitors is a button that filters by it. The map is one tab stop: arrow
 * keys go through the countries by visitors, Home and End to the first and the last.
 */
export default function WorldMap({ rows, chosen, onChoose }: Props) {
  const [pointed, setPointed] = useState<string | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const map = useRef<SVGSVGElement>(null);
  const known = new Map(rows.map((row) => [row.value, row]));
  const total = rows.reduce((sum, { visitors }) => sum + visitors, 0);
  const most = Math.max(1, ...rows.map(({ visitors }) => visitors));
  const drawn = rows.filter(({ value }) => DRAWN.has(value));
  const stop = (drawn.find(({ value }) => value === reached) ?? drawn[0])?.value;
  const named = known.get(pointed ?? "");
  const codeAt = ({ target }: { target: EventTarget }) => (target as SVGElement).dataset.code ?? null;
  const choose = (code: string | null) => code !== null && known.has(code) && onChoose(code);

  function onKeyDown(event: KeyboardEvent) {
    const code = codeAt(event);
    if (event.key === "Enter" || event.key === " ") choose(code);
    else {
      const at = drawn.findIndex(({ value }) => value === code);
      const next = drawn[nextIndex(event.key, at, drawn.length)];
      if (!next) return;
      map.current?.querySelector<SVGElement>(`[data-code="${next.value}"]`)?.focus();
    }
    event.preventDefault();
  }

  const shapeOf = (code: string) => {
    const row = known.get(code);
    const fill = shade((row?.visitors ?? 0) / most);
    if (!row) return { fill, "data-code": code };
    return {
      ...{ fill, "data-code": code, role: "button", tabIndex: code === stop ? 0 : -1 },
      "aria-pressed": chosen.includes(code),
      "aria-label": t("{country}, {count, plural, one {# visitor} other {# visitors}}, {share}", {
        country: row.text,
        count: row.visitors,
        share: formatShare(row.visitors / total),
      }),
      className:
        "cursor-pointer outline-none hover:stroke-ink focus-visible:stroke-ink focus-visible:[stroke-width:2.5] aria-pressed:stroke-ink aria-pressed:[stroke-width:2]",
    };
  };

  return (
    <figure className="w-full">
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset */}
      <svg
        ref={map}
        role="group"
        aria-label={t("World map of visitors. Arrow keys go through the countries, Enter filters.")}
        viewBox={`0 -4 ${world.width} ${world.height + 8}`}
        className="w-full stroke-surface"
        strokeWidth={0.8}
        onPointerOver={(event: PointerEvent) => setPointed(codeAt(event))}
        onPointerLeave={() => setPointed(null)}
        onFocus={(event) => {
          setPointed(codeAt(event));
          setReached(codeAt(event));
        }}
        onBlur={() => setPointed(null)}
        onKeyDown={onKeyDown}
        onClick={(event) => choose(codeAt(event))}
      >
        {SHAPES.map(([code, shape]) => (
          <path key={code} d={shape} {...shapeOf(code)} />
        ))}
        {POINTS.map(
          ([code, [x, y]]) => known.has(code) && <circle key={code} cx={x} cy={y} r={5} {...shapeOf(code)} />,
        )}
      </svg>
      <figcaption aria-hidden="true" className="mt-1 h-5 truncate text-center text-sm text-muted tabular-nums">
        {named ? (
          <>
            <span className="font-medium text-ink">{named.text}</span> {formatExactly(named.visitors)} ·{" "}
            {formatShare(named.visitors / total)}
          </>
        ) : (
          rows.length > 0 && t("{count, plural, one {# country} other {# countries}}", { count: rows.length })
        )}
      </figcaption>
    </figure>
  );
}

/** Returns which of so many countries a key leads to; -1 for other keys. */
function nextIndex(key: string, at: number, length: number): number {
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  return step === undefined ? -1 : (at + step + length) % length;
}

/** Returns the fill of a country. It scales with the square root, so that countries with few visitors stay visible. */
const shade = (share: number): string =>
  share === 0
    ? "var(--line)"
    : `color-mix(in oklab, var(--accent) ${Math.round(18 + 82 * Math.sqrt(share))}%, var(--line))`;
