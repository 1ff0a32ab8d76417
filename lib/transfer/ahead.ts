/** What is read once. It can be closed before its end, even if nothing of it was read. */
export interface Rest<One> extends AsyncIterableIterator<One> {
  return(): Promise<IteratorResult<One>>;
}

/**
 * Reads the beginning of something.
 *
 * @param isEnough called with what was read so far, first with nothing
 * @returns the first elements, and all of them again
 */
export async function readAhead<One>(
  source: AsyncIterable<One>,
  isEnough: (first: readonly One[]) => boolean,
): Promise<{ first: readonly One[]; all: Rest<One> }> {
  const rest = source[Symbol.asyncIterator]();
  const first: One[] = [];
  while (!isEnough(first)) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
  }
  const waiting = [...first];
  const all: Rest<One> = {
    next: async () => (waiting.length > 0 ? { value: waiting.shift() as One, done: false } : rest.next()),
    async return() {
      waiting.length = 0;
      await rest.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return { first, all };
}
