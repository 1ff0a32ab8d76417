"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";

export type Key = string | number;

interface Change<Row> {
  /** null: it is removed. */
  row: Row | null;
  /** The rows that were on show when the server had done it: the next ones know of it. */
  until?: readonly Row[];
}

/**
 * The rows of a list, changed at once where a change is on its way to the server. Not `useOptimistic`: a link that is
 * followed meanwhile would wait for the answer.
 *
 * @param rows what the server says is there.
 * @param keyOf what tells a row from the others.
 */
export function useOptimisticRows<Row>(rows: readonly Row[], keyOf: (row: Row) => Key) {
  const [changes, setChanges] = useState<ReadonlyMap<Key, Change<Row>>>(new Map());
  const latest = useRef(rows);
  const router = useRouter();
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  const pending = new Map([...changes].filter(([, { until }]) => until === undefined || until === rows));
  if (pending.size < changes.size) setChanges(pending);

  const put = (key: Key, change: Change<Row> | null) =>
    setChanges((before) => {
      const others = [...before].filter(([other]) => other !== key);
      return new Map(change ? [...others, [key, change]] : others);
    });

  /** Shows a row otherwise, or not at all (null). @returns what to call with whether the server has done it. */
  function change(key: Key, row: Row | null): (done: boolean) => void {
    put(key, { row });
    return (done) => {
      put(key, done ? { row, until: latest.current } : null);
      // Also where it was refused: the list may be another by now.
      if (navigator.onLine) router.refresh();
    };
  }

  const shown = rows.flatMap((row) => {
    const changed = pending.get(keyOf(row));
    return changed ? (changed.row ?? []) : row;
  });
  return { shown, change };
}
