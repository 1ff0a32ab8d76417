/** Numbers ids from 0, in the order in which they are met. An open table, at most half full: several times as fast as a Map. */
export class Numbering {
  size = 0;
  #ids = new Int32Array(512);
  /** One more than the number of the id that is kept there; 0 where there is none. */
  #slots = new Int32Array(1024);

  /** The id of a number. */
  idOf(number: number): number {
    return this.#ids[number] as number;
  }

  /** The number of an id, a new one for one that was not met before. */
  numberOf(id: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(id) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return this.#add(id, slot);
      if (this.#ids[number] === id) return number;
    }
  }

  #add(id: number, slot: number): number {
    this.#slots[slot] = ++this.size;
    this.#ids[this.size - 1] = id;
    if (this.size === this.#ids.length) this.#grow();
    return this.size - 1;
  }

  #grow(): void {
    const ids = new Int32Array(2 * this.#ids.length);
    ids.set(this.#ids);
    this.#ids = ids;
    this.#slots = new Int32Array(2 * ids.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hash(ids[number] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

/** Knuth's multiplicative hash, whose higher bits are the good ones. */
const hash = (id: number): number => Math.imul(id, 0x9e3779b1) >>> 7;
