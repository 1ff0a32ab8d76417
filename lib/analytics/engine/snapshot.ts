/** Snapshots of Postgres as text, `pg_snapshot`: `xmin:xmax:xip,…`. */

/** @returns the first transaction that had not begun, and those that were running. @throws for another text. */
export function snapshotParts(snapshot: string): { end: number; running: number[] } {
  const [, end, running = ""] = checkedSnapshot(snapshot).split(":");
  return { end: Number(end), running: running.split(",").filter(Boolean).map(Number) };
}

/** Whether a snapshot does not see all that another one sees, as after a return to an older state of the database. */
export function isBefore(snapshot: string, other: string): boolean {
  const [one, than] = [snapshotParts(snapshot), snapshotParts(other)];
  if (one.end !== than.end) return one.end < than.end;
  return one.running.some((transaction) => !than.running.includes(transaction));
}

/** The text itself, which is safe within SQL. */
export function checkedSnapshot(snapshot: string): string {
  if (!/^\d+:\d+:[\d,]*$/.test(snapshot)) throw new Error("not a snapshot");
  return snapshot;
}
