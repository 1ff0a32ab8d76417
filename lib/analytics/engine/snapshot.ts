/** Snapshots of Postgres as text, `pg_snapshot`: `xmin:xmax:xip,…`. */

/**
 * @returns the first transaction that was running, or `end` (`start`), the first that had not begun (`end`), and those that
 *   were running.
 * @throws for another text.
 */
export function snapshotParts(snapshot: string): { start: number; end: number; running: number[] } {
  const [start, end, running = ""] = checkedSnapshot(snapshot).split(":");
  return { start: Number(start), end: Number(end), running: running.split(",").filter(Boolean).map(Number) };
}

/** Whether a snapshot does not see all that another one sees, as after a return to an older state of the database. */
export function isBefore(snapshot: string, other: string): boolean {
  const [one, than] = [snapshotParts(snapshot), snapshotParts(other)];
  if (one.end !== than.end) return one.end < than.end;
  return one.running.some((transaction) => !than.running.includes(transaction));
}

function checkedSnapshot(snapshot: string): string {
  if (!/^\d+:\d+:[\d,]*$/.test(snapshot)) throw new Error("not a snapshot");
  return snapshot;
}
