import { expect, test } from "vitest";
import { type Flow, sankeyOf } from "@/components/reports/journeys/sankey";

const placeOf = (text: string): Flow["from"] =>
  text === "exit" || text === "other" ? { kind: text, value: null } : { kind: "page", value: text };
const flow = (step: number, from: string, to: string, visits: number): Flow => ({
  step,
  from: placeOf(from),
  to: placeOf(to),
  visits,
});

const FLOWS = [
  flow(1, "/", "/a", 5),
  flow(1, "/", "exit", 9),
  flow(1, "other", "/b", 3),
  flow(2, "/a", "/b", 4),
  flow(2, "/a", "exit", 1),
  flow(2, "/b", "other", 3),
];

test("every visit is in the chart: the nodes of the first step, and exits at the bottom of each next one", () => {
  const { nodes, streams } = sankeyOf(FLOWS);
  expect(
    nodes
      .sort((a, b) => a.step - b.step || a.y - b.y)
      .map(({ step, kind, value, visits, exits }) => [step, value ?? kind, visits, exits]),
  ).toEqual([
    [1, "/", 14, 9],
    [1, "other", 3, 0],
    [2, "/a", 5, 1],
    [2, "/b", 3, 0],
    [2, "exit", 9, null],
    [3, "/b", 4, null],
    [3, "other", 3, null],
    [3, "exit", 1, null],
  ]);
  expect(streams).toHaveLength(FLOWS.length);
});

test("a page named like an internal key is a node of its own", () => {
  const { nodes } = sankeyOf([
    flow(1, "/", "exit", 1),
    { ...flow(1, "/", "", 1), to: { kind: "page", value: "exit" } },
  ]);
  expect(nodes.map(({ kind, value }) => [kind, value])).toContainEqual(["page", "exit"]);
  expect(nodes).toHaveLength(3);
});

test("streams are as large as the nodes that they leave, and nothing exceeds the height", () => {
  const { nodes, streams, height } = sankeyOf(FLOWS);
  for (const node of nodes) {
    const sum = (side: "from" | "to") =>
      streams.filter((stream) => stream[side] === node).reduce((all, { visits }) => all + visits, 0);
    if (node.exits !== null) expect(sum("from")).toBe(node.visits);
    expect(sum("to")).toBeLessThanOrEqual(node.visits);
    expect(node.y + node.height).toBeLessThanOrEqual(height);
  }
});

test("no flows draw nothing", () => {
  expect(sankeyOf([])).toMatchObject({ nodes: [], streams: [] });
});
