/** Layout of a Sankey chart of visit paths: one column per step. Pure functions; lengths are in SVG user units. */

interface Place {
  kind: "page" | "event" | "exit" | "other";
  value: string | null;
}

/** Visits that went from a step to the next one, or out. */
export interface Flow {
  /** The step, from 1. */
  step: number;
  from: Place;
  to: Place;
  visits: number;
}

export interface Node extends Place {
  key: string;
  /** The step, from 1. */
  step: number;
  visits: number;
  /** Of these, the visits that ended here; null at the last step, where it is not known. */
  exits: number | null;
  x: number;
  y: number;
  height: number;
}

interface Stream {
  key: string;
  from: Node;
  to: Node;
  visits: number;
  /** SVG path data of the outline. */
  outline: string;
}

export interface Sankey {
  nodes: Node[];
  streams: Stream[];
  width: number;
  height: number;
}

const COLUMN_WIDTH = 220;
export const NODE_WIDTH = 8;
const GAP = 26;
const STREAM_HEIGHT = 260;
/** Space for the label above a node, which is part of its button. */
export const TOP = 24;

/** Lays out all flows, from top to bottom: the largest places, all other ones, exits. */
export function sankeyOf(flows: readonly Flow[]): Sankey {
  const nodes = layNodes(flows);
  const all = [...nodes.values()];
  return {
    nodes: all,
    streams: layStreams(flows, nodes),
    // The last column needs space for its labels.
    width: Math.max(0, ...all.map(({ x }) => x)) + COLUMN_WIDTH,
    height: Math.max(0, ...all.map(({ y, height }) => y + height)) + 8,
  };
}

const keyOf = (step: number, { kind, value }: Place): string => `${step} ${kind} ${value ?? ""}`;

function layNodes(flows: readonly Flow[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const add = (step: number, place: Place, visits: number, exits: number | null) => {
    const key = keyOf(step, place);
    const known = nodes.get(key);
    const sum = { visits: visits + (known?.visits ?? 0), exits: exits === null ? null : exits + (known?.exits ?? 0) };
    nodes.set(key, { ...place, key, step, ...sum, x: (step - 1) * COLUMN_WIDTH, y: 0, height: 0 });
  };
  const last = Math.max(0, ...flows.map(({ step }) => step)) + 1;
  for (const { step, from, to, visits } of flows) {
    add(step, from, visits, to.kind === "exit" ? visits : 0);
    // The visits of a step within the columns are those of the flows that leave it.
    if (to.kind === "exit" || step + 1 === last) add(step + 1, to, visits, null);
  }
  const total = flows.reduce((sum, { step, visits }) => sum + (step === 1 ? visits : 0), 0);
  for (let step = 1; step <= last; step++) {
    let y = TOP;
    for (const node of [...nodes.values()].filter((one) => one.step === step).sort(byRank)) {
      node.y = y;
      node.height = Math.max(2, (node.visits / total) * STREAM_HEIGHT);
      y += node.height + GAP;
    }
  }
  return nodes;
}

/** Sorts nodes: largest first, then all other places, then the exit. */
function byRank(a: Node, b: Node): number {
  const rank = ({ kind }: Node) => ["other", "exit"].indexOf(kind);
  return rank(a) - rank(b) || b.visits - a.visits || a.key.localeCompare(b.key, "en");
}

function layStreams(flows: readonly Flow[], nodes: ReadonlyMap<string, Node>): Stream[] {
  const streams = flows.flatMap(({ step, from, to, visits }) => {
    const ends = [nodes.get(keyOf(step, from)), nodes.get(keyOf(step + 1, to))];
    const [start, end] = ends;
    return start && end ? [{ key: `${start.key} > ${end.key}`, from: start, to: end, visits }] : [];
  });
  // Sorted from top to bottom on both sides, so that the streams of a node do not cross.
  streams.sort((a, b) => a.from.x - b.from.x || a.from.y - b.from.y || a.to.y - b.to.y);
  const used = new Map<Node, { out: number; in: number }>();
  const taken = (node: Node) => used.get(node) ?? { out: 0, in: 0 };
  return streams.map(({ key, from, to, visits }) => {
    const width = (visits / from.visits) * from.height;
    const into = (visits / to.visits) * to.height;
    const [y1, y2] = [from.y + taken(from).out, to.y + taken(to).in];
    used.set(from, { ...taken(from), out: taken(from).out + width });
    used.set(to, { ...taken(to), in: taken(to).in + into });
    return { key, from, to, visits, outline: outlineOf(from.x + NODE_WIDTH, y1, width, to.x, y2, into) };
  });
}

const round = (length: number): number => Math.round(length * 10) / 10;

function outlineOf(x1: number, y1: number, width: number, x2: number, y2: number, into: number): string {
  const middle = round((x1 + x2) / 2);
  const [a, b, c, d] = [y1, y2, y2 + into, y1 + width].map(round);
  return `M${x1} ${a}C${middle} ${a} ${middle} ${b} ${x2} ${b}V${c}C${middle} ${c} ${middle} ${d} ${x1} ${d}Z`;
}
