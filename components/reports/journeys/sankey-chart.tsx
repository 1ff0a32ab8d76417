import { type Node, type Path, sankeyOf } from "@/components/reports/journeys/sankey";
import { Sideways } from "@/components/ui/sideways";
import { formatExactly } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";

const COLUMNS = 5;
const MAX_NODES = 6;
const LONGEST_LABEL = 22;

const shorten = (label: string): string =>
  label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;

const FILLS: Record<Node["kind"], string> = {
  step: "fill-accent",
  other: "fill-muted",
  exit: "fill-line-strong",
};

/** Sankey chart of visit paths. It scrolls horizontally on phones; the tables below have the same data. */
export function SankeyChart({ paths, name }: { paths: Path[]; name: string }) {
  const { nodes, streams, width, height } = sankeyOf(paths, { columns: COLUMNS, most: MAX_NODES });
  const first = nodes
    .filter(({ column }) => column === 0)
    .map(({ label, visits }) => `${legiblePath(label)} ${formatExactly(visits)}`);
  return (
    <Sideways className="px-4 pb-4" label={`${name}, chart, scrolls sideways`}>
      <svg
        role="img"
        aria-label={`${name}. Starts: ${first.join(", ")}. See the tables below for all steps.`}
        viewBox={`0 0 ${width} ${height}`}
        // Names keep about the size of other text, however many columns there are.
        style={{ minWidth: width * 0.9, maxWidth: width * 1.25 }}
        className="w-full"
      >
        {streams.map(({ key, from, to, visits, outline }) => (
          <path
            key={key}
            d={outline}
            className={`${to.kind === "exit" ? "fill-muted/15" : "fill-accent/20"} hover:fill-accent/45`}
          >
            <title>{`${legiblePath(from.label)} → ${legiblePath(to.label)}: ${formatExactly(visits)} visits`}</title>
          </path>
        ))}
        {nodes.map((node) => (
          <g key={node.key}>
            <rect x={node.x} y={node.y} width={8} height={node.height} rx={2} className={FILLS[node.kind]}>
              <title>{`${legiblePath(node.label)}: ${formatExactly(node.visits)} visits`}</title>
            </rect>
            <text
              x={node.x}
              y={node.y - 5}
              className={`text-[12px] ${node.kind === "step" ? "fill-ink" : "fill-muted"}`}
            >
              {shorten(legiblePath(node.label))}{" "}
              <tspan className="fill-muted tabular-nums">{formatExactly(node.visits)}</tspan>
            </text>
          </g>
        ))}
      </svg>
    </Sideways>
  );
}
