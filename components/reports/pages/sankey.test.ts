import { expect, test } from "vitest";
import { type Path, sankeyOf } from "@/components/reports/pages/sankey";

const path = (visits: number, ...pages: string[]): Path => ({
  steps: pages.map((value) => ({ kind: "page", value })),
  visits,
  ended: true,
});
const told = (paths: Path[], most = 5) => {
  const { nodes, streams } = sankeyOf(paths, { columns: 3, most });
  return {
    nodes: nodes.map(({ column, label, visits }) => `${column} ${label} ${visits}`),
    streams: streams.map(({ from, to, visits }) => `${from.label} > ${to.label} ${visits}`),
  };
};

test("visits flow from step to step, and those whose visit ended flow to an exit at the bottom", () => {
  expect(told([path(5, "/", "/a", "/b"), path(3, "/", "/b"), path(9, "/")])).toEqual({
    nodes: ["0 / 17", "1 /a 5", "1 /b 3", "1 Left 9", "2 /b 5", "2 Left 3"],
    streams: ["/ > /a 5", "/ > /b 3", "/ > Left 9", "/a > /b 5", "/b > Left 3"],
  });
});

test("places beyond the largest are one, and events are not taken for pages of their name", () => {
  const event: Path = { steps: [{ kind: "event", value: "/" }], visits: 2, ended: true };
  expect(told([path(4, "/"), event, path(1, "/c"), path(1, "/d")], 2).nodes).toEqual([
    "0 / 4",
    "0 / 2",
    "0 Other places 2",
    "1 Left 8",
  ]);
});

test("a page called as our own words are is told apart from them", () => {
  expect(told([path(2, "exit"), path(1, "other")], 1).nodes).toEqual(["0 exit 2", "0 Other places 1", "1 Left 3"]);
});

test("what goes into and out of a place is never wider than it, and nothing reaches past the drawing", () => {
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

test("no paths, or only the sum of rare ones, draw nothing", () => {
  const rest: Path = { steps: [{ kind: "other", value: null }], visits: 7, ended: false };
  expect(told([])).toEqual({ nodes: [], streams: [] });
  expect(told([rest])).toEqual({ nodes: [], streams: [] });
});
