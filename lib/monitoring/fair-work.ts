/** How many pieces of work run at once, and how many of them for one account. */
interface Limits {
  all: number;
  ofAccount: number;
}

/**
 * Works through what is due, so that an account whose hosts are slow does not delay the others.
 *
 * @param leaseNext leases the next piece for an account that is not among the busy ones; undefined when there is none, or
 *   no time left.
 * @throws the first error of any work, after all of it.
 */
export async function workFairly<Due extends { account: string }>(
  limits: Limits,
  leaseNext: (busy: string[], running: readonly Due[]) => Promise<Due | undefined>,
  work: (due: Due) => Promise<void>,
): Promise<void> {
  const running = new Map<Due, Promise<void>>();
  const faults: unknown[] = [];
  const start = async (due: Due) => {
    try {
      await work(due);
    } catch (error) {
      faults.push(error);
    }
    running.delete(due);
  };
  for (;;) {
    while (running.size < limits.all) {
      const dues = [...running.keys()];
      const busy = dues.map(({ account }) => account).filter((account) => countOf(dues, account) >= limits.ofAccount);
      const due = await leaseNext([...new Set(busy)], dues);
      if (!due) break;
      running.set(due, start(due));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (faults.length > 0) throw faults[0];
}

const countOf = (dues: readonly { account: string }[], account: string): number =>
  dues.filter((due) => due.account === account).length;
