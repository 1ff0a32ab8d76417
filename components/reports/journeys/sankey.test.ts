import { expect, test } from "vitest";
import { type Path, sankeyOf } from "@/components/reports/journeys/sankey";

const path = (visits: number, ...pages: string[]): Path => ({
  steps: pages.map((value) => ({ kind: "page", value })),
  visits,
  ended: true,
});
const draw = (paths: Path[], most = 5) => {
  const { nodes, streams } = sankeyOf(paths, { columns: 3, most });
  return {
    nodes: nodes.map(({ column, label, visits }) => `${column} ${label} ${visits}`),
    streams: streams.map(({ from, to, visits }) => `${from.label} > ${to.label} ${visits}`),
  };
};

test("visits flow from step to step, and ended visits flow to an exit at the bottom", () => {
  expect(draw([path(5, "/", "/a", "/b"), path(3, "/", "/b"), path(9, "/")])).toEqual({
    nodes: ["0 / 17", "1 /a 5", "1 /b 3", "1 Exit 9", "2 /b 5", "2 Exit 3"],
    streams: ["/ > /a 5", "/ > /b 3", "/ > Exit 9", "/a > /b 5", "/b > Exit 3"],
  });
});

test("nodes beyond the largest are merged, and an event is not confused with a page of the same name", () => {
  const event: Path = { steps: [{ kind: "event", value: "/" }], visits: 2, ended: true };
  expect(draw([path(4, "/"), event, path(1, "/c"), path(1, "/d")], 2).nodes).toEqual([
    "0 / 4",
    "0 / 2",
    "0 Other steps 2",
    "1 Exit 8",
  ]);
});

test("a page named like an internal key is a separate node", () => {
  expect(draw([path(2, "exit"), path(1, "other")], 1).nodes).toEqual(["0 exit 2", "0 Other steps 1", "1 Exit 3"]);
});

test("streams are never larger than their nodes, and nothing exceeds the height", () => {
  const { nodes, streams, height } = sankeyOf([path(5, "/", "/a", "/b"), path(3, "/", "/b"), path(1, "/x", "/a")], {
    columns: 3,
    most: 5,
  });
  for (const node of nodes) {
    const sum = (side: "from" | "to") =>
      streams.filter((stream) => stream[side] === node).reduce((all, { visits }) => all + visits, 0);
    expect(sum("from")).toBeLessThanOrEqual(node.visits);
    expect(sum("to")).toBeLessThanOrEqual(node.visits);
    expect(node.y + node.height).toBeLessThanOrEqual(height);
  }
});

test("no paths, or only the sum of rare paths, draw nothing", () => {
  const rest: Path = { steps: [{ kind: "other", value: null }], visits: 7, ended: false };
  expect(draw([])).toEqual({ nodes: [], streams: [] });
  expect(draw([rest])).toEqual({ nodes: [], streams: [] });
});
