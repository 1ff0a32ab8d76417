"use client";

import { useState } from "react";
import { type Flow, NODE_WIDTH, type Node, sankeyOf, TOP } from "@/components/reports/journeys/sankey";
import { filteredBy } from "@/components/reports/row-filter";
import { ViewLink } from "@/components/reports/view-frame";
import { Sideways } from "@/components/ui/sideways";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

const FILLS: Record<Node["kind"], string> = {
  page: "fill-accent",
  event: "fill-accent",
  other: "fill-muted",
  exit: "fill-line-strong",
};

/** Classes of streams: while no node is chosen, of the chosen node, and of others. */
const STREAMS = {
  step: { plain: "fill-accent/20 hover:fill-accent/45", chosen: "fill-accent/50", other: "fill-accent/8" },
  exit: { plain: "fill-muted/15 hover:fill-muted/40", chosen: "fill-muted/50", other: "fill-muted/8" },
};

const nameOf = ({ kind, value }: Flow["from"]): string => {
  if (kind === "exit") return t("Exit");
  if (kind === "other") return t("Other steps");
  return legiblePath(value ?? "") || t("Unknown page");
};

const visitsText = (name: string, count: number): string =>
  t("{name}: {count, plural, one {# visit} other {# visits}}", { name, count });

interface Props {
  flows: readonly Flow[];
  name: string;
  /** The `meta` of the answer. */
  meta: { filters: object };
  /** Whether the reader may choose another start. */
  startsAnywhere: boolean;
}

/**
 * Sankey chart of all visits through their first steps. A chosen node shows its streams, and links to start there or
 * to keep only the visits with it. It scrolls horizontally on phones; the tables below have the paths.
 */
export function SankeyChart({ flows, name, meta, startsAnywhere }: Props) {
  const { nodes, streams, width, height } = sankeyOf(flows);
  const [key, choose] = useState<string | null>(null);
  const chosen = nodes.find((node) => node.key === key) ?? null;
  const lookOf = (from: Node, to: Node) => {
    const look = STREAMS[to.kind === "exit" ? "exit" : "step"];
    if (!chosen) return look.plain;
    return from === chosen || to === chosen ? look.chosen : look.other;
  };
  return (
    <>
      <Chosen node={chosen} meta={meta} startsAnywhere={startsAnywhere} onClose={() => choose(null)} />
      <Sideways className="px-4 pb-4" label={t("{name}, chart, scrolls sideways", { name })}>
        <fieldset
          aria-label={t("{name} by step", { name })}
          className="relative"
          // Names keep the size of other text, however many columns there are.
          style={{ minWidth: width * 0.9, maxWidth: width * 1.25, aspectRatio: `${width} / ${height}` }}
        >
          <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} className="absolute inset-0 size-full">
            {streams.map(({ key: stream, from, to, visits, outline }) => (
              <path key={stream} d={outline} className={lookOf(from, to)}>
                <title>{visitsText(`${nameOf(from)} → ${nameOf(to)}`, visits)}</title>
              </path>
            ))}
            {nodes.map(({ key: node, kind, ...at }) => (
              <rect key={node} x={at.x} y={at.y} width={NODE_WIDTH} height={at.height} rx={2} className={FILLS[kind]} />
            ))}
          </svg>
          {nodes.map((node) => (
            <NodeButton
              key={node.key}
              node={node}
              size={{ width, height }}
              pressed={node === chosen}
              onPress={() => choose(node === chosen ? null : node.key)}
            />
          ))}
        </fieldset>
      </Sideways>
    </>
  );
}

interface NodeButtonProps {
  node: Node;
  size: { width: number; height: number };
  pressed: boolean;
  onPress(): void;
}

/** The name and the bar of a node, as one button over the drawing. */
function NodeButton({ node, size, pressed, onPress }: NodeButtonProps) {
  const percent = (length: number, whole: number) => `${(length / whole) * 100}%`;
  const isStep = node.kind === "page" || node.kind === "event";
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      aria-label={visitsText(t("Step {number}, {name}", { number: node.step, name: nameOf(node) }), node.visits)}
      title={visitsText(nameOf(node), node.visits)}
      style={{
        left: percent(node.x, size.width),
        top: percent(node.y - TOP, size.height),
        height: percent(TOP + node.height, size.height),
        maxWidth: percent(205, size.width),
      }}
      className={`absolute flex items-start gap-1 rounded-sm pt-1 pr-1 text-left text-xs hover:underline aria-pressed:font-semibold aria-pressed:text-accent ${isStep ? "text-ink" : "text-muted"}`}
    >
      <span dir="auto" className="truncate leading-4">
        {nameOf(node)}
      </span>
      <span className="leading-4 text-muted tabular-nums">{formatExactly(node.visits)}</span>
    </button>
  );
}

interface ChosenProps extends Pick<Props, "meta" | "startsAnywhere"> {
  node: Node | null;
  onClose(): void;
}

/** What a chosen node says, and where it leads. Its height is fixed. */
function Chosen({ node, meta, startsAnywhere, onClose }: ChosenProps) {
  const isStep = node?.kind === "page" || node?.kind === "event";
  const link = "font-medium text-accent hover:underline";
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 px-4 pb-2 text-sm text-muted">
      <p aria-live="polite" className="min-w-0 tabular-nums [overflow-wrap:anywhere]">
        {node === null
          ? startsAnywhere
            ? t("Choose a step to follow it, to start there, or to keep only its visits.")
            : t("Choose a step to follow it.")
          : sentenceOf(node)}
      </p>
      {node !== null && isStep && (
        <>
          {startsAnywhere && (
            <ViewLink patch={{ start: node.kind === "event" ? `event:${node.value}` : node.value }} className={link}>
              {t("Start here")}
            </ViewLink>
          )}
          <ViewLink patch={filteredBy(meta, { [node.kind]: node.value })} className={link} plain="hidden">
            {t("Only visits with it")}
          </ViewLink>
        </>
      )}
      {node !== null && (
        <button type="button" onClick={onClose} className="rounded-md px-1 text-muted hover:text-ink">
          {t("Clear")}
        </button>
      )}
    </div>
  );
}

function sentenceOf(node: Node): string {
  const { step, kind, visits, exits } = node;
  if (kind === "exit") {
    return t("{count, plural, one {# visit} other {# visits}} ended after step {number}.", {
      count: visits,
      number: step - 1,
    });
  }
  const name = kind === "other" ? t("The rarer places of this step together") : nameOf(node);
  const known = { number: step, name, count: visits };
  if (exits === null || visits === 0) {
    return t("Step {number}, {name}: {count, plural, one {# visit} other {# visits}}.", known);
  }
  return t("Step {number}, {name}: {count, plural, one {# visit} other {# visits}}; {share} of these ended there.", {
    ...known,
    share: formatPercent(exits / visits),
  });
}
