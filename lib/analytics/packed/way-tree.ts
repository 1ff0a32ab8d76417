import { setImmediate } from "node:timers/promises";

/** Ways with how often they were gone: a tree in which ways that begin alike share their beginnings. */

/** So many places of the tree take about 150 MB; more are left to Postgres, which has room on its disk. */
const MOST_NODES = 2 ** 22;
export class TooManyWays extends Error {}
/** After so many, what was sent meanwhile is answered first. */
const NODES_AT_ONCE = 50_000;

/** A way by its steps, how many visits went it, and whether it ended there or was cut off. */
interface CountedWay {
  steps: number[];
  ended: boolean;
  visits: number;
}

/** A step that follows another, and in how many visits it did; 0 is the end of the visit. */
interface CountedMove {
  from: number;
  to: number;
  visits: number;
}

/** Each node is a step after those of its parent; 0 is where all ways begin. */
export class WayTree {
  #size = 1;
  #parent = new Int32Array(1024);
  #step = new Int32Array(1024);
  #ended = new Int32Array(1024);
  #cut = new Int32Array(1024);
  /** The nodes by a hash of parent and step, in an open table at most a quarter full. */
  #table = new Int32Array(4096);
  /** Steps are numbered from 0, which is the end of a visit. */
  readonly #steps = [0];
  readonly #numbers = new Map([[0, 0]]);

  /** The number of a step, for `after`. */
  numberOf(step: number): number {
    const known = this.#numbers.get(step);
    if (known !== undefined) return known;
    this.#numbers.set(step, this.#steps.length);
    return this.#steps.push(step) - 1;
  }

  /** The node of a step after a node. @throws TooManyWays */
  after(parent: number, number: number): number {
    const mask = this.#table.length - 1;
    let at = hash(parent, number) & mask;
    for (let node = this.#table[at] as number; node !== 0; node = this.#table[at] as number) {
      if (this.#parent[node] === parent && this.#step[node] === number) return node;
      at = (at + 1) & mask;
    }
    return this.#add(parent, number);
  }

  /** Counts visits whose way ends at a node, or is cut off there. */
  count(node: number, ended: boolean, visits: number): void {
    const list = ended ? this.#ended : this.#cut;
    list[node] = (list[node] as number) + visits;
  }

  /** The ways that most visits went, at most so many, those of lower steps first among equals; and all visits. */
  async mostGone(most: number): Promise<{ ways: CountedWay[]; visits: number }> {
    const first = new First<CountedWay>(most, (a, b) => inOrder(a.steps, b.steps) || Number(a.ended) - Number(b.ended));
    let visits = 0;
    for (let node = 1; node < this.#size; node++) {
      if (node % NODES_AT_ONCE === 0) await setImmediate();
      const [ended, cut] = [this.#ended[node] as number, this.#cut[node] as number];
      visits += ended + cut;
      if (first.takes(ended)) first.add({ steps: this.#stepsTo(node), ended: true, visits: ended });
      if (first.takes(cut)) first.add({ steps: this.#stepsTo(node), ended: false, visits: cut });
    }
    return { ways: first.rows, visits };
  }

  /** The moves that most visits made, at most so many, and all of them; a visit that makes one again makes it once. */
  async mostMoved(most: number): Promise<{ moves: CountedMove[]; visits: number }> {
    const through = this.#through();
    const moves = new Map<number, number>();
    const add = (from: number, to: number, visits: number) =>
      moves.set(from * MOST_NODES + to, (moves.get(from * MOST_NODES + to) ?? 0) + visits);
    for (let node = 1; node < this.#size; node++) {
      if (node % NODES_AT_ONCE === 0) await setImmediate();
      const [parent, ended] = [this.#parent[node] as number, this.#ended[node] as number];
      const [from, to] = [this.#step[parent] as number, this.#step[node] as number];
      if (parent !== 0 && !this.#moved(parent, from, to)) add(from, to, through[node] as number);
      if (ended > 0) add(to, 0, ended);
    }
    const first = new First<CountedMove>(most, (a, b) => a.from - b.from || a.to - b.to);
    let visits = 0;
    for (const [key, made] of moves) {
      visits += made;
      const [from, to] = [Math.floor(key / MOST_NODES), key % MOST_NODES];
      if (first.takes(made))
        first.add({ from: this.#steps[from] as number, to: this.#steps[to] as number, visits: made });
    }
    return { moves: first.rows, visits };
  }

  #stepsTo(node: number): number[] {
    const steps: number[] = [];
    for (let at = node; at !== 0; at = this.#parent[at] as number)
      steps.push(this.#steps[this.#step[at] as number] as number);
    return steps.reverse();
  }

  /** How many visits came through each node. Children have higher numbers than their parents. */
  #through(): Int32Array {
    const through = this.#ended.map((ended, node) => ended + (this.#cut[node] as number));
    for (let node = this.#size - 1; node > 0; node--) {
      const parent = this.#parent[node] as number;
      through[parent] = (through[parent] as number) + (through[node] as number);
    }
    return through;
  }

  /** Whether the way to a node made this move already. */
  #moved(node: number, from: number, to: number): boolean {
    let at = node;
    for (let before = this.#parent[at] as number; before !== 0; before = this.#parent[at] as number) {
      if (this.#step[at] === to && this.#step[before] === from) return true;
      at = before;
    }
    return false;
  }

  #add(parent: number, step: number): number {
    if (this.#size >= MOST_NODES) throw new TooManyWays();
    if (this.#size >= this.#parent.length) this.#grow();
    const node = this.#size++;
    this.#parent[node] = parent;
    this.#step[node] = step;
    this.#place(node);
    return node;
  }

  #place(node: number): void {
    const mask = this.#table.length - 1;
    let at = hash(this.#parent[node] as number, this.#step[node] as number) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = node;
  }

  #grow(): void {
    const room = 2 * this.#parent.length;
    [this.#parent, this.#step, this.#ended, this.#cut] = [this.#parent, this.#step, this.#ended, this.#cut].map(
      (list) => longer(list, room),
    ) as [Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>];
    this.#table = new Int32Array(4 * room);
    for (let node = 1; node < this.#size; node++) this.#place(node);
  }
}

function longer(list: Int32Array, room: number): Int32Array<ArrayBuffer> {
  const found = new Int32Array(room);
  found.set(list);
  return found;
}

/** Knuth's multiplicative hash of both, the high bits folded into the low ones. */
function hash(parent: number, step: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(step, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** As Postgres compares lists. */
function inOrder(a: readonly number[], b: readonly number[]): number {
  for (const [at, step] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (step !== other) return step - other;
  }
  return a.length - b.length;
}

/** The first of many rows by how many visits they tell. */
class First<Row extends { visits: number }> {
  rows: Row[] = [];

  constructor(
    readonly most: number,
    readonly order: (a: Row, b: Row) => number,
  ) {}

  /** Whether a row of so many visits may be among them. */
  takes(visits: number): boolean {
    return visits > 0 && (this.rows.length < this.most || visits >= (this.rows.at(-1)?.visits ?? 0));
  }

  add(row: Row): void {
    this.rows.push(row);
    this.rows.sort((a, b) => b.visits - a.visits || this.order(a, b));
    if (this.rows.length > this.most) this.rows.pop();
  }
}
