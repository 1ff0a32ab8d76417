import { add } from "@/lib/analytics/packed/adding";
import type { Chunk } from "@/lib/analytics/packed/chunks";
import { Combinations } from "@/lib/analytics/packed/keys";
import { type Column, FLAGS, type Key } from "@/lib/analytics/packed/layout";
import { LoneVisits } from "@/lib/analytics/packed/lone-visits";
import { columnsFor, type EventTest, type IdFilters, narrow, testedBy } from "@/lib/analytics/packed/narrowing";
import type { Part } from "@/lib/analytics/partials";
import { NOTHING, type Sums } from "@/lib/analytics/sums";
import { Refusal } from "@/lib/contract/errors";
import type { Traffic } from "@/lib/contract/vocabulary";

/** Partial sums of packed days. */

/** What is to be added up, and by what. */
export interface Asked {
  by: readonly Key[];
  parts: readonly Part[];
  /** The only sums of these parts that are told; all when not given. */
  sums?: readonly (keyof Sums)[];
  /** Only events that pass any of these count: how many they are, in how many visits, and of how many visitors. */
  of?: readonly EventTest[];
  /** Only visits count that hold an event which passes any of these, on whichever day it happened. */
  holding?: readonly EventTest[] | undefined;
}

/** So many combinations of values are told apart: what has more is left to Postgres, which has room on its disk. */
const MOST_GROUPS = 500_000;

/** A refusal, so that a report without another way to count tells its caller what to do. */
export class TooManyGroups extends Refusal {
  override readonly name = "TooManyGroups";

  /** Threads of the server count for pages, which have their own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Refusal && value.name === "TooManyGroups";
  }

  constructor() {
    super(
      "unavailable",
      "This report has too many different values to count; ask for a shorter range, fewer dimensions or a narrower filter.",
      undefined,
      10,
    );
  }
}

/** Sums of combinations of values. */
export interface Counts {
  /** How many combinations there are; each has a place in these lists. */
  size: number;
  /** Of each dimension, the first id of the word. */
  values: Int32Array[];
  sums: Record<keyof Sums, Float64Array>;
}

type Lists = Counts["sums"];
export const SUMS = Object.keys(NOTHING) as (keyof Sums)[];
/** A list for each of the sums. */
export const mapSums = (list: (name: keyof Sums) => Float64Array): Lists =>
  Object.fromEntries(SUMS.map((name) => [name, list(name)])) as Lists;

/** The sums of each combination of values. */
export class Tally {
  readonly groups: Combinations;
  readonly parts: readonly Part[];
  readonly of: Asked["of"];
  readonly holding: Asked["holding"];
  /** Of visits, only how many they are and of how many visitors is told. */
  readonly onlyCounts: boolean;
  sums: Lists = lists(64);
  /** Whom and which visit each group has counted last: the visits of a visitor come together, as do the events of a visit. */
  lastVisitor: Int32Array = new Int32Array(64).fill(-1);
  lastVisit: Int32Array = new Int32Array(64).fill(-1);

  constructor(
    { by, parts, sums, of, holding }: Asked,
    readonly most = MOST_GROUPS,
  ) {
    this.groups = new Combinations(by);
    this.parts = parts;
    this.of = of;
    this.holding = holding;
    this.onlyCounts = sums !== undefined && !sums.includes("bounces") && !sums.includes("durationMs");
  }

  /** The combinations of which anything was counted. */
  get counts(): Counts {
    const all = Array.from({ length: this.groups.size }, (_, group) => group);
    const counted = all.filter((group) => SUMS.some((name) => this.sums[name][group] !== 0));
    const values = counted.map((group) => this.groups.valuesOf(group));
    return {
      size: counted.length,
      values: this.groups.by.map((_, index) => Int32Array.from(values, (one) => one[index] as number)),
      sums: mapSums((name) => Float64Array.from(counted, (group) => this.sums[name][group] as number)),
    };
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

const lists = (room: number) => mapSums(() => new Float64Array(room));

function grown(list: Int32Array, room: number): Int32Array {
  const longer = new Int32Array(room).fill(-1);
  longer.set(list);
  return longer;
}

/** The number of the visitor of what has none; those of visitors begin with 1. */
export const NO_VISITOR = 0;

/** Counts chunks, one after another. */
export class Counter {
  readonly tallies: Tally[];
  readonly #events: boolean;
  /** Whose each visit of a chunk is; used again for the next one. */
  #visitorOf = new Int32Array(0);
  /** So many visitors and visits were in the chunks before. */
  readonly #seen = { visitors: 0, visits: 0 };

  /** @param most so many combinations of values are told apart. */
  constructor(
    readonly traffic: Traffic,
    readonly filters: IdFilters,
    asked: readonly Asked[],
    most?: number,
  ) {
    this.tallies = asked.map((one) => new Tally(one, most));
    this.#events = this.tallies.some(
      ({ groups, parts, of, holding }) => of || holding || groups.ofEvents || parts.some((part) => part !== "visits"),
    );
  }

  /** The columns that are looked at. */
  get columns(): Column[] {
    return [...new Set([...columnsFor(this.filters, this.#events), ...this.tallies.flatMap(columnsOf)])];
  }

  /** @throws TooManyGroups */
  count(chunk: Chunk): void {
    const { flags } = chunk.columns;
    if (this.#visitorOf.length < flags.length) this.#visitorOf = new Int32Array(2 * flags.length);
    const visitorOf = this.#visitorOf;
    let { visitors } = this.#seen;
    for (let visit = 0; visit < flags.length; visit++) {
      const flag = flags[visit] as number;
      if (flag & FLAGS.newcomer) visitors++;
      visitorOf[visit] = flag & FLAGS.visitless ? NO_VISITOR : visitors;
    }
    const narrowed = narrow(this.traffic, this.filters, chunk, this.#events);
    const lone = new LoneVisits(chunk, narrowed.visits, visitorOf);
    const known = { ...narrowed, chunk, visitorOf, firstVisit: this.#seen.visits, lone };
    for (const one of this.tallies) add(one, known);
    this.#seen.visitors = visitors;
    this.#seen.visits += flags.length;
  }
}

const columnsOf = (one: Tally): Column[] => [
  ...one.groups.columns,
  ...testedBy(one.holding ?? []),
  ...(one.of ? testedBy(one.of) : columnsOfParts(one)),
];

const columnsOfParts = ({ groups, parts, onlyCounts }: Tally): Column[] => [
  ...(parts.includes("visits") && !groups.ofEvents && !onlyCounts ? (["duration"] as const) : []),
  ...(parts.includes("events") ? (["engagement"] as const) : []),
  ...(parts.includes("scrolls") ? (["page", "pages", "scroll"] as const) : []),
];
