/** Layout of a Sankey chart of visit paths: one column per step. Pure functions; lengths are in SVG user units. */

export interface Path {
  steps: { kind: "page" | "event" | "exit" | "other"; value: string | null }[];
  visits: number;
  /** Whether the visits ended after the last step. */
  ended: boolean;
}

export interface Node {
  key: string;
  column: number;
  label: string;
  kind: "step" | "other" | "exit";
  visits: number;
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
const NODE_WIDTH = 8;
const GAP = 22;
const STREAM_HEIGHT = 260;
const TOP = 18;
const EXIT = "exit";
const OTHER = "other";

interface Bounds {
  /** Number of steps to draw. */
  columns: number;
  /** Maximum nodes per column; the others are merged into one. */
  most: number;
}

/** Lays out the most frequent paths. Visits that end within the columns flow to an exit node. */
export function sankeyOf(paths: readonly Path[], { columns, most }: Bounds): Sankey {
  const known = paths.filter(({ steps }) => steps[0]?.kind !== "other");
  const shown = Array.from({ length: columns }, (_, column) => largest(known, column, most));
  const routes = known.map((path) => ({ visits: path.visits, places: placesOf(path, shown) }));
  const nodes = layNodes(routes, columns);
  return {
    nodes: [...nodes.values()],
    streams: layStreams(routes, nodes),
    // The last column needs space for its labels.
    width: Math.max(0, ...[...nodes.values()].map(({ x }) => x)) + COLUMN_WIDTH,
    height: Math.max(0, ...[...nodes.values()].map(({ y, height }) => y + height)) + 8,
  };
}

interface Route {
  visits: number;
  /** Node key in each column, up to the exit. */
  places: string[];
}

/** Returns the node key of a step. The prefix separates pages and events from "exit" and "other". */
const placeOf = ({ kind, value }: Path["steps"][number]): string => `${kind === "event" ? "e" : "p"}:${value ?? ""}`;

function largest(paths: readonly Path[], column: number, most: number): Set<string> {
  const visits = new Map<string, number>();
  for (const path of paths) {
    const step = path.steps[column];
    if (step) visits.set(placeOf(step), (visits.get(placeOf(step)) ?? 0) + path.visits);
  }
  const sorted = [...visits].sort(([, a], [, b]) => b - a).map(([place]) => place);
  return new Set(sorted.slice(0, most));
}

function placesOf({ steps, ended }: Path, shown: Set<string>[]): string[] {
  const places = shown.flatMap((known, column) => {
    const step = steps[column];
    if (!step) return [];
    const place = placeOf(step);
    return [known.has(place) ? place : OTHER];
  });
  return ended && places.length < shown.length ? [...places, EXIT] : places;
}

function layNodes(routes: readonly Route[], columns: number): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const total = routes.reduce((sum, { visits }) => sum + visits, 0);
  for (let column = 0; column < columns; column++) {
    const visits = new Map<string, number>();
    for (const route of routes) {
      const place = route.places[column];
      if (place !== undefined) visits.set(place, (visits.get(place) ?? 0) + route.visits);
    }
    let y = TOP;
    for (const [place, count] of [...visits].sort(byRank)) {
      const height = Math.max(2, (count / total) * STREAM_HEIGHT);
      nodes.set(`${column} ${place}`, {
        key: `${column} ${place}`,
        column,
        visits: count,
        x: column * COLUMN_WIDTH,
        y,
        height,
        label: place === EXIT ? "Exit" : place === OTHER ? "Other steps" : place.slice(2) || "Unknown page",
        kind: place === EXIT ? "exit" : place === OTHER ? "other" : "step",
      });
      y += height + GAP;
    }
  }
  return nodes;
}

/** Sorts nodes: largest first, then the merged node, then the exit. */
function byRank([a, visitsA]: [string, number], [b, visitsB]: [string, number]): number {
  const rank = (place: string) => [OTHER, EXIT].indexOf(place);
  return rank(a) - rank(b) || visitsB - visitsA || a.localeCompare(b, "en");
}

function layStreams(routes: readonly Route[], nodes: Map<string, Node>): Stream[] {
  const streams = new Map<string, { from: Node; to: Node; visits: number }>();
  for (const { places, visits } of routes) {
    for (let column = 0; column + 1 < places.length; column++) {
      const from = nodes.get(`${column} ${places[column]}`);
      const to = nodes.get(`${column + 1} ${places[column + 1]}`);
      if (!from || !to) continue;
      const key = `${from.key} > ${to.key}`;
      streams.set(key, { from, to, visits: (streams.get(key)?.visits ?? 0) + visits });
    }
  }
  // Sorted from top to bottom on both sides, so that the streams of a node do not cross.
  const sorted = [...streams].sort(([, a], [, b]) => a.from.x - b.from.x || a.from.y - b.from.y || a.to.y - b.to.y);
  const used = new Map<Node, { out: number; in: number }>();
  const taken = (node: Node) => used.get(node) ?? { out: 0, in: 0 };
  return sorted.map(([key, { from, to, visits }]) => {
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
