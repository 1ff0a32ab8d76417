import { dayNumber } from "@/lib/analytics/buckets";
import type { PackedCover } from "@/lib/analytics/cover";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import type { Chunk } from "@/lib/analytics/packed/chunks";
import { packedDays } from "@/lib/analytics/packed/counters";
import { type Column, DICTIONARY_OF, LATER, OWN, TYPE_BITS, typeTable, widthOf } from "@/lib/analytics/packed/layout";
import { columnsFor, type IdTest, meeting, narrow } from "@/lib/analytics/packed/narrowing";
import type { WayTree } from "@/lib/analytics/packed/way-tree";
import type { Scope } from "@/lib/analytics/question";

/** The ways of visits of packed days: what `waysTable` says in SQL once more. */

export interface PackedWay {
  scope: Scope;
  cover: PackedCover;
  /** What ways begin with, where that is not their first step. */
  began: IdTest | null;
  /** Whether events are steps beside pages. */
  withEvents: boolean;
  mostSteps: number;
}

/** Counts the ways of visits into a tree. @throws TooManyWays */
export async function walk(asked: PackedWay, tree: WayTree): Promise<void> {
  const { scope, cover, began, withEvents } = asked;
  const tests: Column[] = began && began.column !== "traffic" ? [began.column, DICTIONARY_OF[began.column]] : [];
  const steps: Column[] = ["hits", "kind", "page", "pages", ...(withEvents ? (["name", "names"] as const) : [])];
  const columns = new Set<Column>([...columnsFor(cover.packed, false), ...tests, ...steps]);
  const firstBlock = dayNumber(scope.range.from);
  for await (const chunk of packedDays().chunksOf(scope.siteId, cover.blocks[1], [...columns])) {
    const { visits } = narrow(scope.traffic, cover.packed, chunk, false);
    walkChunk(asked, chunk, visits, tree, chunk.block === firstBlock);
  }
}

/** @param isFirst of the range's days: what lies before that does not count. */
function walkChunk(
  { began, withEvents, mostSteps }: PackedWay,
  { columns }: Chunk,
  visits: Int32Array,
  tree: WayTree,
  isFirst: boolean,
): void {
  const { hits, kind, page, name } = columns;
  const pages = stepsOf(columns, "pages", 1, tree);
  const names = withEvents ? stepsOf(columns, "names", -1, tree) : null;
  const met = began && meeting(columns, [began]);
  let [visit, event, begun] = [0, 0, 0];
  for (const chosen of visits) {
    for (; visit < chosen; visit++) event += hits[visit] as number;
    let [node, steps, last, started] = [0, 0, 0, met === null];
    for (const end = event + (hits[chosen] as number); event < end; event++) {
      const one = kind[event] as number;
      if (isFirst && !(one & (OWN | LATER))) continue;
      const type = one & TYPE_BITS;
      const list = IS_VIEW[type] ? pages : IS_NAMED[type] ? names : null;
      const step = list ? (list[(IS_VIEW[type] ? page : name)[event] as number] as number) : 0;
      if (step === 0) continue;
      if (!started && met) {
        while ((met[begun] as number) < event) begun++;
        started = met[begun] === event;
      }
      if (!started || step === last) continue;
      last = step;
      if (steps++ < mostSteps) node = tree.after(node, step);
    }
    visit++;
    if (node !== 0) tree.count(node, steps <= mostSteps, 1);
  }
}

const IS_VIEW = typeTable(VIEWS);
const IS_NAMED = typeTable(NAMED_EVENTS);

/** For each place in a dictionary, the number of its step: the first id of its word, events as negatives. 0 is none. */
function stepsOf(columns: Chunk["columns"], name: "pages" | "names", sign: 1 | -1, tree: WayTree): Int32Array {
  const [dictionary, width] = [columns[name], widthOf(name)];
  const steps = new Int32Array(dictionary.length / width);
  for (let place = 0; place < steps.length; place++) {
    const first = dictionary[place * width + 1] as number;
    if (first !== 0) steps[place] = tree.numberOf(sign * first);
  }
  return steps;
}
