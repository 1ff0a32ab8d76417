import type { Chunk } from "@/lib/analytics/packed/chunks";
import { isOnlyOnVisits } from "@/lib/analytics/packed/keys";
import { DICTIONARY_OF, FLAGS, type IdColumn, widthOf } from "@/lib/analytics/packed/layout";

/**
 * Visits by the rows of dictionaries. Most visitors make one visit a day: that is one visit and one visitor of whatever its
 * row says, and is counted once for all dimensions that are words of the row.
 */
export class LoneVisits {
  /** The visits of visitors who made several of those that are counted. */
  readonly others: Int32Array;
  readonly #lone: Int32Array;
  readonly #columns: Chunk["columns"];
  readonly #counts = new Map<IdColumn, Int32Array>();

  /** @param visitorOf whose each visit of the chunk is; the visits of a visitor come together. */
  constructor({ columns }: Chunk, visits: Int32Array, visitorOf: Int32Array) {
    const [lone, others] = [new Int32Array(visits.length), new Int32Array(visits.length)];
    let [loneCount, otherCount, before] = [0, 0, -1];
    for (let at = 0; at < visits.length; at++) {
      const visitor = visitorOf[visits[at] as number] as number;
      const after = at + 1 < visits.length ? (visitorOf[visits[at + 1] as number] as number) : -1;
      if (visitor !== before && visitor !== after) lone[loneCount++] = visits[at] as number;
      else others[otherCount++] = visits[at] as number;
      before = visitor;
    }
    this.#columns = columns;
    this.#lone = lone.subarray(0, loneCount);
    this.others = others.subarray(0, otherCount);
  }

  /** How many of the other visits there are for each place in a column's dictionary. */
  countsOf(column: IdColumn): Int32Array {
    const known = this.#counts.get(column);
    if (known) return known;
    const counts = this.#counted(column);
    this.#counts.set(column, counts);
    return counts;
  }

  #counted(column: IdColumn): Int32Array {
    const places = this.#columns[column];
    const { flags } = this.#columns;
    const dictionary = DICTIONARY_OF[column];
    const counts = new Int32Array(this.#columns[dictionary].length / widthOf(dictionary));
    const needed = isOnlyOnVisits(column) ? FLAGS.viewed : 0;
    for (const visit of this.#lone) {
      if (((flags[visit] as number) & needed) !== needed) continue;
      const place = places[visit] as number;
      counts[place] = (counts[place] as number) + 1;
    }
    return counts;
  }
}
