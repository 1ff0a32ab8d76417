import { add } from "@/lib/analytics/packed/adding";
import { type Chunk, chunksOf } from "@/lib/analytics/packed/chunks";
import { Combinations } from "@/lib/analytics/packed/keys";
import { type Column, FLAGS, type Key } from "@/lib/analytics/packed/layout";
import { columnsFor, type EventTest, type IdFilters, narrow, testedBy } from "@/lib/analytics/packed/narrowing";
import type { Part } from "@/lib/analytics/partials";
import type { Scope } from "@/lib/analytics/question";
import { NOTHING, type Sums } from "@/lib/analytics/sums";

/** Partial sums of packed days. */

/** What is to be added up, and by what. */
export interface Asked {
  by: readonly Key[];
  parts: readonly Part[];
  /** The only sums of these parts that are told; all when not given. */
  sums?: readonly (keyof Sums)[];
  /** Only events that pass any of these count: how many they are, in how many visits, and of how many visitors. */
  of?: readonly EventTest[];
}

/** So many combinations of values are told apart: what has more is left to Postgres, which has room on its disk. */
const MOST_GROUPS = 500_000;
export class TooManyGroups extends Error {}

type Lists = Record<keyof Sums, Float64Array>;
const SUMS = Object.keys(NOTHING) as (keyof Sums)[];

/** The sums of each combination of values. */
export class Tally {
  readonly groups: Combinations;
  readonly parts: readonly Part[];
  readonly of: Asked["of"];
  sums: Lists = lists(64);
  /** Whom and which visit each group has counted last: the visits of a visitor come together, as do the events of a visit. */
  lastVisitor: Int32Array = new Int32Array(64).fill(-1);
  lastVisit: Int32Array = new Int32Array(64).fill(-1);

  constructor(
    { by, parts, of }: Asked,
    readonly most = MOST_GROUPS,
  ) {
    this.groups = new Combinations(by);
    this.parts = parts;
    this.of = of;
  }

  /** The groups of which anything was counted. */
  get counted(): number[] {
    const groups = Array.from({ length: this.groups.size }, (_, group) => group);
    return groups.filter((group) => SUMS.some((name) => this.sums[name][group] !== 0));
  }

  /** @throws TooManyGroups */
  grow(): void {
    const { size } = this.groups;
    if (size > this.most) throw new TooManyGroups();
    if (size <= this.lastVisit.length) return;
    const room = 2 * size;
    const old = this.sums;
    this.sums = lists(room);
    for (const name of SUMS) this.sums[name].set(old[name]);
    this.lastVisitor = grown(this.lastVisitor, room);
    this.lastVisit = grown(this.lastVisit, room);
  }
}

const lists = (room: number) => Object.fromEntries(SUMS.map((name) => [name, new Float64Array(room)])) as Lists;

function grown(list: Int32Array, room: number): Int32Array {
  const longer = new Int32Array(room).fill(-1);
  longer.set(list);
  return longer;
}

/** Counts chunks, one after another. */
export class Counter {
  readonly tallies: Tally[];
  readonly #events: boolean;
  /** So many visitors and visits were in the chunks before. */
  readonly #seen = { visitors: 0, visits: 0 };

  /** @param most so many combinations of values are told apart. */
  constructor(
    readonly scope: Scope,
    readonly filters: IdFilters,
    asked: readonly Asked[],
    most?: number,
  ) {
    this.tallies = asked.map((one) => new Tally(one, most));
    this.#events = this.tallies.some(
      ({ groups, parts, of }) => of || groups.ofEvents || parts.some((part) => part !== "visits"),
    );
  }

  /** The columns that are looked at. */
  get columns(): Column[] {
    return [...new Set([...columnsFor(this.filters, this.#events), ...this.tallies.flatMap(columnsOf)])];
  }

  /** @throws TooManyGroups */
  count(chunk: Chunk): void {
    const { flags } = chunk.columns;
    const visitorOf = new Int32Array(flags.length);
    let { visitors } = this.#seen;
    for (let visit = 0; visit < flags.length; visit++) {
      if ((flags[visit] as number) & FLAGS.newcomer) visitors++;
      visitorOf[visit] = visitors;
    }
    const narrowed = narrow(this.scope, this.filters, chunk, this.#events);
    const known = { ...narrowed, chunk, visitorOf, firstVisit: this.#seen.visits };
    for (const one of this.tallies) add(one, known);
    this.#seen.visitors = visitors;
    this.#seen.visits += flags.length;
  }
}

const columnsOf = ({ groups, parts, of }: Tally): Column[] => [
  ...groups.columns,
  ...(of ? testedBy(of) : columnsOfParts(groups, parts)),
];

const columnsOfParts = (groups: Combinations, parts: readonly Part[]): Column[] => [
  ...(parts.includes("visits") && !groups.ofEvents ? (["duration"] as const) : []),
  ...(parts.includes("events") ? (["engagement"] as const) : []),
  ...(parts.includes("scrolls") ? (["page", "pages", "scroll"] as const) : []),
];

/**
 * Adds up packed days, all that is asked in one pass.
 *
 * @param after told after each chunk; what is added up by then is that of the chunks before it and its own.
 * @throws TooManyGroups
 */
export async function tally(
  scope: Scope,
  filters: IdFilters,
  blocks: readonly number[],
  asked: readonly Asked[],
  after: (block: number, tallies: readonly Tally[]) => void = () => {},
): Promise<Tally[]> {
  const counter = new Counter(scope, filters, asked);
  for await (const chunk of chunksOf(scope.siteId, blocks, counter.columns)) {
    counter.count(chunk);
    after(chunk.block, counter.tallies);
  }
  return counter.tallies;
}

/** What each of these days comes to, without the scroll depth. */
export async function dailySums(
  scope: Scope,
  filters: IdFilters,
  blocks: readonly number[],
): Promise<(Sums & { block: number })[]> {
  const days = new Map(blocks.map((block) => [block, { ...NOTHING }]));
  const before = { ...NOTHING };
  await tally(scope, filters, blocks, [{ by: [], parts: ["visits", "events"] }], (block, [all]) => {
    const day = days.get(block) ?? { ...NOTHING };
    for (const name of SUMS) {
      const now = all?.sums[name][0] ?? 0;
      day[name] += now - before[name];
      before[name] = now;
    }
  });
  return [...days].map(([block, sums]) => ({ block, ...sums }));
}
