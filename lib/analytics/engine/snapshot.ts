/** Snapshots of Postgres as text, `pg_snapshot`: `xmin:xmax:xip,…`. */

/** @returns the first transaction that had not begun, and those that were running. @throws for another text. */
export function snapshotParts(snapshot: string): { end: number; running: number[] } {
  const [, end, running = ""] = checkedSnapshot(snapshot).split(":");
  return { end: Number(end), running: running.split(",").filter(Boolean).map(Number) };
}

/** Whether a snapshot was taken before another one, as after a return to an older state of the database. */
export const isBefore = (snapshot: string, other: string): boolean =>
  snapshotParts(snapshot).end < snapshotParts(other).end;

/** The text itself, which is safe within SQL. */
export function checkedSnapshot(snapshot: string): string {
  if (!/^\d+:\d+:[\d,]*$/.test(snapshot)) throw new Error("not a snapshot");
  return snapshot;
}
